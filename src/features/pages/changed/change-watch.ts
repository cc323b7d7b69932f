import { LRUCache } from 'lru-cache'
import type { Database } from '../../../platform/db/index.ts'
import * as store from './store.ts'

/** How long a change can be read. A node that has not read for half of it clears its cache. */
const STORED_MS = 10 * 60_000
const DELETE_EVERY_MS = 60_000
/** Changes whose notification arrived lately: more than a node reads in so long. */
const ANNOUNCED = { max: 10_000, ttl: 60_000 }
/** No transaction has this number: JavaScript has no larger exact one. */
const NO_XID = Number.MAX_SAFE_INTEGER

export interface ChangeWatchDeps {
  database: Database
  everyMs: number
  onChanged(slug: string): void
  /** Any page may have changed. */
  onLost(): void
  /** The notification of a change has not arrived a second later. */
  onMissed(): void
}

/**
 * Reports the changes that other nodes made to pages, even if their notifications were lost. One
 * small query a second reads them, however many pages are in memory. It stops while no page is
 * requested, and then catches up.
 */
export function createChangeWatch(deps: ChangeWatchDeps) {
  const { database, everyMs, onChanged, onLost, onMissed } = deps
  const announced = new LRUCache<string, true>(ANNOUNCED)
  let unannounced: string[] = []
  let last: Point | undefined
  let deletedMs = 0
  /** When the last check began, by the time of day: it goes on while the computer sleeps. */
  let checkedMs = 0
  let isAsked = false
  let timer: Timer | undefined
  let checking: Promise<void> | undefined

  function tick(): void {
    if (isAsked) {
      isAsked = false
      check().catch(() => {
        // Without an answer it is not current any more.
      })
      return
    }
    clearInterval(timer)
    timer = undefined
  }

  function check(): Promise<void> {
    checking ??= read().finally(() => {
      checking = undefined
    })
    return checking
  }

  async function read(): Promise<void> {
    const beganMs = Date.now()
    const { slugs, ...now } = await store.readChanges(database.read, last?.next ?? NO_XID)
    if (isGap(last, now)) onLost()
    else for (const slug of slugs) onChanged(slug)
    last = now
    const isMissed = unannounced.some((slug) => !announced.has(slug))
    unannounced = isMissed ? [] : slugs.filter((slug) => !announced.has(slug))
    if (isMissed) onMissed()
    checkedMs = beganMs
    if (Math.abs(now.nowMs - deletedMs) >= DELETE_EVERY_MS) deleteOld(now.nowMs)
  }

  /** In the background. Where it fails, the next one deletes more. */
  function deleteOld(nowMs: number): void {
    deletedMs = nowMs
    database.write((tx) => store.deleteChanges(tx, [nowMs - STORED_MS]), 'relaxed').catch(() => {})
  }

  const isCurrent = () => {
    isAsked = true
    return Math.abs(Date.now() - checkedMs) < 2 * everyMs
  }
  return {
    /** Whether all changes that are older than two checks were reported. Requests another check. */
    isCurrent,
    /** Checks now where it is not current. */
    async catchUp() {
      timer ??= setInterval(tick, everyMs).unref()
      if (!isCurrent()) await check()
    },
    /** Call it for each notification that arrives. */
    announced: (slug: string) => void announced.set(slug, true),
  }
}

type Point = Pick<store.Changed, 'next' | 'nowMs'>

/** Whether changes between the two may be missing; also where another server took over. */
export function isGap(last: Point | undefined, now: Point): boolean {
  if (last === undefined || now.next < last.next) return true
  return Math.abs(now.nowMs - last.nowMs) > STORED_MS / 2
}
