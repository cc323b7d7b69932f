import { useInfiniteQuery, useQuery } from '@tanstack/preact-query'
import { Bot } from 'lucide-preact'
import { useRef, useState } from 'preact/compat'
import { Link, useSearchParams } from 'wouter-preact'
import { api } from '../api.ts'
import { useKeys } from '../frame/keys.ts'
import { Screen } from '../frame/screen.tsx'
import { decisionWords } from '../page/approvals/standing.ts'
import { nameOf } from '../page/words.ts'
import { copyForAgent } from '../threads/agent-prompt.ts'
import { Thread } from '../threads/thread.tsx'
import { NewMark, useArrivals } from '../ui/arrivals.tsx'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { Empty, Pending } from '../ui/states.tsx'
import { useView, Views } from '../ui/tab-links.tsx'
import { Time } from '../ui/time.tsx'
import { Words } from '../ui/words.tsx'
import { useAction } from '../use-action.ts'
import {
  type AccessRequest,
  type Decision,
  type Entry,
  type EntryKind,
  type InboxFilter,
  inboxPagesQuery,
  inboxQuery,
  type ShortResponse,
} from './queries.ts'

const TABS = {
  thread: 'comments',
  request: 'share',
  decision: 'approvals',
  response: 'responses',
}
const KINDS = {
  thread: 'Comment',
  request: 'Access request',
  decision: 'Decision',
  response: 'Response',
}

const VIEWS = [
  { value: '', name: 'All' },
  { value: 'comments', name: 'Comments' },
  { value: 'requests', name: 'Requests' },
  { value: 'decisions', name: 'Decisions' },
  { value: 'responses', name: 'Responses' },
]
const KIND_OF: Record<string, EntryKind> = {
  comments: 'thread',
  requests: 'request',
  decisions: 'decision',
  responses: 'response',
}

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

/** One thing that waits, or that was decided. */
function InboxEntry({ entry, isNew }: { entry: Entry; isNew: boolean }) {
  const above = <Origin entry={entry} isNew={isNew} />
  if (entry.kind === 'thread') {
    return <Thread page={entry.page} thread={entry.thread} above={above} />
  }
  return (
    <div className="grid grid-cols-1 gap-2">
      {above}
      {entry.kind === 'request' && <RequestEntry pageId={entry.page.id} request={entry.request} />}
      {entry.kind === 'decision' && <DecisionEntry decision={entry.decision} />}
      {entry.kind === 'response' && <ResponseEntry response={entry.response} />}
    </div>
  )
}

/** Where it comes from. */
function Origin({ entry: { kind, page, at }, isNew }: { entry: Entry; isNew: boolean }) {
  return (
    <p className="flex min-w-0 items-baseline gap-2 text-13 text-muted">
      <span className="shrink-0">{KINDS[kind]}</span>
      <span aria-hidden>·</span>
      <Link
        href={`/pages/${page.id}/${TABS[kind]}`}
        dir="auto"
        className="min-w-0 truncate hover:text-ink hover:underline"
      >
        {nameOf(page)}
      </Link>
      {isNew && <NewMark />}
      {kind !== 'thread' && (
        <span className="ml-auto shrink-0">
          <Time at={at} />
        </span>
      )}
    </p>
  )
}

/** Somebody who asks to open a page, to be let in or not. */
function RequestEntry({ pageId, request }: { pageId: string; request: AccessRequest }) {
  const { id, email } = request
  const { mutate, variables, isPending, isSuccess } = useAction(
    (decision: 'approve' | 'deny') =>
      api.decideAccessRequest({ id: pageId, request_id: id, decision }),
    {
      said: (_, decision) =>
        decision === 'approve'
          ? `${email} can open the page and gets a mail`
          : `${email} stays out`,
      refresh: [['inbox'], ['page', pageId], ['access-requests', pageId]],
    },
  )
  if (isPending || isSuccess) {
    return (
      <p className="break-words text-muted">
        {email}: {variables === 'approve' ? 'approved' : 'denied'}
      </p>
    )
  }
  return (
    <>
      <p className="break-words">
        Somebody who gave <span className="font-medium">{email}</span> asks to open it
      </p>
      <div className="flex gap-2">
        <Button onClick={() => mutate('approve')}>Approve</Button>
        <Button look="quiet" onClick={() => mutate('deny')}>
          Deny
        </Button>
      </div>
    </>
  )
}

function DecisionEntry({ decision: made }: { decision: Decision }) {
  const { email, decision, note, version_no: versionNo, is_current: isCurrent } = made
  return (
    <>
      <p className="break-words">
        <span className="font-medium">{email}</span>{' '}
        {decisionWords(decision, versionNo).replace(/^\w/, (first) => first.toLowerCase())}
        {!isCurrent && <span className="text-muted"> · another version is live now</span>}
      </p>
      {note && <Words text={note} className="border-l-2 border-line pl-3" />}
    </>
  )
}

function ResponseEntry({ response: { respondent, name, fields } }: { response: ShortResponse }) {
  return (
    <>
      <p className="break-words">
        <span className="font-medium">{name ?? respondent}</span> responded
      </p>
      {fields === null && <p className="text-muted">It is long: open it among the responses.</p>}
      <dl className="grid grid-cols-1 gap-1">
        {fields?.map(({ key, text }) => (
          <div key={key} className="flex min-w-0 gap-2">
            <dt className="shrink-0 text-muted">{key}</dt>
            <dd dir="auto" className="min-w-0 break-words">
              {text}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** What is shown, as it stands in the address. */
function useInboxFilter(): InboxFilter {
  const kind = KIND_OF[useView('show')] ?? null
  return { kind, pageId: useView('page') || null }
}

interface ToolbarProps {
  filter: InboxFilter
  shown: readonly Entry[]
}

/** Chooses what is shown; threads of one page can be copied for an agent together. */
function Toolbar({ filter: { pageId }, shown }: ToolbarProps) {
  const threads = shown.flatMap((entry) => (entry.kind === 'thread' ? [entry.thread] : []))
  const page = pageId === null ? undefined : shown[0]?.page
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <Views label="Inbox" param="show" views={VIEWS} />
      <div className="flex flex-wrap items-center gap-2">
        {page !== undefined && threads.length > 1 && (
          <Button icon={<Bot size={16} aria-hidden />} onClick={() => copyForAgent(page, threads)}>
            Copy all for an agent
          </Button>
        )}
        <PageChoice pageId={pageId} />
      </div>
    </div>
  )
}

function PageChoice({ pageId }: Pick<InboxFilter, 'pageId'>) {
  const { data: pages = [] } = useQuery(inboxPagesQuery)
  const [, setParams] = useSearchParams()
  if (pages.length < 2 && pageId === null) return null
  const isListed = pages.some(({ id }) => id === pageId)
  return (
    <div className="w-48">
      <Select
        label="Page"
        isLabelHidden
        value={pageId ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setParams((before) => {
            const next = new URLSearchParams(before)
            if (value === '') next.delete('page')
            else next.set('page', value)
            return next
          })
        }
      >
        <option value="">All pages</option>
        {pages.map((page) => (
          <option key={page.id} value={page.id}>
            {nameOf(page)} ({page.items})
          </option>
        ))}
        {pageId !== null && !isListed && <option value={pageId}>This page</option>}
      </Select>
    </div>
  )
}

/** One entry of a list is chosen by `j` and `k`; `e` and `r` press its buttons with these keys. */
function useSelection(ids: readonly string[]) {
  const list = useRef<HTMLOListElement>(null)
  const [chosen, setChosen] = useState<{ id: string; at: number } | null>(null)
  const at = chosen === null ? -1 : ids.indexOf(chosen.id)

  function elementAt(index: number): HTMLElement | undefined {
    return list.current?.children[index] as HTMLElement | undefined
  }
  function choose(index: number): void {
    const id = ids[index]
    if (id === undefined) return
    setChosen({ id, at: index })
    const element = elementAt(index)
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'nearest' })
  }
  function step(by: number): void {
    // If the selected entry is gone, the entry now in its place is selected.
    const from = at >= 0 ? at : chosen === null ? -1 : chosen.at - (by > 0 ? 1 : 0)
    choose(Math.min(Math.max(from + by, 0), ids.length - 1))
  }
  function press(key: string): void {
    elementAt(at)?.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`)?.click()
  }
  useKeys({ j: () => step(1), k: () => step(-1), e: () => press('e'), r: () => press('r') })
  return {
    list,
    isChosen: (id: string) => id === chosen?.id,
    /** Something in the entry was focused or pressed. */
    enter: (id: string) => setChosen({ id, at: ids.indexOf(id) }),
  }
}
