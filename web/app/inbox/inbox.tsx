import { useInfiniteQuery } from '@tanstack/preact-query'
import { ArrowLeft, Bot } from 'lucide-preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/compat'
import { Link } from 'wouter-preact'
import { useKeys } from '../frame/keys.ts'
import { Screen } from '../frame/screen.tsx'
import { copyForAgent } from '../threads/copy-for-agent.ts'
import { Button, QuietButton } from '../ui/button.tsx'
import { TextLink } from '../ui/link.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { Empty, Pending } from '../ui/states.tsx'
import { useSearchParam, Views } from '../ui/tab-links.tsx'
import { InboxEntry } from './entry.tsx'
import { KindFilter, PageFilter } from './filters.tsx'
import { setRead } from './marks.ts'
import { PagePane } from './page-pane.tsx'
import {
  type Entry,
  type EntryKind,
  type InboxFilter,
  type InboxState,
  inboxQuery,
  KINDS,
} from './queries.ts'

const STATES = [
  { value: '', name: 'All' },
  { value: 'unread', name: 'Unread' },
  { value: 'done', name: 'Done' },
]

/** What viewers did on all pages, newest first, beside the page that it is about. */
export default function InboxScreen() {
  const filter = useInboxFilter()
  const [last, setLast] = useLast(filter)
  const { entries, query } = useEntries(filter, last)
  const { error, refetch } = query
  const selection = useSelection(entries ?? [], [last, setLast])
  const [isShown, setShown] = useState(false)
  const { current } = selection
  // biome-ignore lint/correctness/useExhaustiveDependencies: as they change places
  useLayoutEffect(() => (isShown ? scrollTo(0, 0) : selection.scrollToActive()), [isShown])
  return (
    <Screen title="Inbox">
      <div className="grid gap-x-8 min-[62.5rem]:grid-cols-[minmax(0,28rem)_minmax(0,1fr)]">
        <div
          className={`grid max-w-2xl grid-cols-1 content-start gap-4 ${isShown ? 'max-[62.4375rem]:hidden' : ''}`}
        >
          {filter.item === null ? (
            <Toolbar filter={filter} entries={entries ?? []} current={current?.page.id} />
          ) : (
            <Link href="/inbox" className="link justify-self-start">
              Show the whole inbox
            </Link>
          )}
          {entries === undefined && <Pending error={error} onRetry={refetch} rows={5} />}
          {entries && entries.length > 0 && (
            <ol ref={selection.list} aria-label="Waiting">
              {entries.map((entry) => (
                <li
                  key={entry.id}
                  tabIndex={-1}
                  aria-current={entry === selection.active ? 'true' : undefined}
                  // It gets the focus, too, where the one before it is done: that chooses nothing.
                  onFocusCapture={({ target, currentTarget: item }) =>
                    (target !== item || item.matches(':active')) && selection.enter(entry.id)
                  }
                  className={`group relative scroll-my-20 border-t border-line py-5 first:border-0 first:pt-2 before:absolute before:inset-y-4 before:-left-3 before:w-0.5 aria-[current]:before:bg-accent ${entry === current ? 'min-[62.5rem]:before:bg-accent' : ''}`}
                >
                  <InboxEntry
                    entry={entry}
                    onShow={() => {
                      selection.enter(entry.id)
                      setShown(true)
                    }}
                  />
                </li>
              ))}
            </ol>
          )}
          {entries?.length === 0 && <Nothing filter={filter} />}
          <ShowMore query={query} />
        </div>
        {current && (
          <div className={`min-[62.5rem]:-mt-14 ${isShown ? '' : 'max-[62.4375rem]:hidden'}`}>
            <QuietButton
              icon={ArrowLeft}
              className="mb-3 -ml-3 min-[62.5rem]:hidden"
              onClick={() => setShown(false)}
            >
              Back
            </QuietButton>
            <PagePane entry={current} />
          </div>
        )}
      </div>
    </Screen>
  )
}

const NOTHING: Record<InboxState, string> = {
  open: 'Nothing waits for you here',
  unread: 'Nothing is unread here',
  done: 'Nothing is done here',
}

function Nothing({ filter: { kind, pageId, state, item } }: { filter: InboxFilter }) {
  if (item !== null) {
    return (
      <Empty title="It is no longer there">
        <p>It was deleted or hidden, or it is about a page that is gone.</p>
      </Empty>
    )
  }
  // With a filter, something else may wait.
  if (kind !== null || pageId !== null || state !== 'open') {
    return (
      <Empty title={NOTHING[state]}>
        <TextLink href="/inbox">Show the whole inbox</TextLink>
      </Empty>
    )
  }
  return (
    <Empty title="Nothing waits for you">
      <p>
        Comments, responses, requests to open a page and decisions of approvers come here, from all
        pages. Turn comments on under Share of a page.
      </p>
    </Empty>
  )
}

/** What is shown, as it stands in the address. */
function useInboxFilter(): InboxFilter {
  const [show] = useSearchParam('show')
  const [view] = useSearchParam('state')
  const [page] = useSearchParam('page')
  const [item] = useSearchParam('item')
  const kinds = Object.keys(KINDS) as EntryKind[]
  const kind = kinds.find((each) => KINDS[each].filter === show) ?? null
  const state: InboxState = view === 'unread' || view === 'done' ? view : 'open'
  return { kind, pageId: page || null, state, item: item || null }
}

interface ToolbarProps {
  filter: InboxFilter
  entries: readonly Entry[]
  /** The page of the entry that is shown. */
  current: string | undefined
}

/** Chooses what is shown; threads of one page can be copied for an agent together. */
function Toolbar({ filter: { pageId, kind }, entries, current }: ToolbarProps) {
  const threads = entries.flatMap((entry) => (entry.kind === 'thread' ? [entry.thread] : []))
  const page = pageId === null ? undefined : entries[0]?.page
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Views label="Inbox" param="state" views={STATES} />
      <KindFilter kind={kind} />
      <PageFilter pageId={pageId} current={current} />
      {page !== undefined && threads.length > 1 && (
        <Button icon={<Bot size={16} aria-hidden />} onClick={() => copyForAgent(page, threads)}>
          Copy all for an agent
        </Button>
      )}
    </div>
  )
}

/** The entry that was chosen last, and its place in the list. */
interface Last {
  id: string
  at: number
  /** As it was in the list. Absent of one to which a mail leads. */
  entry?: Entry | undefined
}
type LastState = [Last | null, (last: Last) => void]

/** Another list has no chosen entry yet. */
function useLast(filter: InboxFilter): LastState {
  const { item } = filter
  const of = JSON.stringify(filter)
  const first: Last | null = item === null ? null : { id: item, at: 0 }
  const [state, setState] = useState({ of, last: first })
  return [state.of === of ? state.last : null, (last) => setState({ of, last })]
}

/** Of the unread, the one that was chosen, and so read, stays: its owner is at work on it. */
function useEntries(filter: InboxFilter, last: Last | null) {
  const query = useInfiniteQuery(inboxQuery(filter))
  const { data: entries } = query
  const item = filter.state === 'unread' && filter.item === null ? (last?.id ?? null) : null
  const alone = useInfiniteQuery({ ...inboxQuery({ ...filter, item }), enabled: item !== null })
  const entry = item === null ? undefined : alone.data ? alone.data[0] : last?.entry
  const isGone = entry === undefined || entry.is_done || entries?.some(({ id }) => id === item)
  return { query, entries: isGone ? entries : entries?.toSpliced(last!.at, 0, entry) }
}

/**
 * One entry of a list is chosen by `j` and `k`, and so is read; `e` and `r` press its buttons with
 * these keys, and `u` makes it unread again.
 */
function useSelection(entries: readonly Entry[], [last, setLast]: LastState) {
  const list = useRef<HTMLOListElement>(null)
  const at = last === null ? -1 : entries.findIndex(({ id }) => id === last.id)
  const active = entries[at]
  // What is done leaves the list, and what is then in its place is shown.
  const shownAt = at >= 0 ? at : Math.max(0, Math.min(last?.at ?? 0, entries.length - 1))

  // Only when it is chosen: what the owner makes unread afterwards stays so.
  const lastRead = useRef<string | null>(null)
  useEffect(() => {
    if (active === undefined || lastRead.current === active.id) return
    lastRead.current = active.id
    if (!active.is_read) setRead(active, true)
  }, [active])

  function elementAt(index: number): HTMLElement | undefined {
    return list.current?.children[index] as HTMLElement | undefined
  }
  function choose(index: number): void {
    const entry = entries[index]
    if (entry === undefined) return
    setLast({ id: entry.id, at: index, entry })
    const element = elementAt(index)
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'nearest' })
  }
  function step(by: number): void {
    // If the selected entry is gone, the entry now in its place is selected.
    const from = at >= 0 ? at : last === null ? -1 : last.at - (by > 0 ? 1 : 0)
    choose(Math.min(Math.max(from + by, 0), entries.length - 1))
  }
  function press(key: string): void {
    elementAt(shownAt)?.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`)?.click()
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    e: () => press('e'),
    r: () => press('r'),
    u: () => active && setRead(active, false),
  })
  return {
    list,
    active,
    /** What the pane shows. */
    current: entries[shownAt],
    scrollToActive: () => elementAt(at)?.scrollIntoView({ block: 'nearest' }),
    /** Something in the entry was focused or pressed. */
    enter(id: string): void {
      const at = entries.findIndex((entry) => entry.id === id)
      setLast({ id, at, entry: entries[at] })
    },
  }
}
