import { Bot } from 'lucide-preact'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'preact/compat'
import { Link } from 'wouter-preact'
import { newKey } from '../../../src/client/index.ts'
import { MAX_BODY } from '../../../src/model/comment-limits.ts'
import { deletion } from '../../../src/model/deletion.ts'
import { formatNumber } from '../../../src/model/numbers.ts'
import { CommentArticle, CommentTools, Passage, ThreadView, Tool } from '../../threads/comment.tsx'
import { comparisonOf } from '../../threads/model.ts'
import { NewMark } from '../ui/arrivals.tsx'
import { IconButton, QuietButton, SubmitButton } from '../ui/button.tsx'
import { Confirm, Form, openDialog } from '../ui/dialog.tsx'
import { TextArea } from '../ui/field.tsx'
import { Time } from '../ui/time.tsx'
import { Words } from '../ui/words.tsx'
import { copyForAgent } from './copy-for-agent.ts'
import { isDelivered, newestIn, type ReplyDraft, useReplyDraft, writeReplyDraft } from './drafts.ts'
import type { Action, Comment, Thread as ThreadData, ThreadPage } from './model.ts'
import { useThread } from './use-thread.ts'

const EMPTY: ReplyDraft = { text: '', key: '', problem: null, sentAfter: null }

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
  const { current, repliesUnderWay, act } = useThread(page.id, thread)
  const reply = useReply(thread, {
    isSending: repliesUnderWay.length > 0,
    onSend: ({ text, key }) => act({ kind: 'reply', body: text, key, sentAfter: newestIn(thread) }),
  })
  if (current === null) return null
  const canReply = page.allow_comments && !current.is_hidden

  return (
    <div className="grid grid-cols-1 gap-3">
      {above}
      <ThreadView
        thread={current}
        show={(comment) => (
          <OwnersComment
            pageId={page.id}
            comment={comment}
            thread={current}
            act={act}
            isNew={isNew && comment === current}
            hasTools={comment !== current}
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
          comment={current}
          thread={current}
          act={act}
          hasKeys
          onReply={canReply && !reply.isOpen ? reply.open : null}
        >
          <IconButton
            label="Copy for an agent"
            icon={Bot}
            className="ml-auto"
            onClick={() => copyForAgent(page, [current])}
          />
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

export function OwnersComment({
  isNew = false,
  hasTools = true,
  ...rest
}: OwnersProps & { pageId: string; isNew?: boolean; hasTools?: boolean }) {
  const { pageId, ...own } = rest
  const { comment, thread } = own
  const { version_no: no, anchor, anchor_now: now } = comment
  // The page itself looks for words that the server cannot place.
  const isLookedFor = now?.reason === 'unplaced' && anchor?.quote !== undefined
  return (
    <CommentArticle
      comment={comment}
      isDashboard
      Words={Words}
      time={<Time at={comment.created_at} />}
      about={
        comment === thread && (
          <Passage
            comment={comment}
            now={isLookedFor ? null : now}
            writtenOn={<Link href={comparisonOf(pageId, no)}>version {no}</Link>}
          />
        )
      }
      badge={isNew && <NewMark />}
    >
      {hasTools && <OwnersTools {...own} canResolve={false} />}
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
  const { id: commentId } = comment
  const replies = comment === thread ? thread.replies.length : 0
  const words = deletion('this comment', { replies })
  const remove = () =>
    openDialog(
      <Confirm {...words} onConfirm={() => act({ kind: 'delete', commentId })}>
        <p>To take it away from viewers and keep it for yourself, hide it.</p>
      </Confirm>,
    )
  return (
    <CommentTools
      {...rest}
      comment={comment}
      isThread={canResolve}
      onChange={(change) => act({ kind: 'change', commentId, change })}
    >
      <Tool onClick={remove}>Delete comment</Tool>
      {children}
    </CommentTools>
  )
}

interface ReplyOptions {
  /** Whether a reply waits for its answer. */
  isSending: boolean
  onSend(reply: ReplyDraft): void
}

/** A reply that is being written. One that was not sent opens again, after a reload as well. */
function useReply(thread: ThreadData, { isSending, onSend }: ReplyOptions) {
  const { id } = thread
  const [isWanted, setWanted] = useState(false)
  const storedDraft = useReplyDraft(id)
  const isDone = storedDraft !== null && !isSending && isDelivered(thread, storedDraft)
  useEffect(() => {
    if (isDone) writeReplyDraft(id, null)
  }, [isDone, id])
  const draft = isDone ? EMPTY : (storedDraft ?? EMPTY)
  return {
    draft,
    isOpen: !isSending && (isWanted || draft !== EMPTY),
    /** Whether it was opened here, so that the keyboard belongs to it. */
    isWanted,
    open: () => setWanted(true),
    close() {
      writeReplyDraft(id, null)
      setWanted(false)
    },
    change: (text: string) => writeReplyDraft(id, { ...EMPTY, text, key: newKey() }),
    send() {
      if (draft.text.trim() === '') return
      writeReplyDraft(id, { ...draft, problem: null, sentAfter: newestIn(thread) })
      setWanted(false)
      onSend(draft)
    },
  }
}

/** The field for a reply. Ctrl or ⌘ with Enter sends it; Escape leaves an empty one. */
function ReplyBox(reply: ReturnType<typeof useReply>) {
  const { draft, isWanted, close, change, send } = reply
  const field = useRef<HTMLTextAreaElement>(null)
  // Before the next key: what one types at once is in the field.
  useLayoutEffect(() => {
    if (!isWanted) return
    const form = field.current!.form!
    const thread = form.parentElement!
    field.current!.focus()
    // With its button.
    form.scrollIntoView({ block: 'nearest' })
    // The keyboard goes on at the thread, once its tools are rendered.
    return () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        thread.querySelector<HTMLElement>('[aria-keyshortcuts=r]')?.focus()
      })
    }
  }, [isWanted])
  const { length } = draft.text.trim()
  const isTooLong = length > MAX_BODY
  const tooLong = `At most ${formatNumber(MAX_BODY)} characters; these are ${formatNumber(length)}.`
  return (
    <Form className="grid gap-2" onSubmit={() => isTooLong || send()}>
      <TextArea
        ref={field}
        label="Your reply"
        isLabelHidden
        placeholder="Everyone who can open the page sees it"
        rows={3}
        dir="auto"
        className="field-sizing-content max-h-80 min-h-20"
        value={draft.text}
        error={isTooLong ? tooLong : draft.problem && `Not sent. ${draft.problem}`}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.currentTarget.form?.requestSubmit()
          } else if (event.key === 'Escape' && draft.text === '') close()
        }}
      />
      <div className="flex gap-2">
        <SubmitButton disabled={draft.text.trim() === '' || isTooLong}>Reply</SubmitButton>
        <QuietButton onClick={close}>Cancel</QuietButton>
      </div>
    </Form>
  )
}
