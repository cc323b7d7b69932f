import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'
import { queryOf, type Range, readersZone } from './ranges.ts'

const REFRESH_MS = 30_000

function inputOf(range: Range, isWhole: boolean) {
  const asked = queryOf(range, { now: Date.now(), tz: readersZone() })
  return isWhole ? asked : { ...asked, only: 'views' as const }
}

/** A page's report. The free plan includes views alone. */
export function pageReport(id: string, range: Range, isWhole: boolean) {
  return queryOptions({
    queryKey: ['analytics', id, range, isWhole],
    queryFn: async () => (await api.getAnalytics({ id, ...inputOf(range, isWhole) })).data,
    refetchInterval: REFRESH_MS,
  })
}

/** The report of all pages together, with the views of each for spans of at most 90 days. */
export function accountReport(range: Range, isWhole: boolean) {
  const group = range === 'all' ? {} : { group: 'page' as const }
  return queryOptions({
    queryKey: ['analytics', 'account', range, isWhole],
    queryFn: async () =>
      (await api.getAccountAnalytics({ ...inputOf(range, isWhole), ...group })).data,
    refetchInterval: REFRESH_MS,
  })
}
