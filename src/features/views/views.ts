import type { Clock } from '../../platform/clock.ts'
import type { Database, Durability, Tx } from '../../platform/db/index.ts'
import type { RecordEvent } from '../events/index.ts'
import * as confirmedStore from './confirmed/store.ts'
import * as dailyStore from './daily/store.ts'
import { createDailyViewers } from './daily-viewers.ts'
import type { FacetCount } from './facets.ts'
import * as store from './store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const HOURS_AT_ONCE = 500

export type HourRow = store.HourRow

export interface Counter {
  views: number
  max_views: number | null
}

export interface Views {
  /** Creates a new page's counter. It stores the limit too, so that one statement enforces it. */
  createCounter(
    tx: Tx,
    page: { id: string; account_id: string },
    maxViews: number | null,
  ): Promise<void>
  /** The views of a page by hour, oldest first. */
  hoursOf(pageId: string): AsyncGenerator<HourRow>
  setLimit(tx: Tx, pageId: string, maxViews: number | null): Promise<void>
  countersOf(pageIds: string[]): Promise<Map<string, Counter>>
  /**
   * Counts one view and resolves once it is committed, together with the others of its batch.
   *
   * @returns false where the limit was reached before: the view must not be served
   */
  count(pageId: string, options: CountOptions): Promise<boolean>
  /** Adds what is counted apart from views, on a day of UTC since the epoch. */
  addFacets(tx: Tx, on: { pageId: string; day: number }, facets: FacetCount[]): Promise<void>
  /** Adds to how far a confirmed viewer got; nothing where the address has no view. */
  addProgress: typeof confirmedStore.addProgress
  /** Those whom a page's gate has confirmed, the latest first. */
  confirmedViewers: typeof confirmedStore.findConfirmed
  /** What was counted, of one page or of all pages of an account. */
  hours: typeof store.findHours
  firstHour: typeof store.findFirstHour
  facets: typeof store.findFacets
  pageDays: typeof store.findPageDays
  /** Deletes what distinguished the viewers of earlier days. */
  sweep(): Promise<void>
}

export interface CountOptions {
  /** The page has a view limit: the count is on the disk before it resolves. */
  limited: boolean
  /** The owner is mailed about each view: the count records an event, in its own transaction. */
  notify: boolean
  viewer?: Viewer
}

/** Who views, as far as it is counted. */
export interface Viewer {
  /**
   * The client's address and program tell the visitors of one day apart. Only a hash of both is
   * stored, until the end of the day.
   */
  address: string
  program: string
  /** What a gate of the page has confirmed; null elsewhere. */
  confirmed: { email: string; manifestId: string | null } | null
}

export interface ViewDeps {
  database: Database
  clock: Clock
  recordEvent: RecordEvent
}

export function createViews({ database, clock, recordEvent }: ViewDeps): Views {
  const dailyViewers = createDailyViewers(database)

  async function countBatch(tx: Tx, batch: PendingView[], hour: number): Promise<Counted> {
    const byPage = new Map<string, PendingView[]>()
    for (const view of batch) {
      const views = byPage.get(view.pageId)
      if (views === undefined) byPage.set(view.pageId, [view])
      else views.push(view)
    }
    const counted: Counted = { granted: new Map(), seen: [] }
    // Rows are locked in the same order everywhere: two nodes that count the same pages would
    // otherwise deadlock.
    for (const pageId of [...byPage.keys()].sort()) {
      const pending = byPage.get(pageId)!
      const { granted, views } = await store.addViews(tx, pageId, pending.length)
      counted.granted.set(pageId, granted)
      if (granted === 0) continue
      await countViewers(tx, { pageId, hour, views: pending.slice(0, granted) }, counted.seen)
      if (!pending.some(({ notify }) => notify)) continue
      const details = { count: granted, total: views, notifyOwner: true }
      await recordEvent(tx, { kind: 'view', pageId, ...details })
    }
    return counted
  }

  /** Counts views that were granted in their hour, and who they are by. */
  async function countViewers(
    tx: Tx,
    { pageId, hour, views }: { pageId: string; hour: number; views: PendingView[] },
    seen: string[],
  ): Promise<void> {
    const day = Math.floor(hour / 24)
    const clients = clientsOf(views)
    const viewers = dailyViewers.areKnown(pageId, clients)
      ? 0
      : await dailyViewers.count(tx, { pageId, day, clients }, seen)
    await store.addToHour(tx, { page_id: pageId, hour, views: views.length, viewers })
    if (!views.some(({ viewer }) => viewer?.confirmed)) return
    const now = clock.now()
    for (const viewer of confirmedIn(views)) {
      await confirmedStore.addConfirmedViews(tx, { pageId, now }, viewer)
    }
  }

  function prepare(): number | Promise<number> {
    const hour = Math.floor(clock.ms() / HOUR_MS)
    const day = Math.floor(hour / 24)
    return dailyViewers.hasStarted(day) ? hour : dailyViewers.startDay(day).then(() => hour)
  }
  const counting = { database, prepare, countBatch, remember: dailyViewers.remember }
  // A view that must be on the disk cannot share a commit that is not synced.
  const countDurably = createBatcher(counting, 'full')
  const countRelaxed = createBatcher(counting, 'relaxed')

  return {
    createCounter: store.insertCounter,
    async *hoursOf(pageId) {
      for (let after = -1; ; ) {
        const rows = await store.listHours(database.read, pageId, { after, limit: HOURS_AT_ONCE })
        yield* rows
        if (rows.length < HOURS_AT_ONCE) return
        after = rows.at(-1)!.hour
      }
    },
    setLimit: store.updateLimit,
    async countersOf(pageIds) {
      const rows = await store.findCounters(database.read, pageIds)
      return new Map(rows.map(({ page_id: pageId, ...counter }) => [pageId, counter]))
    },
    count(pageId, { limited, notify, viewer }) {
      const count = limited || notify ? countDurably : countRelaxed
      return count(pageId, notify, viewer)
    },
    addFacets: store.addFacets,
    addProgress: confirmedStore.addProgress,
    confirmedViewers: confirmedStore.findConfirmed,
    hours: store.findHours,
    firstHour: store.findFirstHour,
    facets: store.findFacets,
    pageDays: store.findPageDays,
    async sweep() {
      const today = Math.floor(clock.ms() / DAY_MS)
      if (!dailyViewers.hasStarted(today)) await dailyViewers.startDay(today)
      while (await database.write((tx) => dailyStore.deleteDailyViewers(tx, today))) {}
    },
  }
}

interface PendingView {
  pageId: string
  notify: boolean
  viewer: Viewer | undefined
  resolve(isGranted: boolean): void
  reject(err: unknown): void
}

interface Counted {
  /** How many views of each page were granted. */
  granted: Map<string, number>
  /** The viewers of today that were counted, as hashes. */
  seen: string[]
}

interface Counting {
  database: Database
  /** Prepares a transaction. @returns the hour that it counts in */
  prepare(): number | Promise<number>
  countBatch(tx: Tx, batch: PendingView[], hour: number): Promise<Counted>
  /** Called with the viewers that were counted, once they are committed. */
  remember(day: number, seen: string[]): void
}

/** Batches views: those that arrive during a commit share the next one. */
function createBatcher(
  { database, prepare, countBatch, remember }: Counting,
  durability: Durability,
): (pageId: string, notify: boolean, viewer: Viewer | undefined) => Promise<boolean> {
  let pending: PendingView[] = []
  let isFlushing = false

  async function flush(): Promise<void> {
    isFlushing = true
    while (pending.length > 0) {
      let batch: PendingView[] = []
      try {
        const prepared = prepare()
        const hour = typeof prepared === 'number' ? prepared : await prepared
        const { granted, seen } = await database.write((tx) => {
          // A transaction that is run again counts the same views again, and no others.
          if (batch.length === 0) [batch, pending] = [pending, []]
          return countBatch(tx, batch, hour)
        }, durability)
        remember(Math.floor(hour / 24), seen)
        resolveBatch(batch, granted)
      } catch (err) {
        if (batch.length === 0) [batch, pending] = [pending, []]
        for (const { reject } of batch) reject(err)
      }
    }
    isFlushing = false
  }

  return (pageId, notify, viewer) =>
    new Promise((resolve, reject) => {
      pending.push({ pageId, notify, viewer, resolve, reject })
      if (!isFlushing) void flush()
    })
}

/** The different clients. One that views several times in a row is looked up once. */
function clientsOf(views: readonly PendingView[]): Set<string> {
  const clients = new Set<string>()
  let last: Viewer | undefined
  for (const { viewer } of views) {
    if (viewer === undefined) continue
    const { address, program } = viewer
    if (address === last?.address && program === last.program) continue
    clients.add(`${address} ${program}`)
    last = viewer
  }
  return clients
}

/** Sorted, so that two nodes that count the same viewers cannot deadlock. */
function confirmedIn(views: readonly PendingView[]): confirmedStore.ConfirmedViews[] {
  const byEmail = new Map<string, confirmedStore.ConfirmedViews>()
  for (const { viewer } of views) {
    if (!viewer?.confirmed) continue
    const { email, manifestId } = viewer.confirmed
    const earlier = byEmail.get(email)?.views ?? 0
    byEmail.set(email, { email, manifestId, views: earlier + 1 })
  }
  return [...byEmail.values()].sort((a, b) => (a.email < b.email ? -1 : 1))
}

/** Grants a page's views in the order in which they arrived. */
function resolveBatch(batch: PendingView[], granted: Map<string, number>): void {
  for (const { pageId, resolve } of batch) {
    const left = granted.get(pageId) ?? 0
    granted.set(pageId, left - 1)
    resolve(left > 0)
  }
}
