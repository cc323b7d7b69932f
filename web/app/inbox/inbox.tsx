import { useInfiniteQuery } from '@tanstack/react-query'
import { Bot } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { Screen } from '../frame/screen.tsx'
import { nameOf } from '../page/words.ts'
import { copyForAgent } from '../threads/copy-for-agent.ts'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { Empty, Pending } from '../ui/states.tsx'
import { useArrivals } from '../ui/use-arrivals.ts'
import { useView, Views } from '../ui/views.tsx'
import { InboxEntry } from './entry.tsx'
import type { Entry, EntryKind } from './model.ts'
import { inboxQuery } from './queries.ts'
import { useSelection } from './use-selection.ts'

const VIEWS = [
  { value: '', name: 'All' },
  { value: 'comments', name: 'Comments' },
  { value: 'requests', name: 'Requests' },
  { value: 'decisions', name: 'Decisions' },
]
const KIND_OF: Record<string, EntryKind> = {
  comments: 'thread',
  requests: 'request',
  decisions: 'decision',
}

/** What waits for the owner, over all pages, newest first. */
export default function InboxScreen() {
  const query = useInfiniteQuery(inboxQuery)
  const { data, error, refetch } = query
  const kind = KIND_OF[useView('show')]
  const [params] = useSearchParams()
  const pageId = params.get('page')
  const isNew = useArrivals('inbox', data && (data[0]?.at ?? ''))
  const entries = (data ?? []).filter(
    (entry) =>
      (kind === undefined || entry.kind === kind) && (pageId === null || entry.page.id === pageId),
  )
  return (
    <Screen title="Inbox">
      {data === undefined && <Pending error={error} onRetry={refetch} rows={5} />}
      {data && (
        <div className="grid max-w-2xl grid-cols-1 gap-4">
          <Toolbar entries={data} shown={entries} pageId={pageId} />
          {entries.length > 0 && <Entries entries={entries} isNew={isNew} />}
          {entries.length === 0 && !query.hasNextPage && <NothingWaits />}
          <ShowMore query={query} />
        </div>
      )}
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

interface ToolbarProps {
  entries: readonly Entry[]
  shown: readonly Entry[]
  pageId: string | null
}

/** What is shown; threads of one page can be copied for an agent together. */
function Toolbar({ entries, shown, pageId }: ToolbarProps) {
  const [, setParams] = useSearchParams()
  const pages = new Map(entries.map(({ page }) => [page.id, page]))
  const page = pageId === null ? undefined : pages.get(pageId)
  const threads = shown.flatMap((entry) => (entry.kind === 'thread' ? [entry.thread] : []))
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <Views label="Inbox" param="show" views={VIEWS} />
      <div className="flex flex-wrap items-center gap-2">
        {page !== undefined && threads.length > 1 && (
          <Button icon={<Bot size={16} aria-hidden />} onClick={() => copyForAgent(page, threads)}>
            Copy all for an agent
          </Button>
        )}
        {(pages.size > 1 || pageId !== null) && (
          <div className="w-48">
            <Select
              label="Page"
              isLabelHidden
              value={pageId ?? ''}
              onChange={(event) => {
                const { value } = event.target
                setParams((before) => {
                  const next = new URLSearchParams(before)
                  if (value === '') next.delete('page')
                  else next.set('page', value)
                  return next
                })
              }}
            >
              <option value="">All pages</option>
              {[...pages.values()].map((each) => (
                <option key={each.id} value={each.id}>
                  {nameOf(each)}
                </option>
              ))}
              {pageId !== null && page === undefined && <option value={pageId}>This page</option>}
            </Select>
          </div>
        )}
      </div>
    </div>
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
