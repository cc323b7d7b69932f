import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import type { Page } from '../../boot.ts'
import { type ResponseQuery, responsesQuery } from './queries.ts'
import { type Choice, type Filter, isEmptyFilter, matches } from './values.ts'

/** What is asked for, as it stands in the address. */
export function useResponseView() {
  const [params, setParams] = useSearchParams()
  const day = params.get('since')
  const query: ResponseQuery = { since: startOf(day), split: params.get('split') }
  const filter: Filter = {
    text: params.get('text') ?? '',
    choices: params.getAll('where').flatMap(parseChoice),
  }
  function change(name: string, values: readonly string[]): void {
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        next.delete(name)
        for (const value of values) if (value !== '') next.append(name, value)
        return next
      },
      { replace: true },
    )
  }
  return {
    query,
    filter,
    day: day ?? '',
    setDay: (value: string) => change('since', [value]),
    setSplit: (value: string) => change('split', [value]),
    setText: (value: string) => change('text', [value]),
    /** Adds the choice to the filter, or takes it away. */
    toggle(choice: Choice): void {
      const written = writeChoice(choice)
      const chosen = params.getAll('where')
      const others = chosen.filter((each) => each !== written)
      change('where', others.length < chosen.length ? others : [...chosen, written])
    },
    clear: () => setParams(new URLSearchParams(), { replace: true }),
  }
}
export type ResponseView = ReturnType<typeof useResponseView>

/** A day as the browser’s calendar begins it; null for no day. */
function startOf(day: string | null): string | null {
  const date = new Date(`${day}T00:00`)
  return day === null || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

function writeChoice({ key, value }: Choice): string {
  return JSON.stringify([key, value])
}

function parseChoice(text: string): Choice[] {
  try {
    const [key, value] = JSON.parse(text)
    return typeof key === 'string' && typeof value === 'string' ? [{ key, value }] : []
  } catch {
    return []
  }
}

/**
 * The responses of the view. A filter looks at all of them, so with one the parts that are not here
 * yet are read, one after another; so is the response that the address names.
 */
export function useResponses(page: Page, view: ResponseView, openId: string | null) {
  const { query, filter } = view
  const result = useInfiniteQuery(responsesQuery(page.id, query))
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = result
  const parts = data?.pages
  const responses = parts?.flatMap((part) => part.responses) ?? []
  const rows = parts?.flatMap((part) => part.rows) ?? []
  const isFiltered = !isEmptyFilter(filter)
  const open = responses.find(({ id }) => id === openId)
  const needsAll = isFiltered || (openId !== null && open === undefined)
  useEffect(() => {
    if (needsAll && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [needsAll, hasNextPage, isFetching, isError, fetchNextPage])
  return {
    ...result,
    report: parts?.[0],
    open,
    isFiltered,
    /** Whether parts are still being looked through. */
    isSearching: needsAll && hasNextPage && !isError,
    searched: responses.length,
    responses: isFiltered ? responses.filter((each) => matches(each, filter)) : responses,
    rows: isFiltered ? rows.filter((each) => matches(each, filter)) : rows,
  }
}
