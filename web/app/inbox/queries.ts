import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'

const ENTRIES_AT_ONCE = 100

/** All that waits for the owner, over all pages, and what was decided: the newest first. */
export const inboxQuery = infiniteQueryOptions({
  queryKey: ['inbox', 'entries'],
  queryFn: async ({ pageParam }) => {
    const from = pageParam === null ? {} : { cursor: pageParam }
    return (await api.getInbox({ limit: ENTRIES_AT_ONCE, ...from })).data
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_cursor: next }) => next,
  select: ({ pages }) => pages.flatMap(({ items }) => items),
  refetchInterval: 20_000,
})

/** How many threads and requests wait. Decisions wait for nobody. */
export const inboxCountQuery = queryOptions({
  queryKey: ['inbox', 'count'],
  queryFn: async () => {
    const { counts } = (await api.getInbox({ limit: 1 })).data
    return counts.threads + counts.requests
  },
  refetchInterval: 30_000,
  staleTime: 10_000,
})
