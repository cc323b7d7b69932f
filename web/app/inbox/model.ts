import type { Output } from '../../../src/client/index.ts'
import { newestIn } from '../threads/drafts.ts'
import type { Thread, ThreadPage } from '../threads/model.ts'

export type AccessRequest = Output<'listAccessRequests'>['data'][number]
type Approver = Output<'getApprovals'>['data']['approvers'][number]

/** An approver's newest decision. */
export interface Decision {
  email: string
  decision: NonNullable<Approver['decision']>
  note: string | null
  versionNo: number
  isCurrent: boolean
}

/** What the inbox lists: what waits for the owner, and what was decided. */
export type Entry = { id: string; at: string; page: ThreadPage } & (
  | { kind: 'thread'; thread: Thread }
  | { kind: 'request'; request: AccessRequest }
  | { kind: 'decision'; decision: Decision }
)
export type EntryKind = Entry['kind']

export function threadEntry(page: ThreadPage, thread: Thread): Entry {
  return { kind: 'thread', id: thread.id, at: newestIn(thread), page, thread }
}

/** Only a request that nobody has answered waits. */
export function requestEntries(page: ThreadPage, requests: readonly AccessRequest[]): Entry[] {
  return requests
    .filter(({ decision }) => decision === null)
    .map((request) => {
      return { kind: 'request', id: request.id, at: request.created_at, page, request }
    })
}

export function decisionEntries(page: ThreadPage, approvers: readonly Approver[]): Entry[] {
  return approvers.flatMap((approver) => {
    const { email, decision, note, decided_at: at, version_no: versionNo } = approver
    if (decision === null || at === null || versionNo === null) return []
    const made = { email, decision, note, versionNo, isCurrent: approver.is_current }
    return [{ kind: 'decision' as const, id: `${page.id} ${email}`, at, page, decision: made }]
  })
}

export function newestFirst(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
}
