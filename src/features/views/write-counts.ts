import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Database, Tx } from '../../platform/db/index.ts'
import { atMost } from '../../platform/lru.ts'
import { addConfirmedViews } from './confirmed/store.ts'
import * as dailyStore from './daily/store.ts'
import * as store from './store.ts'
import { factsOf, type PageCounts } from './waiting-views.ts'

interface CountedOn {
  pageId: string
  /** Hours since the epoch. */
  hour: number
}

export type CountWriter = ReturnType<typeof createCountWriter>

export function createCountWriter(database: Database) {
  const daily = createDailyViewers(database)

  return {
    /** Prepares for the views of an hour. Asynchronous only once a day. */
    prepare: (hour: number) =>
      daily.hasStarted(dayOf(hour)) ? undefined : daily.startDay(dayOf(hour)),
    /**
     * Writes the details of views that the page's counter includes. Every transaction that counts
     * views writes its pages in the order of their ids, so that two nodes cannot deadlock.
     *
     * @param viewerKeys collects the keys of the day's new viewers, for `remember` after the commit
     * @returns the addresses that the page's gate has confirmed, and that have no view before these
     */
    async write(
      tx: Tx,
      { pageId, hour }: CountedOn,
      counts: PageCounts,
      viewerKeys: string[],
    ): Promise<string[]> {
      const day = dayOf(hour)
      const { views, clients } = counts
      if (views > 0) {
        const viewers = await daily.count(tx, { pageId, day, clients }, viewerKeys)
        await store.addToHour(tx, [pageId, hour, views, viewers])
      }
      const facets = factsOf(counts)
      if (facets.length > 0) await store.addFacets(tx, { pageId, day }, facets)
      const confirmed = [...counts.confirmed.values()]
      confirmed.sort((a, b) => (a.email < b.email ? -1 : 1))
      const newEmails: string[] = []
      for (const { email, views, at, manifestId } of confirmed) {
        const total = await addConfirmedViews(tx, [pageId, email, views, at, manifestId])
        if (total === views) newEmails.push(email)
      }
      return newEmails
    },
    remember: (hour: number, viewerKeys: readonly string[]) =>
      daily.remember(dayOf(hour), viewerKeys),
    daily,
  }
}

function dayOf(hour: number): number {
  return Math.floor(hour / 24)
}

/** How many of today's viewers are cached, to look them up without a query. */
const MAX_KNOWN = 50_000
/** Up to so many viewers of a page and day are counted exactly; beyond, a sample of them. */
export const MAX_EXACT = 1024

/**
 * Counts the viewers of a page on one day, in UTC. A viewer is a hash of their client with a salt
 * that exists for that day only, so nothing joins two days, or two pages.
 */
function createDailyViewers(database: Database) {
  let current: dailyStore.DailySalt | null = null
  const cache = new LRUCache<string, true>(atMost(MAX_KNOWN))

  return {
    hasStarted: (day: number) => current !== null && current.day >= day && current.day <= day + 1,
    /**
     * Makes the salt of a day and replaces the one before. It has its own transaction, so that no
     * hash is kept longer than its salt if a count is rolled back.
     */
    async startDay(day: number): Promise<void> {
      const salt = randomBytes(16).toString('base64url')
      current = await database.write(
        async (tx) => (await dailyStore.replaceSalt(tx, [day, salt]))!,
        'relaxed',
      )
      cache.clear()
    },

    /**
     * Counts those of the clients who have not viewed the page before on this day.
     *
     * @param viewerKeys collects the keys of counted viewers, for `remember` after the commit
     */
    async count(
      tx: Tx,
      { pageId, day, clients }: { pageId: string; day: number; clients: Iterable<string> },
      viewerKeys: string[],
    ): Promise<number> {
      // The salt of a past day is deleted, so its viewers can no longer be recognised.
      if (current?.day !== day) return 0
      const { salt } = current
      const unknown: Buffer[] = []
      for (const client of clients) {
        const name = `${pageId} ${client}`
        if (cache.has(name)) continue
        unknown.push(createHmac('sha256', salt).update(name).digest())
        viewerKeys.push(name)
      }
      if (unknown.length === 0) return 0
      const level = levelAt(await store.countViewers(tx, [pageId, day * 24, (day + 1) * 24]))
      const sampled = unknown.filter((digest) => isSampled(digest, level))
      const viewers = sampled.map((digest) => digest.toString('base64url', 0, VIEWER_BYTES))
      const added = await dailyStore.addDailyViewers(tx, { pageId, day }, viewers)
      return added * 2 ** level
    },

    remember(day: number, viewerKeys: readonly string[]): void {
      if (day !== current?.day) return
      for (const name of viewerKeys) cache.set(name, true)
    },
  }
}

const VIEWER_BYTES = 12

/**
 * Each further doubling of a page's viewers halves the part of them that is stored, and each of
 * these then counts for as many as it stands for: a million viewers take six thousand rows, and
 * their number is right within 4 % nearly always.
 */
export function levelAt(viewers: number): number {
  return viewers < MAX_EXACT ? 0 : Math.floor(Math.log2(viewers / MAX_EXACT)) + 1
}

/** Whether a hash belongs to the sample of a level: its last bits are zero. */
export function isSampled(digest: Buffer, level: number): boolean {
  return digest.readUInt32BE(digest.length - 4) % 2 ** level === 0
}
