import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'

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
