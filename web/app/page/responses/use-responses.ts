import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import type { Page } from '../../boot.ts'
import { type ResponseQuery, responsesQuery } from './queries.ts'
import type { Choice } from './values.ts'

/** The filter, as it stands in the address. */
export function useResponseView() {
  const [params, setParams] = useSearchParams()
  const day = params.get('since')
  const query: ResponseQuery = {
    since: startOf(day),
    split: params.get('split'),
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
    isFiltered: query.text.trim() !== '' || query.choices.length > 0,
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
 * The responses of the view. For the one that the address names, the parts that are not here yet
 * are read, one after another.
 */
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
  return {
    ...result,
    report: parts?.[0],
    open,
    responses,
    rows: parts?.flatMap((part) => part.rows) ?? [],
  }
}
