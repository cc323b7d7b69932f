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
  begin(tx: Tx, page_id: string, max_views: number | null): Promise<void>
  setLimit(tx: Tx, page_id: string, max_views: number | null): Promise<void>
  countersOf(page_ids: string[]): Promise<Map<string, Counter>>
  /**
   * Counts one view and resolves once it is committed, together with all others of this turn.
   *
   * @returns false where the limit was reached before it: the view must not be served
   */
  count(page_id: string, about: CountOptions): Promise<boolean>
}

export interface CountOptions {
  /** The page has a view limit: the count is on the disk before it resolves. */
  limited: boolean
  /** Its owner is mailed each view, in the transaction that counts it. */
  notify: boolean
}

export interface ViewMachines {
  database: Database
  clock: Clock
  noteViews(tx: Tx, page_id: string, noted: { views: number; total: number }): Promise<void>
}

interface Opening {
  notify: boolean
  page_id: string
  settle(granted: boolean): void
  fail(err: unknown): void
}

export function createViews({ database, clock, noteViews }: ViewMachines): Views {
  async function countTurn(tx: Tx, turn: Opening[]): Promise<Map<string, number>> {
    const asked = new Map<string, number>()
    const notified = new Set<string>()
    for (const { page_id, notify } of turn) {
      asked.set(page_id, (asked.get(page_id) ?? 0) + 1)
      if (notify) notified.add(page_id)
    }
    const hour = Math.floor(clock.ms() / HOUR_MS)
    // In one order everywhere: two nodes that count the same pages must not lock each other out.
    for (const page_id of [...asked.keys()].sort()) {
      const { granted, views } = await store.takeViews(tx, page_id, asked.get(page_id)!)
      if (granted > 0) {
        await store.addToHour(tx, page_id, hour, granted)
        if (notified.has(page_id)) await noteViews(tx, page_id, { views: granted, total: views })
      }
      asked.set(page_id, granted)
    }
    return asked
  }

  /** Two lines, so that no view that must be on the disk rides on a commit that is not synced. */
  const full_line = createLine(database, 'full', countTurn)
  const line = createLine(database, 'relaxed', countTurn)

  return {
    begin: store.insertCounter,
    setLimit: store.updateLimit,
    async countersOf(page_ids) {
      const rows = await store.findCounters(database.read, page_ids)
      return new Map(rows.map(({ page_id, ...counter }) => [page_id, counter]))
    },
    count: (page_id, about) =>
      (about.limited || about.notify ? full_line : line)(page_id, about.notify),
  }
}

/** Openings gather while a commit is under way, and the next commit takes them all. */
function createLine(
  database: Database,
  durability: Durability,
  countTurn: (tx: Tx, turn: Opening[]) => Promise<Map<string, number>>,
): (page_id: string, notify: boolean) => Promise<boolean> {
  let waiting: Opening[] = []
  let is_flushing = false

  async function flush(): Promise<void> {
    is_flushing = true
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
    is_flushing = false
  }

  return (page_id, notify) =>
    new Promise((settle, fail) => {
      waiting.push({ page_id, notify, settle, fail })
      if (!is_flushing) void flush()
    })
}

/** First come, first served. */
function settle(turn: Opening[], granted: Map<string, number>): void {
  for (const { page_id, settle } of turn) {
    const left = granted.get(page_id) ?? 0
    granted.set(page_id, left - 1)
    settle(left > 0)
  }
}
