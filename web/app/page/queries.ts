import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'

/** A page with its settings. Views and counts change by themselves, so it is read again. */
export function pageQuery(id: string) {
  return queryOptions({
    queryKey: ['page', id],
    queryFn: async () => (await api.getPage({ id })).data,
    refetchInterval: 15_000,
  })
}

/** The versions of a page, newest first, with the numbers of the draft and of what is live. */
export function versionsQuery(id: string) {
  return queryOptions({
    queryKey: ['versions', id],
    queryFn: () => api.listVersions({ id }),
  })
}
