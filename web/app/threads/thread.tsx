import { Bot } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { CommentArticle, CommentTools, Passage, ThreadView, Tool } from '../../threads/comment.tsx'
import { andReplies } from '../../threads/model.ts'
import { IconButton } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { NewMark } from '../ui/new-mark.tsx'
import { Time } from '../ui/time.tsx'
import { Words } from '../ui/words.tsx'
import { copyForAgent } from './copy-for-agent.ts'
import { newestIn } from './drafts.ts'
import type { Action, Comment, Thread as ThreadData, ThreadPage } from './model.ts'
import { ReplyBox, useReply } from './reply-box.tsx'
import { useThread } from './use-thread.ts'

interface ThreadProps {
  page: ThreadPage
  thread: ThreadData
  /** What stands above it, such as the page in a list over all pages. */
  above?: ReactNode
  /** It came since the owner last looked. */
  isNew?: boolean
}

/**
 * A comment with its passage, its replies and what the owner does with them. `e` and `r` are the
 * keys of its buttons where a list gives it keys.
 */
export function Thread({ page, thread, above, isNew = false }: ThreadProps) {
  const { shown, repliesUnderWay, act } = useThread(page.id, thread)
  const reply = useReply(thread, {
    isSending: repliesUnderWay.length > 0,
    onSend: ({ text, key }) => act({ kind: 'reply', body: text, key, sentAfter: newestIn(thread) }),
  })
  if (shown === null) return null
  const canReply = page.allow_comments && !shown.is_hidden

  return (
    <div className="grid grid-cols-1 gap-3">
      {above}
      <ThreadView
        thread={shown}
        show={(comment) => (
          <OwnersComment
            comment={comment}
            thread={shown}
            act={act}
            isNew={isNew && comment === shown}
            hasTools={comment !== shown}
          />
        )}
        moreReplies={repliesUnderWay.map((body) => (
          <li key={body} className="text-muted">
            <p dir="auto" className="words">
              {body}
            </p>
            <p className="text-13">Sending…</p>
          </li>
        ))}
      >
        <OwnersTools
          comment={shown}
          thread={shown}
          act={act}
          hasKeys
          onReply={canReply && !reply.isOpen ? reply.open : null}
        >
          <IconButton
            label="Copy for an agent"
            className="ml-auto"
            onClick={() => copyForAgent(page, [shown])}
          >
            <Bot size={16} />
          </IconButton>
        </OwnersTools>
        {canReply && reply.isOpen && <ReplyBox {...reply} />}
      </ThreadView>
    </div>
  )
}

interface OwnersProps {
  comment: Comment
  thread: ThreadData
  act(action: Action): void
}

/** A comment as its owner sees it. */
export function OwnersComment({
  isNew = false,
  hasTools = true,
  ...rest
}: OwnersProps & { isNew?: boolean; hasTools?: boolean }) {
  const { comment, thread } = rest
  return (
    <CommentArticle
      comment={comment}
      isDashboard
      Words={Words}
      time={<Time at={comment.created_at} />}
      about={comment === thread && <Passage comment={comment} />}
      badge={isNew && <NewMark />}
    >
      {hasTools && <OwnersTools {...rest} canResolve={false} />}
    </CommentArticle>
  )
}

interface OwnersToolsProps extends OwnersProps {
  canResolve?: boolean
  hasKeys?: boolean
  onReply?: (() => void) | null
  children?: ReactNode
}

/** Resolves a comment, hides it from viewers, or deletes it once that was asked. */
function OwnersTools({ canResolve = true, children, ...props }: OwnersToolsProps) {
  const { comment, thread, act, ...rest } = props
  const [isDeleting, setDeleting] = useState(false)
  const { id: commentId } = comment
  const replies = comment === thread ? thread.replies.length : 0
  return (
    <>
      <CommentTools
        {...rest}
        comment={comment}
        isThread={canResolve}
        onChange={(change) => act({ kind: 'change', commentId, change })}
      >
        <Tool onClick={() => setDeleting(true)}>Delete comment</Tool>
        {children}
      </CommentTools>
      {isDeleting && (
        <Confirm
          title="Delete this comment?"
          action={`Delete comment${andReplies(replies)}`}
          onConfirm={() => act({ kind: 'delete', commentId })}
          onClose={() => setDeleting(false)}
        >
          <p>It goes for good. To take it away from viewers and keep it for yourself, hide it.</p>
        </Confirm>
      )}
    </>
  )
}
