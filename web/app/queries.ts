import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/preact-query'
import { queryClient } from './api.ts'

/** A query of one operation: the data of its answer. @param refetchInterval in milliseconds */
export function read<T>(
  queryKey: QueryKey,
  call: () => Promise<{ data: T }>,
  refetchInterval: number | false = false,
) {
  return queryOptions({ queryKey, queryFn: async () => (await call()).data, refetchInterval })
}

/** A query of a list that is read part by part. @param call reads the part from an offset on */
export function readParts<T extends { next_offset: number | null }>(
  queryKey: QueryKey,
  call: (offset: number) => Promise<T>,
  refetchInterval: number | false = false,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: offset }) => call(offset),
    initialPageParam: 0,
    getNextPageParam: (part) => part.next_offset,
    refetchInterval,
  })
}

/**
 * Reads again what a write has changed. A first read that is still on its way is given up, too: it
 * may have begun before the write.
 */
export async function readAgain(keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(
    keys.map(async (queryKey) => {
      await queryClient.cancelQueries({ queryKey })
      await queryClient.invalidateQueries({ queryKey })
    }),
  )
}
