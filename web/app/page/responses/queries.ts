import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

const AT_ONCE = 200
const SOON_MS = 10_000
const LATER_MS = 60_000
/** Of how many parts at most all are read again soon. */
const FEW_PARTS = 3

export interface ResponseQuery {
  /** Only responses after this time. */
  since: string | null
  /** The list of objects whose items are rows. */
  split: string | null
}

/** Responses of a page, the newest first, with their summaries. New ones come by themselves. */
export function responsesQuery(id: string, { since, split }: ResponseQuery) {
  return infiniteQueryOptions({
    queryKey: ['responses', id, since, split],
    queryFn: async ({ pageParam: offset }) => {
      const explode = split ?? 'none'
      const range = { limit: AT_ONCE, offset, ...(since && { since }) }
      return (await api.listResponses({ id, explode, ...range })).data
    },
    initialPageParam: 0,
    getNextPageParam: ({ next_offset: next }) => next,
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > FEW_PARTS ? LATER_MS : SOON_MS,
  })
}
