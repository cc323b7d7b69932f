import type { Clock } from '../../platform/clock.ts'
import type { Database, Durability, Tx } from '../../platform/db/index.ts'
import * as store from './store.ts'

const HOUR_MS = 3_600_000

export interface Counter {
  views: number
  max_views: number | null
}

export interface Views {
  /** A new page's counter. It holds the limit as well, so that one statement can keep it. */
  begin(tx: Tx, pageId: string, maxViews: number | null): Promise<void>
  setLimit(tx: Tx, pageId: string, maxViews: number | null): Promise<void>
  countersOf(pageIds: string[]): Promise<Map<string, Counter>>
  /**
   * Counts one view and resolves once it is committed, together with all others of this turn.
   *
   * @returns false where the limit was reached before it: the view must not be served
   */
  count(pageId: string, about: CountOptions): Promise<boolean>
}

export interface CountOptions {
  /** The page has a view limit: the count is on the disk before it resolves. */
  limited: boolean
  /** Its owner is mailed each view, in the transaction that counts it. */
  notify: boolean
}

export interface ViewDeps {
  database: Database
  clock: Clock
  noteViews(tx: Tx, pageId: string, noted: { views: number; total: number }): Promise<void>
}

interface Opening {
  notify: boolean
  page_id: string
  settle(granted: boolean): void
  fail(err: unknown): void
}

export function createViews({ database, clock, noteViews }: ViewDeps): Views {
  async function countTurn(tx: Tx, turn: Opening[]): Promise<Map<string, number>> {
    const asked = new Map<string, number>()
    const notified = new Set<string>()
    for (const { page_id: pageId, notify } of turn) {
      asked.set(pageId, (asked.get(pageId) ?? 0) + 1)
      if (notify) notified.add(pageId)
    }
    const hour = Math.floor(clock.ms() / HOUR_MS)
    // In one order everywhere: two nodes that count the same pages must not lock each other out.
    for (const pageId of [...asked.keys()].sort()) {
      const { granted, views } = await store.takeViews(tx, pageId, asked.get(pageId)!)
      if (granted > 0) {
        await store.addToHour(tx, pageId, hour, granted)
        if (notified.has(pageId)) await noteViews(tx, pageId, { views: granted, total: views })
      }
      asked.set(pageId, granted)
    }
    return asked
  }

  /** Two lines, so that no view that must be on the disk rides on a commit that is not synced. */
  const fullLine = createLine(database, 'full', countTurn)
  const line = createLine(database, 'relaxed', countTurn)

  return {
    begin: store.insertCounter,
    setLimit: store.updateLimit,
    async countersOf(pageIds) {
      const rows = await store.findCounters(database.read, pageIds)
      return new Map(rows.map(({ page_id: pageId, ...counter }) => [pageId, counter]))
    },
    count: (pageId, about) =>
      (about.limited || about.notify ? fullLine : line)(pageId, about.notify),
  }
}

/** Openings gather while a commit is under way, and the next commit takes them all. */
function createLine(
  database: Database,
  durability: Durability,
  countTurn: (tx: Tx, turn: Opening[]) => Promise<Map<string, number>>,
): (pageId: string, notify: boolean) => Promise<boolean> {
  let waiting: Opening[] = []
  let isFlushing = false

  async function flush(): Promise<void> {
    isFlushing = true
    while (waiting.length > 0) {
      let turn: Opening[] = []
      try {
        const granted = await database.write((tx) => {
          // A transaction that is run again counts the same openings again, and no others.
          if (turn.length === 0) [turn, waiting] = [waiting, []]
          return countTurn(tx, turn)
        }, durability)
        settle(turn, granted)
      } catch (err) {
        if (turn.length === 0) [turn, waiting] = [waiting, []]
        for (const { fail } of turn) fail(err)
      }
    }
    isFlushing = false
  }

  return (pageId, notify) =>
    new Promise((settle, fail) => {
      waiting.push({ page_id: pageId, notify, settle, fail })
      if (!isFlushing) void flush()
    })
}

/** First come, first served. */
function settle(turn: Opening[], granted: Map<string, number>): void {
  for (const { page_id: pageId, settle } of turn) {
    const left = granted.get(pageId) ?? 0
    granted.set(pageId, left - 1)
    settle(left > 0)
  }
}
