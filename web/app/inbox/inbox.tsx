import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Screen } from '../frame/screen.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { Empty, Pending } from '../ui/states.tsx'
import { useArrivals } from '../ui/use-arrivals.ts'
import { InboxEntry } from './entry.tsx'
import type { Entry } from './model.ts'
import { inboxQuery } from './queries.ts'
import { Toolbar, useInboxFilter } from './toolbar.tsx'
import { useSelection } from './use-selection.ts'

/** What waits for the owner, over all pages, newest first. */
export default function InboxScreen() {
  const filter = useInboxFilter()
  const query = useInfiniteQuery(inboxQuery(filter))
  const { data: entries, error, refetch } = query
  const isNew = useArrivals('inbox', entries && (entries[0]?.at ?? ''))
  const isFiltered = filter.kind !== null || filter.pageId !== null
  return (
    <Screen title="Inbox">
      <div className="grid max-w-2xl grid-cols-1 gap-4">
        <Toolbar filter={filter} shown={entries ?? []} />
        {entries === undefined && <Pending error={error} onRetry={refetch} rows={5} />}
        {entries && entries.length > 0 && <Entries entries={entries} isNew={isNew} />}
        {entries?.length === 0 && (isFiltered ? <NothingFound /> : <NothingWaits />)}
        <ShowMore query={query} />
      </div>
    </Screen>
  )
}

interface EntriesProps {
  entries: readonly Entry[]
  isNew(at: string): boolean
}

function Entries({ entries, isNew }: EntriesProps) {
  const { list, isChosen, enter } = useSelection(entries.map(({ id }) => id))
  return (
    <ol ref={list} aria-label="Waiting">
      {entries.map((entry) => (
        <li
          key={entry.id}
          tabIndex={-1}
          aria-current={isChosen(entry.id) ? 'true' : undefined}
          onFocus={() => enter(entry.id)}
          className="scroll-my-20 border-t border-line py-6 outline-none first:border-0 first:pt-2 aria-[current]:shadow-[-12px_0_0_-10px_var(--accent)]"
        >
          <InboxEntry entry={entry} isNew={isNew(entry.at)} />
        </li>
      ))}
    </ol>
  )
}

function NothingWaits() {
  return (
    <Empty title="Nothing waits for you">
      <p>
        Comments, requests to open a page and decisions of approvers come here, from all pages. Turn
        comments on under Share of a page.
      </p>
    </Empty>
  )
}

/** With a filter: something else may wait. */
function NothingFound() {
  return (
    <Empty title="Nothing waits for you here">
      <Link href="/inbox" className="link">
        Show the whole inbox
      </Link>
    </Empty>
  )
}
