import { FILES_LEASE, GRACE_MS, type Sweeper } from '../features/content/index.ts'
import { createForwardWatch } from '../platform/clock-watch.ts'
import type { Leases } from '../platform/db/leases.ts'
import type { Log } from '../platform/log.ts'
import type { Runtime } from './runtime.ts'

/** Soon after the start: a server that is restarted every hour gets its space back, too. */
const FIRST_SWEEP_MS = 30 * 1000
/** Files of deleted pages. It is cheap while there are none. */
const SWEEP_FILES_EVERY_MS = 60 * 1000
const SWEEP_EVERY_MS = 10 * 60 * 1000
/** Lists every stored file, which takes long in an object store. */
const SWEEP_ORPHANS_EVERY_MS = 60 * 60 * 1000

/**
 * Deletes unneeded data regularly, from soon after the start. @returns a function that stops this
 */
export function keepSweeping({ app, outbox, leases, platform: { log } }: Runtime): () => void {
  const { sweeper } = app
  const wasSetForward = createForwardWatch(GRACE_MS)
  const sweepFiles = createFileSweep({ sweeper, leases, log, wasSetForward })
  const { pages, confirmations, sessions, accountDeletion, throttles, ownerMails } = app
  const { views, analytics } = app
  const stopAll = [
    keepDoing(SWEEP_FILES_EVERY_MS, () => attempt('files', sweepFiles)),
    keepDoing(SWEEP_EVERY_MS, async () => {
      if (!wasSetForward()) await attempt('imports', pages.sweepImports)
      await attempt('confirmations', confirmations.sweep)
      await attempt('sessions', sessions.sweep)
      await attempt('accounts', accountDeletion.sweep)
      await attempt('throttles', throttles.sweep)
      await attempt('mails to owners', ownerMails.sweep)
      await attempt('views', views.addAbandoned)
      await attempt('analytics', analytics.sweep)
      await attempt('outbox', outbox.sweep)
    }),
  ]
  /** Each separately, so that an object store that does not answer stops no other deletion. */
  async function attempt(what: string, sweep: () => Promise<unknown>): Promise<void> {
    try {
      await sweep()
    } catch (err) {
      log.error('sweeping failed', { what, err })
    }
  }
  return () => {
    for (const stop of stopAll) stop()
  }
}

interface FileSweepDeps {
  sweeper: Sweeper
  leases: Leases
  log: Log
  wasSetForward(): boolean
}

/** One node at a time deletes files. If another one does, there is nothing to do here. */
export function createFileSweep({ sweeper, leases, log, wasSetForward }: FileSweepDeps) {
  let orphansDueMs = 0
  return async (): Promise<void> => {
    // What a request has stored and does not use yet looks old now.
    if (wasSetForward()) return
    const isOrphansDue = performance.now() >= orphansDueMs
    if (!isOrphansDue && !(await sweeper.isDue())) return
    await leases.run(FILES_LEASE, async () => {
      const swept = await sweeper.sweep()
      const orphans = isOrphansDue ? await sweeper.sweepOrphans() : 0
      if (isOrphansDue) orphansDueMs = performance.now() + SWEEP_ORPHANS_EVERY_MS
      if (swept.manifests + swept.blobs + orphans > 0) log.info('swept', { ...swept, orphans })
    })
  }
}

/** Runs `act` repeatedly, never concurrently, even if it takes longer than the pause. */
function keepDoing(pauseMs: number, act: () => Promise<void>): () => void {
  let isStopped = false
  let timer = setTimeout(actAndWait, FIRST_SWEEP_MS)
  async function actAndWait(): Promise<void> {
    await act()
    if (!isStopped) timer = setTimeout(actAndWait, pauseMs)
  }
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}
