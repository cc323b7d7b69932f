import type { ClosingReason } from '../../model/event-types.ts'
import type { Tx } from '../../platform/db/index.ts'
import type { Services } from '../../platform/services.ts'
import { type RecordEvent, sequence } from '../events/index.ts'
import * as confirmedStore from './confirmed/store.ts'
import * as store from './store.ts'

export interface RecordNewsDeps extends Pick<Services, 'clock'> {
  recordEvent: RecordEvent
}

/** What owners are told of views that were counted, or of time that has passed. */
export interface PageNews {
  pageId: string
  accountId: string
  /** The addresses that the page's gate has confirmed, and that open it for the first time. */
  openedBy: readonly string[]
  /** Why the link of the page opens nothing more. */
  closed: ClosingReason | null
}

/** Last in a transaction, and in one order: it locks the numbers of accounts until its end. */
export async function recordNews(
  tx: Tx,
  { clock, recordEvent }: RecordNewsDeps,
  news: PageNews[],
): Promise<void> {
  const at = clock.now()
  news.sort((a, b) => (a.accountId < b.accountId ? -1 : 1))
  for (const { pageId, accountId, openedBy, closed } of news) {
    for (const email of openedBy) {
      const ids = { pageId, accountId, objectId: email, itemId: openingOf(pageId, email) }
      await recordEvent(tx, { kind: 'opened', ...ids, at })
    }
    if (closed === null) continue
    const ids = { pageId, accountId, objectId: closed, itemId: null }
    await recordEvent(tx, { kind: 'closed', ...ids, at })
  }
}

/**
 * Forgets that an address was confirmed.
 *
 * @param accountId null: on the pages of all accounts
 * @returns on how many pages
 */
export async function forgetConfirmed(
  tx: Tx,
  email: string,
  accountId: string | null,
): Promise<number> {
  const pages = accountId === null ? null : store.pagesOf(accountId)
  const deleted = await confirmedStore.deleteOf(tx, email, pages)
  await sequence.forgetItems(
    tx,
    deleted.map((pageId) => openingOf(pageId, email)),
  )
  return deleted.length
}

/** The item of a first opening in the sequence of events. */
const openingOf = (pageId: string, email: string) => `${pageId} ${email}`
