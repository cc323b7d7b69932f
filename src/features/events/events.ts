import type { AuthorKind } from '../../model/comment.ts'
import type { ClosingReason } from '../../model/event-types.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/index.ts'

/** The registry of listeners to events on pages. The composition root adds them. */
export function createEvents() {
  const listeners = new Map<EventKind, EventListener[]>()

  return {
    /** Passes the event to each listener of its kind, in the order in which they were added. */
    async record(tx: Tx, event: Event) {
      for (const listener of listeners.get(event.kind) ?? []) await listener(tx, event)
    },
    addListener(kinds: readonly EventKind[], listener: EventListener) {
      for (const kind of kinds) listeners.set(kind, [...(listeners.get(kind) ?? []), listener])
    },
  }
}
export type Events = ReturnType<typeof createEvents>

/** Who wrote a comment. */
export interface CommentAuthor {
  kind: AuthorKind
  /** Identifies them on the page. */
  key: string
  email: string | null
  /** The name that they gave, not verified. */
  name: string | null
  /** What they are called without one. */
  alias: string | null
}

/** Where the inbox has an item; `told`: only where its kind is asked for; null: nowhere. */
export type Place = 'open' | 'done' | 'closed' | 'told' | null

/** An event that takes a number in the sequence of the page's owner. */
interface Numbered {
  accountId: string
  at: Timestamp
  /** What was stored; null for a secret vote. */
  objectId: string | null
  /** The thread, response, decision or request that the inbox lists; null for a vote. */
  itemId: string | null
  /** The account itself wrote it. Not by default. */
  isOwn?: boolean
  /** Where the inbox has it; nowhere by default. */
  place?: Place
  /** The named link by which they came who did it. */
  linkId?: string | null | undefined
}

interface NewComment extends Numbered {
  /** The comment that begins the thread. */
  threadId: string
  author: CommentAuthor
  /** Null on a page with a gate: mails do not contain what is said behind it. */
  body: string | null
  /** The words of the page that the thread is about; null where the body is, or without any. */
  passage: string | null
}

/** The data of each kind of event. A kind that owners are mailed about is in `OWNER_MAILS` too. */
interface EventDetails {
  view: {
    /** The page's views of all time, these included. */
    total: number
  }
  response: Numbered & {
    /** The confirmed address, or an alias. */
    respondent: string
    /** The confirmed address. */
    email: string | null
    /** False where the response replaces an earlier one of the same respondent. */
    isFirst: boolean
  }
  vote: Numbered & {
    /** Null for a secret vote, whose event names neither the voter nor the option. */
    ballot: { email: string; name: string; option: string } | null
    /** False where the vote replaces an earlier one of the same voter. */
    isFirst: boolean
  }
  decision: Numbered & {
    /** The approver. */
    email: string
    decision: 'approved' | 'changes_requested'
    note: string | null
    versionNo: number
    /** Whether the content of the decision is the published one. */
    isCurrent: boolean
  }
  comment: NewComment
  reply: NewComment
  /** Somebody accepted the agreement of a page. */
  agreement: Numbered
  /** Somebody asks to open a page. Access requests have mails of their own. */
  request: Numbered
  /** The page is shown first by a named link, or to somebody whom its gate confirmed. */
  opened: Numbered
  /** The link of the page has expired or reached its view limit: `objectId` says which. */
  closed: Numbered & { objectId: ClosingReason }
  /** A version that answers comments is live. */
  addressed: { versionNo: number; threadIds: readonly string[] }
}

export type EventKind = keyof EventDetails

/** Something that visitors did on a page, and that others may want to be notified of. */
export type Event<Kind extends EventKind = EventKind> = {
  [K in Kind]: EventDetails[K] & {
    kind: K
    pageId: string
    /** The number of events, one by default: views are counted in batches. */
    count?: number
    /** The page's owner asked for mails about this kind of event. Not by default. */
    notifyOwner?: boolean
  }
}[Kind]

/** Records an event in the transaction that causes it. */
export type RecordEvent = (tx: Tx, event: Event) => Promise<void>

/**
 * Runs in the event's transaction: it awaits only the database, and its failure rolls back both.
 */
export type EventListener = (tx: Tx, event: Event) => Promise<void>
