import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { type Choice, whereOf } from './values.ts'

const AT_ONCE = 200
const SOON_MS = 10_000
const LATER_MS = 60_000
/** Up to this many parts of the list, all are refetched regularly. */
const FEW_PARTS = 3

export interface ResponseQuery {
  /** Only responses after this time. */
  since: string | null
  /** The list of objects whose items are rows. */
  split: string | null
  /** Words in any answer. */
  text: string
  /** Values chosen in summaries. */
  choices: readonly Choice[]
}

/** The filter as parameters of the operation and of the download. */
export function parametersOf({ since, split, text, choices }: ResponseQuery) {
  const search = text.trim()
  return {
    explode: split ?? 'none',
    ...(since && { since }),
    ...(search !== '' && { search }),
    ...(choices.length > 0 && { where: whereOf(choices) }),
  }
}

/** Responses of a page, the newest first, with their summaries. New ones come by themselves. */
export function responsesQuery(id: string, query: ResponseQuery) {
  const parameters = parametersOf(query)
  return infiniteQueryOptions({
    queryKey: ['responses', id, parameters],
    queryFn: async ({ pageParam: offset }) => {
      return (await api.listResponses({ id, ...parameters, limit: AT_ONCE, offset })).data
    },
    placeholderData: keepPreviousData,
    initialPageParam: 0,
    getNextPageParam: ({ next_offset: next }) => next,
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > FEW_PARTS ? LATER_MS : SOON_MS,
  })
}
