import { Link } from 'wouter'
import { Skeleton } from '../../../ui/states.tsx'
import { count } from '../../../ui/text.ts'
import { Unfolded } from '../section.tsx'
import { SettingSwitch } from '../setting-switch.tsx'
import { useSharing } from '../sharing.ts'
import { Thread } from './thread.tsx'
import { type NewestThreads, useNewestThreads } from './use-threads.ts'

/** Comments: who may write them, and the newest ones, to hide and delete. */
export function Comments() {
  const { page } = useSharing()
  const threads = useNewestThreads(page.id)
  const total = threads.data?.total ?? 0
  return (
    <div className="grid gap-3">
      <SettingSwitch
        name="allow_comments"
        label="Comments"
        help={
          page.allow_comments || total === 0
            ? 'Everyone who can open the page sees them.'
            : `Off: ${count(total, 'comment')} ${total === 1 ? 'is' : 'are'} kept, and nobody sees ${total === 1 ? 'it' : 'them'}.`
        }
      />
      {page.allow_comments && (
        <Unfolded>
          <SettingSwitch
            name="comments_require_email"
            label="Only with a confirmed email"
            help="You see the address, other viewers do not. Otherwise anyone writes under any name."
          />
          {threads.data ? <Newest {...threads.data} /> : threads.isPending && <Skeleton rows={2} />}
        </Unfolded>
      )}
    </div>
  )
}

function Newest({ total, threads }: NewestThreads) {
  const { page } = useSharing()
  if (total === 0) return <p className="text-13 text-muted">No comments yet.</p>
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h4 className="text-13 font-medium">Newest comments</h4>
        <Link href={`/pages/${page.id}/comments`} className="link text-13">
          All {count(total, 'comment')}
        </Link>
      </div>
      <ul>
        {threads.map((thread) => (
          <Thread key={thread.id} pageId={page.id} thread={thread} />
        ))}
      </ul>
    </div>
  )
}
