import { infiniteQueryOptions, queryOptions } from '@tanstack/preact-query'
import { api, type Output, read } from '../api.ts'

const ENTRIES_AT_ONCE = 100
/** How many pages one can choose from: those with the most to answer. */
const PAGES_TO_CHOOSE = 500

/** What viewers did and passes the filter: the newest first. */
export function inboxQuery({ kind, pageId, state, item }: InboxFilter) {
  return infiniteQueryOptions({
    queryKey: ['inbox', 'entries', kind, pageId, state, item],
    queryFn: async ({ pageParam }) => {
      const from = pageParam === null ? {} : { cursor: pageParam }
      const filter = {
        ...(kind && { kind }),
        ...(pageId && { page_id: pageId }),
        ...(item && { item }),
      }
      return (await api.getInbox({ limit: ENTRIES_AT_ONCE, state, ...filter, ...from })).data
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    refetchInterval: 20_000,
  })
}

const listPages = () => api.listInboxPages({ limit: PAGES_TO_CHOOSE })
export const inboxPagesQuery = read(['inbox', 'pages'], listPages)

export const inboxCountQuery = queryOptions({
  queryKey: ['inbox', 'count'],
  queryFn: async () => (await api.getInbox({ limit: 1 })).data.unread,
  refetchInterval: 30_000,
  staleTime: 10_000,
})

export type InboxPart = Output<'getInbox'>['data']
export type Entry = InboxPart['items'][number]
export type InboxState = 'open' | 'unread' | 'done'
export type EntryKind = Entry['kind']
/** Its name, with an s that of its filter; the filter in the address; the tab of its page. */
export const KINDS: Record<EntryKind, { name: string; filter: string; tab: string }> = {
  thread: { name: 'Comment', filter: 'comments', tab: 'comments' },
  request: { name: 'Request', filter: 'requests', tab: 'share' },
  decision: { name: 'Decision', filter: 'decisions', tab: 'approvals' },
  response: { name: 'Response', filter: 'responses', tab: 'responses' },
  agreement: { name: 'Agreement', filter: 'agreements', tab: 'share' },
  opening: { name: 'First opening', filter: 'openings', tab: 'people' },
}
export type AccessRequest = Extract<Entry, { kind: 'request' }>['request']
export type ShortResponse = Extract<Entry, { kind: 'response' }>['response']
export type Acceptance = Extract<Entry, { kind: 'agreement' }>['agreement']
/** An approver's newest decision. */
export type Decision = Extract<Entry, { kind: 'decision' }>['decision']

/** What of the inbox is shown; null for all. */
export interface InboxFilter {
  kind: EntryKind | null
  pageId: string | null
  state: InboxState
  /** One entry alone, to which a mail leads. */
  item: string | null
}
