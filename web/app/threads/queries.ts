import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Input } from '../../../src/client/index.ts'
import { api } from '../api.ts'

export type ThreadState = NonNullable<Input<'listComments'>['state']>

const AT_ONCE = 100

/** Threads of a page, the newest first. New ones come by themselves. */
export function threadsQuery(pageId: string, state: ThreadState) {
  return infiniteQueryOptions({
    queryKey: ['threads', pageId, state],
    queryFn: ({ pageParam: offset }) =>
      api.listComments({ id: pageId, state, order: 'newest', limit: AT_ONCE, offset }),
    initialPageParam: 0,
    getNextPageParam: ({ next_offset: next }) => next,
    refetchInterval: 10_000,
  })
}
