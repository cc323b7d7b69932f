import { Confirm } from '../ui/confirm.tsx'
import { count } from '../ui/text.ts'

interface DeleteCommentProps {
  /** How many replies go with it. */
  replies: number
  onConfirm(): void
  onClose(): void
}

/** Asks before a comment goes for good. */
export function DeleteComment({ replies, onConfirm, onClose }: DeleteCommentProps) {
  const replyWords = replies === 0 ? '' : ` and ${count(replies, 'reply', 'replies')}`
  return (
    <Confirm
      title="Delete this comment?"
      action={`Delete comment${replyWords}`}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>It goes for good. To take it away from viewers and keep it for yourself, hide it.</p>
    </Confirm>
  )
}
