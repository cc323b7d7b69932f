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

const MAX_NAMES = 50

/** Names the invited who have not opened the page, as far as a reader wants them. */
export function NotOpened({ label, emails }: { label: string; emails: readonly string[] }) {
  if (emails.length === 0) return null
  return (
    <p className="text-13 break-words">
      <span className="font-medium">{label}: </span>
      <span className="text-muted">
        {emails.slice(0, MAX_NAMES).join(', ')}
        {emails.length > MAX_NAMES && ` and ${emails.length - MAX_NAMES} more`}
      </span>
    </p>
  )
}
