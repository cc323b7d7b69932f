import type { Tx } from '../../platform/db/index.ts'

/** What each kind of event carries. A kind that owners are mailed about is in `OWNER_MAILS` too. */
interface EventDetails {
  view: {
    /** The page's views of all time, these included. */
    total: number
  }
  response: {
    /** An email address or an alias. */
    respondent: string
    /** False where the response replaces an earlier one of the same respondent. */
    isFirst: boolean
  }
  vote: {
    /** Null for a secret vote: nothing tells whose it was, or for what. */
    named: { email: string; name: string; option: string } | null
    /** False where the vote replaces an earlier one of the same voter. */
    isFirst: boolean
  }
  decision: {
    /** The approver. */
    email: string
    decision: 'approved' | 'changes_requested'
    note: string | null
    versionNo: number
    /** Whether the content of the decision is the published one. */
    isCurrent: boolean
  }
}

export type EventKind = keyof EventDetails

/** Something that visitors did on a page, and that somebody may want to hear of. */
export type Event<Kind extends EventKind = EventKind> = {
  [K in Kind]: EventDetails[K] & {
    kind: K
    pageId: string
    /** How many happened at once, at least one: views are counted in batches. */
    count: number
    /** The page's owner asked for mails about this kind of event. */
    notifyOwner: boolean
  }
}[Kind]

/** Records an event in the transaction that causes it. */
export type RecordEvent = (tx: Tx, event: Event) => Promise<void>

/** Runs in the event's transaction: it awaits the database alone, and its failure undoes both. */
export type EventListener = (tx: Tx, event: Event) => Promise<void>
