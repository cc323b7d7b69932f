import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Thread as ThreadData } from '../../../threads/model.ts'
import { threadsQuery } from '../../../threads/queries.ts'
import { Pending } from '../../../ui/states.tsx'
import { Unfolded } from '../section.tsx'
import { SettingSwitch } from '../setting-switch.tsx'
import { useSharing } from '../sharing.ts'
import { Thread } from './thread.tsx'

const SHOWN = 5

/** Comments: who may write them, and the newest ones, to hide and delete. */
export function Comments() {
  const { page } = useSharing()
  const { data, error, refetch } = useInfiniteQuery(threadsQuery(page.id, 'all'))
  const threads = data?.pages[0]?.data
  const areKept = !page.allow_comments && threads !== undefined && threads.length > 0
  return (
    <div className="grid gap-3">
      <SettingSwitch
        name="allow_comments"
        label="Comments"
        help={
          areKept
            ? 'Off: the comments are kept, and nobody sees them.'
            : 'Everyone who can open the page sees them.'
        }
      />
      {page.allow_comments && (
        <Unfolded>
          <SettingSwitch
            name="comments_require_email"
            label="Only with a confirmed email"
            help="You see the address, other viewers do not. Otherwise any name will do."
          />
          {threads && <Newest threads={threads} />}
          {!threads && <Pending error={error} onRetry={refetch} rows={2} />}
        </Unfolded>
      )}
    </div>
  )
}

function Newest({ threads }: { threads: ThreadData[] }) {
  const { page } = useSharing()
  if (threads.length === 0) return <p className="text-13 text-muted">No comments yet.</p>
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h4 className="text-13 font-medium">Newest comments</h4>
        <Link href={`/pages/${page.id}/comments?show=all`} className="link text-13">
          All comments
        </Link>
      </div>
      <ul>
        {threads.slice(0, SHOWN).map((thread) => (
          <Thread key={thread.id} pageId={page.id} thread={thread} />
        ))}
      </ul>
    </div>
  )
}
