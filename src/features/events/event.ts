import type { Tx } from '../../platform/db/index.ts'

/** What each kind of event carries. A new kind is one entry here and one in `OWNER_MAILS`. */
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
