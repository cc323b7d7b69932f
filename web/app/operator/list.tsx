import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { TextField } from '../ui/field.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { Pending } from '../ui/states.tsx'

interface ListProps<T> {
  label: string
  items: T[] | undefined
  query: UseInfiniteQueryResult
  /** What to say where there are none. */
  none: string
  children(item: T): ReactNode
}

/** A list that is read part by part. */
export function List<T extends { id: string }>(props: ListProps<T>) {
  const { label, items, query, none, children } = props
  if (items === undefined) {
    return <Pending error={query.error} onRetry={() => query.refetch()} />
  }
  if (items.length === 0) return <p className="py-8 text-muted">{none}</p>
  return (
    <>
      <ul aria-label={label} className="border-t border-line">
        {items.map((item) => (
          <li key={item.id} className="border-b border-line py-3">
            {children(item)}
          </li>
        ))}
      </ul>
      <ShowMore query={query} label="Show more" className="mt-4" />
    </>
  )
}

interface SearchFieldProps {
  /** Also shown in the empty field. */
  label: string
  search: string
  onSearch(search: string): void
}

/** Searches a list as one types. */
export function SearchField({ label, search, onSearch }: SearchFieldProps) {
  return (
    <TextField
      label={label}
      isLabelHidden
      type="search"
      placeholder={label}
      value={search}
      onChange={({ target }) => onSearch(target.value)}
    />
  )
}

interface Part<T> {
  data: T[]
  next_offset: number | null
}

/** A list with a search, which is read part by part. */
export function usePagesOf<T>(
  name: string,
  read: (input: { search: string; offset: number }) => Promise<Part<T>>,
) {
  const [search, setSearch] = useState('')
  const asked = useDeferredValue(search.trim())
  const query = useInfiniteQuery({
    queryKey: ['operator', name, asked],
    queryFn: ({ pageParam }) => read({ search: asked, offset: pageParam }),
    initialPageParam: 0,
    getNextPageParam: (last) => last.next_offset,
    placeholderData: (before) => before,
  })
  const items = query.data?.pages.flatMap(({ data }) => data)
  return { search, setSearch, query, items }
}
