import { keepPreviousData, useInfiniteQuery } from '@tanstack/preact-query'
import { useEffect, useEffectEvent, useRef } from 'preact/compat'
import { useBoot } from '../account.ts'
import { api } from '../api.ts'
import { FIRST_PAGES } from '../boot.ts'
import { type Filters, queryOf } from './filters.ts'

/** Counts of views, responses and comments change by themselves. */
const REFRESH_MS = 10_000
/** How many pages each further part of the list has. */
const MORE = 100

/** The pages that match, as far as the list has been read. The next part is read at its end. */
export function useList(filters: Filters) {
  const { pages: first } = useBoot()
  const query = useInfiniteQuery({
    queryKey: ['pages', 'list', filters],
    queryFn: ({ pageParam: offset, signal }) =>
      api.listPages({ ...filters, limit: offset === 0 ? FIRST_PAGES : MORE, offset }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next_offset: next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    ...(first !== null &&
      queryOf(filters) === '' && {
        initialData: { pages: [first], pageParams: [0] },
        initialDataUpdatedAt: performance.timeOrigin,
      }),
  })
  const pages = query.data?.pages.flatMap(({ data }) => data) ?? []
  // A page that moved up while the next part was read is in both parts.
  return { ...query, pages: [...new Map(pages.map((page) => [page.id, page])).values()] }
}
export type PagesList = ReturnType<typeof useList>

/** Calls `load` when the element comes near the window. */
export function useNear(load: () => void) {
  const element = useRef<HTMLDivElement>(null)
  const near = useEffectEvent(load)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && near(), {
      rootMargin: '600px',
    })
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [])
  return element
}
