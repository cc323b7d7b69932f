import { ThreadView } from '../../../../threads/comment.tsx'
import type { Thread as ThreadData } from '../../../threads/model.ts'
import { OwnersComment } from '../../../threads/thread.tsx'
import { useThread } from '../../../threads/use-thread.ts'

/** How many replies stand below a comment: the latest. */
const LATEST_REPLIES = 3

/** A comment with its latest replies, each to hide or delete. */
export function Thread({ pageId, thread }: { pageId: string; thread: ThreadData }) {
  const { shown, act } = useThread(pageId, thread)
  if (shown === null) return null
  const latest = { ...shown, replies: shown.replies.slice(-LATEST_REPLIES) }
  return (
    <li className="border-t border-line py-2 first:border-t-0">
      <ThreadView
        thread={latest}
        show={(comment) => (
          <OwnersComment comment={comment === latest ? shown : comment} thread={shown} act={act} />
        )}
      />
    </li>
  )
}
