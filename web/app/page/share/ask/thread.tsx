import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../../api.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { count } from '../../../ui/text.ts'
import { Time } from '../../../ui/time.tsx'
import { type OwnersComment, type OwnersReply, useModeration } from './use-threads.ts'

/** How many replies stand below a comment: the latest. */
const SHOWN_REPLIES = 3

/** A comment with its latest replies. */
export function Thread({ pageId, thread }: { pageId: string; thread: OwnersComment }) {
  return (
    <li className="border-t border-line py-2 first:border-t-0">
      <Comment pageId={pageId} comment={thread} replies={thread.replies.length} />
      {thread.replies.length > 0 && (
        <ul className="mt-2 ml-1 grid gap-2 border-l border-line pl-3">
          {thread.replies.slice(-SHOWN_REPLIES).map((reply) => (
            <li key={reply.id}>
              <Comment pageId={pageId} comment={reply} replies={0} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

interface CommentProps {
  pageId: string
  comment: OwnersReply
  /** How many go with it. */
  replies: number
}

function Comment({ pageId, comment, replies }: CommentProps) {
  const { author, body, is_hidden: isHidden, created_at: createdAt } = comment
  const [isAsking, setAsking] = useState(false)
  const { mutate, error } = useModeration(pageId, comment.id)
  const name = author.kind === 'owner' ? 'You' : (author.name ?? author.email ?? 'Somebody')
  return (
    <>
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap gap-x-2 text-13 text-muted">
            <span className="max-w-full truncate font-medium text-ink" dir="auto">
              {name}
            </span>
            <Time at={createdAt} />
            {isHidden && <span>hidden</span>}
          </p>
          <p
            className={`line-clamp-3 break-words whitespace-pre-line ${isHidden ? 'text-muted' : ''}`}
            dir="auto"
          >
            {body}
          </p>
        </div>
        <Button
          look="quiet"
          className="text-13"
          onClick={() => mutate(isHidden ? 'restore' : 'hide')}
        >
          {isHidden ? 'Restore' : 'Hide'}
        </Button>
        <IconButton label="Delete comment" onClick={() => setAsking(true)}>
          <Trash2 size={16} />
        </IconButton>
      </div>
      {error && (
        <p role="alert" className="text-13 text-danger">
          {messageOf(error)}
        </p>
      )}
      {isAsking && (
        <Confirm
          title="Delete this comment?"
          action={`Delete comment${replies > 0 ? ` and ${count(replies, 'reply', 'replies')}` : ''}`}
          onConfirm={() => mutate('delete')}
          onClose={() => setAsking(false)}
        >
          <p className="line-clamp-6 break-words" dir="auto">
            “{body}”
          </p>
          <p className="mt-2 text-muted">It goes for good. Hiding it keeps it for you.</p>
        </Confirm>
      )}
    </>
  )
}
