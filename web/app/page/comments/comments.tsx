import { useInfiniteQuery } from '@tanstack/preact-query'
import { Bot } from 'lucide-preact'
import type { Page } from '../../api.ts'
import { copyForAgent } from '../../threads/copy-for-agent.ts'
import { newestIn } from '../../threads/drafts.ts'
import { Thread } from '../../threads/thread.tsx'
import { type ThreadState, threadsQuery } from '../../threads/use-thread.ts'
import { useArrivals } from '../../ui/arrivals.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty, Pending } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useSearchParam, Views } from '../../ui/tab-links.tsx'
import { useSettings } from '../use-page.ts'

const VIEWS = [
  { value: '', name: 'Open' },
  { value: 'resolved', name: 'Resolved' },
  { value: 'hidden', name: 'Hidden' },
  { value: 'all', name: 'All' },
]
const STATES: Record<string, ThreadState> = { resolved: 'resolved', hidden: 'hidden', all: 'all' }

export default function CommentsTab({ page }: { page: Page }) {
  const state = STATES[useSearchParam('show')[0]] ?? 'open'
  const settings = useSettings(page)
  const query = useInfiniteQuery(threadsQuery(page.id, state))
  const { data, error, refetch } = query
  const threads = data?.pages.flatMap((part) => part.data)
  const isNew = useArrivals(`${page.id}:comments`, threads?.map(newestIn))
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-4">
      {!page.allow_comments && (
        <div className="border-b border-line pb-4">
          <Switch
            label="Comments"
            help="They are off: viewers see none of these and write no new ones."
            isOn={false}
            onChange={() => settings.mutate({ allow_comments: true })}
          />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Views label="Comments" param="show" views={VIEWS} />
        {threads !== undefined && threads.length > 1 && (
          <Button icon={Bot} onClick={() => copyForAgent(page, threads)}>
            Copy all for an agent
          </Button>
        )}
      </div>
      {threads === undefined && <Pending error={error} onRetry={refetch} rows={4} />}
      {threads?.length === 0 && <NoComments page={page} state={state} />}
      {threads !== undefined && threads.length > 0 && (
        <ol aria-label="Threads">
          {threads.map((thread) => (
            <li key={thread.id} className="border-t border-line py-6 first:border-0 first:pt-2">
              <Thread
                page={page}
                thread={thread}
                isNew={thread.author.kind !== 'owner' && isNew(newestIn(thread))}
              />
            </li>
          ))}
        </ol>
      )}
      <ShowMore query={query} />
    </div>
  )
}

const NOTHING: Record<ThreadState, string> = {
  open: 'Nothing waits for you',
  resolved: 'No resolved comments',
  hidden: 'No hidden comments',
  all: 'No comments yet',
}

function NoComments({ page, state }: { page: Page; state: ThreadState }) {
  return (
    <Empty title={NOTHING[state]}>
      {state !== 'hidden' && page.allow_comments && (
        <>
          <p>
            Viewers can select words of the page, or point at a spot, and comment. New comments show
            here by themselves.
          </p>
          <CopyButton text={page.url} label="Copy link" />
        </>
      )}
    </Empty>
  )
}
