import { queryOptions } from '@tanstack/react-query'
import type { Output } from '../../../src/client/index.ts'
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
    queryFn: () => api.listVersions({ id, with_use: true }),
  })
}

export type Changes = Output<'readChanges'>['data']

/**
 * How the text of one version differs from another: by default the draft from what is live.
 * @param state what names the content, which is read again when it changes
 */
export function changesQuery(id: string, versions: { from?: number; to?: number }, state: string) {
  return queryOptions({
    queryKey: ['changes', id, versions.from, versions.to, state],
    queryFn: async () => (await api.readChanges({ id, ...versions })).data,
  })
}
