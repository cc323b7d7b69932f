import { LRUCache } from 'lru-cache'
import { millisecondsOf } from '../../model/times.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { rowsInBatches } from '../../platform/db/long-write.ts'
import { atMost } from '../../platform/lru.ts'
import type { Slot } from '../../platform/mapped-files.ts'
import type { Services } from '../../platform/services.ts'
import * as confirmedStore from './confirmed/store.ts'
import * as dailyStore from './daily/store.ts'
import type { Fact } from './facets.ts'
import { createGrantedViews, type GrantedViewDeps, type LinkCounts } from './granted-views.ts'
import * as moveStore from './moves/store.ts'
import { forgetConfirmed, type PageNews, type RecordNewsDeps, recordNews } from './page-news.ts'
import * as store from './store.ts'
import {
  type BatchStore,
  type CountedBatch,
  HOUR_MS,
  hourOf,
  type SeenView,
  WaitingViews,
} from './waiting-views.ts'
import { type CountWriter, createCountWriter } from './write-counts.ts'

const DAY_MS = 24 * HOUR_MS

const HOURS_AT_ONCE = 500
/** How many pages are known to have no limit. Others are counted in a transaction first. */
const MAX_UNLIMITED = 50_000

export interface Counter {
  views: number
  max_views: number | null
}

interface CountedView extends SeenView {
  /** The page has a view limit: the count is on the disk before it resolves. */
  limited: boolean
  /** The owner is mailed about each view: the count records an event, in its own transaction. */
  notify: boolean
  /** The named link that the visitor came by. Its views are counted in transactions, too. */
  linkId?: string | undefined
}

interface ViewDeps extends RecordNewsDeps, Pick<Services, 'database' | 'slotFiles' | 'log'> {
  links: LinkCounts
}

export type Views = ReturnType<typeof createViews>

export function createViews(deps: ViewDeps) {
  const { database, clock } = deps
  const hourNow = () => hourOf(clock.ms())
  const writer = createCountWriter(database)
  const batches = createBatchStore(deps, writer)
  const unlimited = createUnlimitedPages()
  const waiting = new WaitingViews({ ...deps, batches, hourNow, onGone: unlimited.forget })
  let granted = 0
  const granting = {
    ...{ ...deps, writer, hourNow, onUnlimited: unlimited.startCount },
    onGranted(views: number) {
      granted += views
    },
  }

  async function flush(): Promise<boolean> {
    return (await waiting.move()) === null
  }

  async function countersOf(pageIds: string[]): Promise<Map<string, Counter>> {
    if (pageIds.some((id) => waiting.isWaiting(id))) await flush()
    const rows = await store.findCounters(database.read, pageIds)
    return new Map(rows.map(({ page_id: pageId, ...counter }) => [pageId, counter]))
  }

  return {
    ...STORED,
    count: createCount({ waiting, unlimited, granting }),
    /** The views of a page by hour, oldest first. */
    async *hoursOf(pageId: string) {
      await flush()
      yield* rowsInBatches({ by: 'hour', limit: HOURS_AT_ONCE, start: -1 }, (...range) =>
        store.listHours(database.read, [pageId, ...range]),
      )
    },
    async setLimits(tx: Tx, pageId: string, limits: store.LinkLimits) {
      await store.updateLimits(tx, [pageId], limits)
      // From here on views of the page wait for this transaction.
      unlimited.forget(pageId)
    },
    /** Tells owners of links that have expired, once each. Another node may do so as well. */
    async tellExpired(): Promise<void> {
      const now = clock.now()
      for (const pageId of await store.listExpired(database.read, [now])) {
        await database.write(async (tx) => {
          const taken = await store.takeExpired(tx, [pageId, now])
          if (taken === undefined) return
          const { account_id: accountId } = taken
          await recordNews(tx, deps, [{ pageId, accountId, openedBy: [], closed: 'expired' }])
        })
      }
    },
    countersOf,
    /** Whether a page's views have reached its limit, or the page was deleted. */
    async isLimitReached(pageId: string) {
      const counter = (await countersOf([pageId])).get(pageId)
      return counter === undefined || counter.views >= (counter.max_views ?? Infinity)
    },
    /** What the database has: `flush` before. */
    async viewsOf(db: Db, pageId: string) {
      return (await store.findCounters(db, [pageId]))[0]?.views ?? 0
    },
    /** @returns undefined where there is no such page */
    async limitOf(pageId: string) {
      return (await store.findCounters(database.read, [pageId]))[0]?.max_views
    },
    /** Counts facts without a view. */
    countFacts: (pageId: string, facts: readonly Fact[]) => waiting.addFacts(pageId, facts),
    /** How many views this process has counted, and how many of them wait. */
    totals() {
      const { views, waiting: notMoved } = waiting.totals()
      return { counted: views + granted, waiting: notMoved }
    },
    /**
     * Resolves once the database has all that was counted before, or cannot be written.
     *
     * @returns whether the database has it
     */
    flush,
    /**
     * Adds the counts of killed processes. Makes the file that views are counted in now, in case
     * the disk is full later.
     *
     * @returns whether it could add all
     */
    addAbandoned: () => addAbandonedViews(deps, () => waiting.prepare()),
    /** Resolves once all views are in the database, or in a file that the next process adds. */
    close: () => waiting.close(),
    countConfirmed: (pageId: string) => confirmedStore.countConfirmed(database.read, [pageId]),
    /** Forgets who viewed last before, and whom links turned away before. */
    async forgetOld(before: Timestamp): Promise<void> {
      await confirmedStore.deleteOld(database, [before])
      await store.deleteLinkRefusals(database, [Math.floor(millisecondsOf(before) / DAY_MS)])
    },
    /** Deletes the hashes of the viewers of earlier days. */
    async sweep() {
      const today = Math.floor(clock.ms() / DAY_MS)
      if (!writer.daily.hasStarted(today)) await writer.daily.startDay(today)
      await dailyStore.deleteDailyViewers(database, [today])
    },
  }
}

/** What the database has of views: `flush` before a read. */
const STORED = {
  /** Creates a new page's counter. It stores the limit too, so that one statement enforces it. */
  createCounter: store.insertCounter,
  /** Adds what is counted apart from views, on a day of UTC since the epoch. */
  addFacets: store.addFacets,
  /** Adds to how far a confirmed viewer got; nothing where the address has no view. */
  addProgress: confirmedStore.addProgress,
  /** Who confirmed an address to take part: they are listed beside those at a gate. */
  addParticipant: confirmedStore.addParticipant,
  confirmedPeople: confirmedStore.findPeople,
  confirmedAmong: confirmedStore.findAmong,
  linkRefusals: store.listLinkRefusals,
  /** The viewers whom a page's gate has confirmed, the latest first. */
  confirmedViewers: confirmedStore.findConfirmed,
  forgetConfirmed,
  /** The counts of one page or of all pages of an account. */
  hours: store.findHours,
  firstHour: store.findFirstHour,
  facets: store.findFacets,
  mostViewed: store.listMostViewed,
  pageDays: store.findPageDays,
  isExtensive: store.isExtensive,
}

/** Pages that a transaction has found without a limit, and for which none was set since. */
function createUnlimitedPages() {
  const pages = new LRUCache<string, true>(atMost(MAX_UNLIMITED))
  let changes = 0
  return {
    has: (pageId: string) => pages.get(pageId) === true,
    forget(pageId: string) {
      changes += 1
      pages.delete(pageId)
    },
    /** Before views are counted. @returns what to call afterwards for a page without a limit */
    startCount(pageId: string) {
      const before = changes
      return () => {
        if (before === changes) pages.set(pageId, true)
      }
    },
  }
}

interface CountDeps {
  waiting: WaitingViews
  unlimited: ReturnType<typeof createUnlimitedPages>
  granting: GrantedViewDeps
}

/**
 * Returns a function that counts one view: at once where that is possible, else in a transaction
 * that grants as many as the limit leaves. It returns false where the limit was reached before: the
 * view must not be served.
 */
function createCount({ waiting, unlimited, granting }: CountDeps) {
  // A view that must be on the disk cannot share a commit that is not synced.
  const countDurably = createGrantedViews(granting, 'full')
  const countRelaxed = createGrantedViews(granting, 'relaxed')

  async function countGranted(pageId: string, view: CountedView): Promise<boolean> {
    // Waiting views were served earlier, so they use up the limit first.
    while (waiting.isWaiting(pageId)) {
      const failure = await waiting.move()
      if (failure !== null) return countWaiting(pageId, view, failure)
    }
    if (!isPlain(view)) return countDurably(pageId, view)
    return countRelaxed(pageId, view).catch((err) => countWaiting(pageId, view, err))
  }

  /** Counts without a transaction of their own wait until the database can be written. */
  function countWaiting(pageId: string, view: CountedView, failure: unknown): true {
    if (isPlain(view) && waiting.add(pageId, view)) return true
    throw failure
  }

  return (pageId: string, view: CountedView): boolean | Promise<boolean> => {
    const isAtOnce = isPlain(view) && (unlimited.has(pageId) || waiting.isFailing)
    return (isAtOnce && waiting.add(pageId, view)) || countGranted(pageId, view)
  }
}

/** Whether nothing but the page's counter depends on the count. */
function isPlain({ limited, notify, linkId }: CountedView): boolean {
  return !limited && !notify && linkId === undefined
}

function createBatchStore(deps: ViewDeps, writer: CountWriter): BatchStore {
  const { database } = deps
  return {
    async store({ fileId, number, hour, pages }: CountedBatch) {
      await writer.prepare(hour)
      const sorted = [...pages].sort(([a], [b]) => (a < b ? -1 : 1))
      const viewerKeys: string[] = []
      const missingIds: string[] = []
      await database.write(
        async (tx) => {
          viewerKeys.length = missingIds.length = 0
          if (fileId !== null && !(await moveStore.recordMove(tx, [fileId, number]))) return
          const news: PageNews[] = []
          for (const [pageId, counts] of sorted) {
            // Also without a view: until the commit, nobody can delete the page.
            const counter = await store.addServed(tx, [counts.views, pageId])
            if (counter === undefined) {
              missingIds.push(pageId)
              continue
            }
            const openedBy = await writer.write(tx, { pageId, hour }, counts, viewerKeys)
            if (openedBy.length === 0) continue
            news.push({ pageId, accountId: counter.account_id, openedBy, closed: null })
          }
          await recordNews(tx, deps, news)
        },
        fileId !== null ? 'full' : 'relaxed',
      )
      writer.remember(hour, viewerKeys)
      return missingIds
    },
    forgetFile: (fileId: string) => database.write((tx) => moveStore.forgetFile(tx, [fileId])),
  }
}

type AbandonedViewDeps = Pick<Services, 'database' | 'slotFiles' | 'log'>

/**
 * Adds the views that ended processes had counted in their files but not moved to the database. A
 * file that cannot be read stays in place, for the operator.
 *
 * @param prepare makes the next file, on a full disk in the space of the last
 * @returns whether all were added
 */
async function addAbandonedViews(deps: AbandonedViewDeps, prepare: () => void): Promise<boolean> {
  const { database, slotFiles, log } = deps
  const removedIds: string[] = []
  let areAdded = true
  for (const file of slotFiles.takeAbandoned()) {
    try {
      const slots = file.read()
      const views = await database.write((tx) => addSlots(tx, file.id, slots), 'freeing')
      file.remove()
      removedIds.push(file.id)
      if (views > 0) log.info('added the views that a killed process had counted', { views })
    } catch (err) {
      log.error('the views in a file of an earlier process were not added', { file: file.id, err })
      file.release()
      areAdded = false
    }
  }
  // At once: a write that frees space fills its reserve again first.
  prepare()
  // Without its file, a row that stays says nothing.
  for (const id of removedIds) {
    await database.write((tx) => moveStore.forgetFile(tx, [id]), 'freeing').catch(() => {})
  }
  return areAdded
}

/** @returns how many views were added: those of batches that had not been moved */
async function addSlots(tx: Tx, file: string, slots: readonly Slot[]): Promise<number> {
  const last = (await moveStore.findMove(tx, [file]))?.batch ?? 0
  const remaining = slots.filter(({ batch }) => batch > last)
  if (remaining.length === 0) return 0
  await moveStore.recordMove(tx, [file, Math.max(...remaining.map(({ batch }) => batch))])
  const byPage = Map.groupBy(remaining, ({ key }) => key)
  let total = 0
  for (const pageId of [...byPage.keys()].sort()) {
    const hours = byPage.get(pageId)!
    const views = hours.reduce((sum, { count }) => sum + count, 0)
    if (!(await store.addServed(tx, [views, pageId]))) continue
    total += views
    for (const { group: hour, count } of hours) {
      await store.addToHour(tx, [pageId, hour, count, 0])
    }
  }
  return total
}
