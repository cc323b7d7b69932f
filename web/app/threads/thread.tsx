import { Bot } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { CommentArticle, CommentTools } from './comment.tsx'
import { copyForAgent } from './copy-for-agent.ts'
import { DeleteComment } from './delete-comment.tsx'
import { newestIn } from './drafts.ts'
import type { Thread as ThreadData, ThreadPage } from './model.ts'
import { Passage } from './passage.tsx'
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
  const [deletedId, setDeletedId] = useState<string | null>(null)
  if (shown === null) return null
  const isResolved = shown.state === 'resolved'
  const canReply = page.allow_comments && !shown.is_hidden
  const replyCount = deletedId === shown.id ? shown.replies.length : 0

  return (
    <div className="grid grid-cols-1 gap-3">
      {above}
      <Passage comment={shown} />
      <CommentArticle comment={shown} isNew={isNew} />
      {(shown.replies.length > 0 || repliesUnderWay.length > 0) && (
        <ul aria-label="Replies" className="grid grid-cols-1 gap-3 border-l border-line pl-4">
          {shown.replies.map((each) => (
            <li key={each.id} className="group/reply">
              <CommentArticle
                comment={each}
                tools={<CommentTools comment={each} act={act} onDelete={setDeletedId} />}
              />
            </li>
          ))}
          {repliesUnderWay.map((body) => (
            <li key={body} className="text-muted">
              <p dir="auto" className="break-words whitespace-pre-wrap">
                {body}
              </p>
              <p className="text-13">Sending…</p>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-1">
        {canReply && !reply.isOpen && (
          <Button look="quiet" className="-ml-3" aria-keyshortcuts="r" onClick={reply.open}>
            Reply
          </Button>
        )}
        <Button
          look="quiet"
          className={canReply && !reply.isOpen ? '' : '-ml-3'}
          aria-keyshortcuts="e"
          onClick={() =>
            act({
              kind: 'change',
              commentId: shown.id,
              change: { state: isResolved ? 'open' : 'resolved' },
            })
          }
        >
          {isResolved ? 'Reopen' : 'Resolve'}
        </Button>
        <span className="ml-auto flex text-muted">
          <IconButton label="Copy for an agent" onClick={() => copyForAgent(page, [shown])}>
            <Bot size={16} />
          </IconButton>
          <CommentTools comment={shown} act={act} onDelete={setDeletedId} />
        </span>
      </div>
      {canReply && reply.isOpen && <ReplyBox {...reply} />}
      {deletedId !== null && (
        <DeleteComment
          replies={replyCount}
          onClose={() => setDeletedId(null)}
          onConfirm={() => act({ kind: 'delete', commentId: deletedId })}
        />
      )}
    </div>
  )
}
