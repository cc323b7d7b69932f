import type { Output } from '../../../src/client/index.ts'

/** What the inbox lists: what waits for the owner, and what was decided. */
export type Entry = Output<'getInbox'>['data']['items'][number]
export type EntryKind = Entry['kind']
export type AccessRequest = Extract<Entry, { kind: 'request' }>['request']
/** An approver's newest decision. */
export type Decision = Extract<Entry, { kind: 'decision' }>['decision']

/** What of the inbox is shown; null for all. */
export interface InboxFilter {
  kind: EntryKind | null
  pageId: string | null
}
