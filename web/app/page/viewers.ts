import { queryOptions } from '@tanstack/preact-query'
import { paginate } from '../../../src/client/index.ts'
import { api, type Output, type Page } from '../api.ts'

export type Viewer = Output<'listViewers'>['data'][number]

/** The viewers whom a gate has confirmed, the latest first. */
export function viewersQuery(id: string) {
  return queryOptions({
    queryKey: ['viewers', id],
    queryFn: async () => {
      const parts = await Array.fromAsync(paginate(api.listViewers, { id, limit: 1000 }))
      return parts.flatMap(({ data }) => data)
    },
    // Thousands are read again when they are opened again.
    refetchInterval: ({ state }) => (state.data && state.data.length > 1000 ? false : 15_000),
  })
}

export function notOpened(page: Page, viewers: readonly Viewer[]): string[] {
  const viewerEmails = new Set(viewers.map(({ email }) => email))
  return page.access === 'people'
    ? page.allowed_emails.filter((email) => !viewerEmails.has(email))
    : []
}
