import type { BackupSchedule } from '../features/backup/index.ts'
import { FILES_LEASE, GRACE_MS, type Sweeper } from '../features/content/index.ts'
import { sequence } from '../features/events/index.ts'
import { type DiskState, diskState } from '../platform/checks.ts'
import { createClockWatch, createForwardWatch } from '../platform/clock.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Services } from '../platform/services.ts'
import type { Runtime } from './runtime.ts'

/** Soon after the start: a server that is restarted every hour gets its space back, too. */
const FIRST_SWEEP_MS = 30 * 1000
/** Files of deleted pages. It is cheap while there are none. */
const SWEEP_FILES_EVERY_MS = 60 * 1000
const SWEEP_EVERY_MS = 10 * 60 * 1000
/** Lists every stored file, which takes long in an object store. */
const SWEEP_ORPHANS_EVERY_MS = 60 * 60 * 1000
const REMIND_EVERY_MS = 60 * 1000
/** It reads an index that is mostly empty. */
const TELL_EXPIRED_EVERY_MS = 5 * 1000
/** A pause after each few releases that are made again: visitors come first. */
const RENEW_PAUSE_MS = 1000
const RENEW_AGAIN_MS = 60 * 1000
const WATCH_EVERY_MS = 10 * 1000
const FIRST_BACKUP_MS = 5 * 1000
/** How often to look whether a backup is due, and to try again after a failure. */
const BACKUP_EVERY_MS = 10 * 60 * 1000
/** While another process has the lease: a sweep ends soon, and the lease of a killed one, too. */
const BACKUP_BUSY_MS = 10 * 1000

type Stop = () => Promise<void>

/**
 * Does what a server does beside its requests. @returns a function that stops all of it, and waits
 * for what must not be cut off
 */
export function startWork(runtime: Runtime): Stop {
  const { app, backups, platform } = runtime
  const { log, metrics } = platform
  const stopSweeping = keepSweeping(runtime)
  const every = (ms: number, what: string, act: () => Promise<unknown>) =>
    repeat(ms, async () => {
      await act().catch((err: unknown) => log.error(`${what} failed`, { err }))
      return ms
    })
  const stops = [
    keepWatching(runtime),
    // Also the reminders of a time when no server ran.
    every(REMIND_EVERY_MS, 'reminding approvers', app.approvals.remind),
    every(TELL_EXPIRED_EVERY_MS, 'telling of expired links', app.views.tellExpired),
    // Brings what earlier versions have stored of pages up to date, until all of it is.
    repeat(RENEW_PAUSE_MS, async () => {
      try {
        return (await app.releaseRenewal.renewSome()) ? RENEW_PAUSE_MS : null
      } catch (err) {
        log.error('renewing releases failed', { err })
        return RENEW_AGAIN_MS
      }
    }),
  ]
  if (backups !== null) stops.push(keepBackingUp(backups, metrics))
  return async () => {
    // A sweep may be cut off: the next one goes on.
    void stopSweeping()
    await Promise.all(stops.map((stop) => stop()))
  }
}

/**
 * Acts again and again, never concurrently, however long it takes.
 *
 * @param act answers how long to pause; null ends it
 */
function repeat(firstMs: number, act: () => Promise<number | null>): Stop {
  let isStopped = false
  let running = Promise.resolve()
  let timer = setTimeout(run, firstMs)
  function run(): void {
    running = act().then((pauseMs) => {
      if (!isStopped && pauseMs !== null) timer = setTimeout(run, pauseMs)
    })
  }
  return () => {
    isStopped = true
    clearTimeout(timer)
    return running
  }
}

/** Deletes unneeded data. */
function keepSweeping({ app, outbox, leases, platform }: Runtime): Stop {
  const { log } = platform
  const wasSetForward = createForwardWatch(GRACE_MS)
  const sweepFiles = createFileSweep({ sweeper: app.sweeper, leases, log, wasSetForward })
  const sweeps: Record<string, () => Promise<unknown>> = {
    imports: async () => wasSetForward() || app.pages.sweepImports(),
    trash: async () => wasSetForward() || app.pages.sweepTrash(),
    confirmations: app.confirmations.sweep,
    sessions: app.sessions.sweep,
    oauth: app.oauth.sweep,
    accounts: app.accountDeletion.sweep,
    throttles: app.throttles.sweep,
    'mails to owners': app.ownerMails.sweep,
    events: () => sequence.sweep(platform.database, platform.clock),
    views: app.views.addAbandoned,
    analytics: app.analytics.sweep,
    people: async () => wasSetForward() || app.privacy.sweep(),
    outbox: outbox.sweep,
    webhooks: app.webhooks.sweep,
  }
  /** Each separately, so that an object store that does not answer stops no other deletion. */
  async function attempt(what: string, sweep: () => Promise<unknown>): Promise<void> {
    try {
      await sweep()
    } catch (err) {
      log.error('sweeping failed', { what, err })
    }
  }
  const stops = [
    repeat(FIRST_SWEEP_MS, async () => {
      await attempt('files', sweepFiles)
      return SWEEP_FILES_EVERY_MS
    }),
    repeat(FIRST_SWEEP_MS, async () => {
      for (const [what, sweep] of Object.entries(sweeps)) await attempt(what, sweep)
      return SWEEP_EVERY_MS
    }),
  ]
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}

interface FileSweepDeps extends Pick<Services, 'leases' | 'log'> {
  sweeper: Sweeper
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
      const counts = await sweeper.sweep()
      const orphans = isOrphansDue ? await sweeper.sweepOrphans() : 0
      if (isOrphansDue) orphansDueMs = performance.now() + SWEEP_ORPHANS_EVERY_MS
      if (counts.manifests + counts.blobs + orphans > 0) log.info('swept', { ...counts, orphans })
    })
  }
}

/** Makes the backups that are due. To stop aborts one that is under way. */
function keepBackingUp({ state, runIfDue }: BackupSchedule, metrics: Metrics): Stop {
  metrics.add(
    'handbill_backup_newest_timestamp_seconds',
    'When the newest scheduled backup was made.',
    () => {
      const { newestAt } = state()
      return newestAt === null ? null : Date.parse(newestAt) / 1000
    },
  )
  metrics.add(
    'handbill_backup_up',
    '1 while scheduled backups are made, 0 where the last one failed or is missing.',
    () => (state().problem === null ? 1 : 0),
  )
  const stopping = new AbortController()
  const stop = repeat(FIRST_BACKUP_MS, async () =>
    (await runIfDue(stopping.signal)) ? BACKUP_EVERY_MS : BACKUP_BUSY_MS,
  )
  return () => {
    stopping.abort()
    return stop()
  }
}

const DISK_MESSAGES = {
  ok: 'the disk has space again',
  low: 'the disk is nearly full: free space on the disk of DATA_DIR',
  full: 'the disk is full: free space on the disk of DATA_DIR; deleting pages still works',
}
const DISK_LEVELS = { ok: 'info', low: 'warn', full: 'error' } as const

/** Logs warnings for the operator, such as of a nearly full disk. */
function keepWatching({ platform: { checks, log, metrics } }: Runtime): Stop {
  const clocks = createClockWatch()
  metrics.add(
    'handbill_clock_jumps_total',
    'How often the clock was set by two seconds and more, or the computer slept.',
    clocks.jumps,
  )
  let lastState: DiskState = 'ok'
  return repeat(0, async () => {
    const jumpMs = clocks.check()
    if (jumpMs !== 0) {
      log.warn('the clock of this computer was set, or it slept: links expire by the new time', {
        jump_ms: jumpMs,
      })
    }
    const space = await checks.disk().catch(() => null)
    if (space === null) return WATCH_EVERY_MS
    const state = diskState(space)
    if (state !== lastState) log[DISK_LEVELS[state]](DISK_MESSAGES[state], { ...space })
    lastState = state
    return WATCH_EVERY_MS
  })
}
