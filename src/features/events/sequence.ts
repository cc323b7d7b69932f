import type { EventType } from '../../model/event-types.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import type { Event, Place } from './events.ts'
import * as store from './store.ts'

export {
  countByLink,
  countByPage,
  countInInbox,
  decisionsByLink,
  forgetItems,
  forgetReply,
  type InboxPages,
  lastNumber,
  lastNumberOf,
  lastNumbers,
  listAfter,
  listInInbox,
  type Mark,
  mark,
  type NumberedEvent,
  type PlacedEvent,
  pagesAfter,
  place,
} from './store.ts'

/** The kinds of events that take a number, with the names of their types. */
const TYPES = {
  comment: 'comment',
  reply: 'reply',
  response: 'response',
  vote: 'vote',
  decision: 'approval',
  request: 'access_request',
  opened: 'opened',
  agreement: 'agreement',
  closed: 'page_closed',
} as const satisfies Record<string, EventType>

export const KINDS = Object.keys(TYPES) as (keyof typeof TYPES)[]

/** How long an event is kept at least. What the inbox has is kept as long as its object. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000

/**
 * Gives the event the next number of its account. The number is locked until the transaction ends,
 * so that no later one is visible before it: call this last, and other writes wait shortly.
 */
export async function onEvent(tx: Tx, event: Event): Promise<void> {
  if (!('itemId' in event)) return
  const { kind, pageId, accountId, at, objectId, itemId, isOwn = false, place = null } = event
  // What the owner replies is not new, and has been read; what it replies to stays where it is.
  const isPlaced = !isOwn || kind !== 'reply'
  if (itemId !== null) await (isPlaced ? store.displace(tx, [itemId]) : store.setRead(tx, [itemId]))
  const number = await store.nextNumbers(tx, [accountId, 1])
  await store.insertAll(tx, [
    {
      account_id: accountId,
      number,
      type: TYPES[kind],
      at,
      page_id: pageId,
      object_id: objectId,
      item_id: itemId,
      is_own: isOwn ? 1 : 0,
      is_read: isOwn ? 1 : 0,
      place: isPlaced ? place : null,
      link_id: event.linkId ?? null,
    },
  ])
}

/** A page begins or ends to take access requests: those that nobody decided come or go. */
export async function placeRequests(tx: Tx, pageId: string, isTaking: boolean): Promise<void> {
  await (isTaking ? store.openRequests : store.hideRequests)(tx, [pageId])
}

/** The decisions that count on a page now; the inbox has no others of it. */
export async function placeDecisions(
  tx: Tx,
  pageId: string,
  counting: readonly string[],
): Promise<void> {
  for (const { item_id: id, place: at } of await store.listDecisions(tx, [pageId])) {
    const isCounting = counting.includes(id)
    if (isCounting !== (at !== null)) await store.place(tx, [id, isCounting ? 'open' : null])
  }
}

export interface ImportedItem {
  type: 'comment' | 'access_request'
  at: string
  id: string
  place: Place
}

/**
 * What came with an imported page, for the inbox alone: the page is still hidden, and numbers of it
 * that became visible later would be passed over by who reads the sequence. Nothing of it is new.
 */
export async function addImported(
  tx: Tx,
  { id: pageId, account_id }: { id: string; account_id: string },
  items: readonly ImportedItem[],
): Promise<void> {
  if (items.length === 0) return
  const first = (await store.nextNumbers(tx, [account_id, items.length])) - items.length + 1
  const own = { account_id, page_id: pageId, is_own: 1, is_read: 1, link_id: null }
  await store.insertAll(
    tx,
    items.map(({ id, ...item }, at) => ({
      ...own,
      ...item,
      number: first + at,
      object_id: null,
      item_id: id,
    })),
  )
}

/** Deletes old events that the inbox does not have. */
export function sweep(database: Database, clock: Clock): Promise<number> {
  return store.deleteOld(database, [clock.after(-KEPT_MS)])
}
