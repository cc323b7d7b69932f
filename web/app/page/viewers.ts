import type { Output } from '../../../src/client/index.ts'
import { api } from '../api.ts'
import type { Page } from '../boot.ts'
import { read } from '../queries.ts'

export type Viewer = Output<'listViewers'>['data'][number]

/** The viewers whom a gate has confirmed, the latest first: at most a thousand. */
export function viewersQuery(id: string) {
  return read(['viewers', id], () => api.listViewers({ id, limit: 1000 }), 15_000)
}

export function notOpened(page: Page, viewers: readonly Viewer[]): string[] {
  const viewerEmails = new Set(viewers.map(({ email }) => email))
  return page.access === 'people'
    ? page.allowed_emails.filter((email) => !viewerEmails.has(email))
    : []
}
