import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import type { ListedPage } from '../boot.ts'
import { decisionEntries, type Entry, newestFirst, requestEntries, threadEntry } from './model.ts'

const PAGES_AT_ONCE = 200
const THREADS_OF_A_PAGE = 50
/** How many pages are asked at the same time. */
const REQUESTS_AT_ONCE = 6

/** All that waits for the owner, over all pages, and what was decided: the newest first. */
export const inboxQuery = queryOptions({
  queryKey: ['inbox', 'entries'],
  queryFn: readInbox,
  refetchInterval: 20_000,
})

async function readPages(): Promise<ListedPage[]> {
  return (await api.listPages({ limit: PAGES_AT_ONCE })).data
}

async function readInbox(): Promise<Entry[]> {
  const parts = (await readPages()).flatMap(partsOf)
  const entries: Entry[] = []
  for (let at = 0; at < parts.length; at += REQUESTS_AT_ONCE) {
    const read = parts.slice(at, at + REQUESTS_AT_ONCE).map((part) => part())
    entries.push(...(await Promise.all(read)).flat())
  }
  return newestFirst(entries)
}

/** What to ask of a page: only what it has. */
function partsOf(page: ListedPage): (() => Promise<Entry[]>)[] {
  const { id } = page
  const parts = []
  if (page.open_comments > 0) {
    parts.push(async () => {
      const range = { state: 'open', order: 'newest', limit: THREADS_OF_A_PAGE } as const
      const { data } = await api.listComments({ id, ...range })
      return data.map((thread) => threadEntry(page, thread))
    })
  }
  if (page.access === 'people' && page.allow_access_requests) {
    parts.push(async () => requestEntries(page, (await api.listAccessRequests({ id })).data))
  }
  if (page.collect_approvals) {
    parts.push(async () => decisionEntries(page, (await api.getApprovals({ id })).data.approvers))
  }
  return parts
}
