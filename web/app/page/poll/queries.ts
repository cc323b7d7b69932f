import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Output } from '../../../../src/client/index.ts'
import { api } from '../../api.ts'

export type Poll = Output<'getPoll'>['data']

/** The results with the voters, the newest first. They are read again by themselves. */
export function pollQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['poll', id],
    queryFn: async ({ pageParam: offset }) => (await api.getPoll({ id, offset })).data,
    initialPageParam: 0,
    getNextPageParam: ({ next_offset: next }) => next,
    refetchInterval: 10_000,
  })
}
