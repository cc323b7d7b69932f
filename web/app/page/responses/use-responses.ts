import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/compat'
import { useSearchParams } from 'wouter-preact'
import { parseJson } from '../../../../src/model/parse-json.ts'
import { api, type Page } from '../../api.ts'
import { withParam } from '../../ui/tab-links.tsx'
import { fromField } from '../share/dates.ts'
import { type Choice, whereOf } from './values.ts'

/** The filter, as it stands in the address. */
export function useResponseView() {
  const [params, setParams] = useSearchParams()
  const day = params.get('since')
  const query: ResponseQuery = {
    since: fromField(`${day}T00:00`),
    split: params.get('split'),
    text: params.get('text') ?? '',
    choices: params.getAll('where').flatMap(parseChoice),
  }
  const change = (name: string, ...values: string[]) =>
    setParams((before) => withParam(before, name, ...values), { replace: true })
  return {
    query,
    isFiltered: query.text.trim() !== '' || query.choices.length > 0,
    day: day ?? '',
    setDay: (value: string) => change('since', value),
    setSplit: (value: string) => change('split', value),
    setText: (value: string) => change('text', value),
    toggle(choice: Choice): void {
      const text = JSON.stringify([choice.key, choice.value])
      const all = params.getAll('where')
      const others = all.filter((each) => each !== text)
      change('where', ...others, ...(all.includes(text) ? [] : [text]))
    },
    clear: () => setParams(new URLSearchParams(), { replace: true }),
  }
}
export type ResponseView = ReturnType<typeof useResponseView>

function parseChoice(text: string): Choice[] {
  const pair = parseJson(text)
  const [key, value] = Array.isArray(pair) ? pair : []
  return typeof key === 'string' && typeof value === 'string' ? [{ key, value }] : []
}

/** The responses of the view, up to the one that the address names. */
export function useResponses(page: Page, { query }: ResponseView, openId: string | null) {
  const result = useInfiniteQuery(responsesQuery(page.id, query))
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = result
  const parts = data?.pages
  const responses = parts?.flatMap((part) => part.responses) ?? []
  const open = responses.find(({ id }) => id === openId)
  const needsAll = openId !== null && open === undefined
  useEffect(() => {
    if (needsAll && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [needsAll, hasNextPage, isFetching, isError, fetchNextPage])
  const rows = parts?.flatMap((part) => part.rows) ?? []
  return { ...result, report: parts?.[0], open, responses, rows }
}

const AT_ONCE = 200
const SOON_MS = 10_000
const LATER_MS = 60_000
/** Up to this many parts of the list, all are refetched regularly. */
const FEW_PARTS = 3

export interface ResponseQuery {
  /** Only responses after this time. */
  since: string | null
  split: string | null
  text: string
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
function responsesQuery(id: string, query: ResponseQuery) {
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
