import { useState } from 'react'
import { CommentArticle, CommentTools } from '../../../threads/comment.tsx'
import { DeleteComment } from '../../../threads/delete-comment.tsx'
import type { Thread as ThreadData } from '../../../threads/model.ts'
import { Passage } from '../../../threads/passage.tsx'
import { useThread } from '../../../threads/use-thread.ts'

/** How many replies stand below a comment: the latest. */
const SHOWN_REPLIES = 3

/** A comment with its latest replies, each to hide or delete. */
export function Thread({ pageId, thread }: { pageId: string; thread: ThreadData }) {
  const { shown, act } = useThread(pageId, thread)
  const [deletedId, setDeletedId] = useState<string | null>(null)
  if (shown === null) return null
  const tools = { act, onDelete: setDeletedId }
  return (
    <li className="grid gap-2 border-t border-line py-2 first:border-t-0">
      <Passage comment={shown} />
      <CommentArticle comment={shown} tools={<CommentTools comment={shown} {...tools} />} />
      {shown.replies.length > 0 && (
        <ul aria-label="Replies" className="grid gap-2 border-l border-line pl-4">
          {shown.replies.slice(-SHOWN_REPLIES).map((reply) => (
            <li key={reply.id}>
              <CommentArticle comment={reply} tools={<CommentTools comment={reply} {...tools} />} />
            </li>
          ))}
        </ul>
      )}
      {deletedId !== null && (
        <DeleteComment
          replies={deletedId === shown.id ? shown.replies.length : 0}
          onClose={() => setDeletedId(null)}
          onConfirm={() => act({ kind: 'delete', commentId: deletedId })}
        />
      )}
    </li>
  )
}
