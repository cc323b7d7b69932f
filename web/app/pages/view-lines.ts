import { useQuery } from '@tanstack/react-query'
import { dayOf, readersZone } from '../analytics/ranges.ts'
import { api } from '../api.ts'

export const LINE_DAYS = 14
const DAY_MS = 24 * 60 * 60 * 1000
const REFRESH_MS = 60_000

/** The views of each page by day, for two weeks; none of pages that were not viewed. */
export function useViewLines(): ReadonlyMap<string, number[]> {
  const { data } = useQuery({
    queryKey: ['analytics', 'lines'],
    queryFn: async () => {
      const tz = readersZone()
      const from = dayOf(new Date(Date.now() - (LINE_DAYS - 1) * DAY_MS), tz)
      const days = { from, tz, interval: 'day', only: 'views', group: 'page' } as const
      const { pages = [] } = (await api.getAccountAnalytics(days)).data
      return pages.map(({ page_id: id, series }) => [id, series] as const)
    },
    refetchInterval: REFRESH_MS,
  })
  return new Map(data)
}
