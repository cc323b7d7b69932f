import { useEffect, useRef, useState } from 'react'
import { newKey } from '../../../src/client/index.ts'
import { MAX_BODY } from '../../../src/model/comment.ts'
import { Button } from '../ui/button.tsx'
import { TextArea } from '../ui/field.tsx'
import { formatNumber } from '../ui/text.ts'
import { isDelivered, newestIn, type ReplyDraft, replyDrafts, useReplyDraft } from './drafts.ts'
import type { Thread } from './model.ts'

export interface Reply {
  draft: ReplyDraft
  isOpen: boolean
  /** Whether it was opened here, so that the keyboard belongs to it. */
  isWanted: boolean
  open(): void
  close(): void
  change(text: string): void
  send(): void
}

interface ReplyOptions {
  /** Whether a reply waits for its answer. */
  isSending: boolean
  onSend(reply: ReplyDraft): void
}

const EMPTY: ReplyDraft = { text: '', key: '', problem: null, sentAfter: null }

/** A reply that is being written. One that was not sent opens again, after a reload as well. */
export function useReply(thread: Thread, { isSending, onSend }: ReplyOptions): Reply {
  const { id } = thread
  const [isWanted, setWanted] = useState(false)
  const stored = useReplyDraft(id)
  const isDone = stored !== null && !isSending && isDelivered(thread, stored)
  useEffect(() => {
    if (isDone) replyDrafts.write(id, null)
  }, [isDone, id])
  const draft = isDone ? EMPTY : (stored ?? EMPTY)
  return {
    draft,
    isOpen: !isSending && (isWanted || draft !== EMPTY),
    isWanted,
    open: () => setWanted(true),
    close() {
      replyDrafts.write(id, null)
      setWanted(false)
    },
    change: (text) => replyDrafts.write(id, { ...EMPTY, text, key: newKey() }),
    send() {
      if (draft.text.trim() === '') return
      replyDrafts.write(id, { ...draft, problem: null, sentAfter: newestIn(thread) })
      setWanted(false)
      onSend(draft)
    },
  }
}

/** The field for a reply. Ctrl or ⌘ with Enter sends it; Escape leaves an empty one. */
export function ReplyBox({ draft, isWanted, close, change, send }: Reply) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isWanted) field.current?.focus()
  }, [isWanted])
  const { length } = draft.text.trim()
  const isTooLong = length > MAX_BODY
  const tooLong = `At most ${formatNumber(MAX_BODY)} characters; these are ${formatNumber(length)}.`
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isTooLong) send()
      }}
    >
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
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.currentTarget.form?.requestSubmit()
          } else if (event.key === 'Escape' && draft.text === '') close()
        }}
      />
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={draft.text.trim() === '' || isTooLong}>
          Reply
        </Button>
        <Button look="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
