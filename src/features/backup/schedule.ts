import {
  type BackupStore,
  backupName,
  backupTime,
  reasonOf,
  type StoredBackup,
} from '../../platform/backup-store/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { hashed } from '../../platform/ids.ts'
import { unlessAborted } from '../../platform/promises.ts'
import type { Services } from '../../platform/services.ts'
import { FILES_LEASE } from '../content/index.ts'
import type { BackupResult } from './create.ts'

const HOUR_MS = 60 * 60 * 1000
const EVERY_MS = 24 * HOUR_MS
/** A backup that is later than in this time was made before the clock was set back. */
const AHEAD_MS = HOUR_MS
/** Another node may be making it. */
const LATE_MS = 26 * HOUR_MS

interface BackupScheduleDeps extends Pick<Services, 'leases' | 'clock' | 'log'> {
  store: BackupStore
  /** How many backups are kept. */
  keep: number
  /** Writes a backup while it is read. */
  write(result: BackupResult): AsyncIterable<Uint8Array>
}

/** A backup a day, made by one of the nodes. */
export function createBackupSchedule(deps: BackupScheduleDeps) {
  const { store, leases, clock, log } = deps
  let newestMs: number | null = null
  /** It stands until there is a newer backup. */
  let failure: { atMs: number; message: string } | null = null
  /** Those that were of the future when they were looked at: they are older than they say. */
  const ofFuture = new Set<string>()

  async function newestTime(): Promise<number | null> {
    const names = (await store.list()).map(({ name }) => name)
    for (const name of names) if (isOfFuture(name, clock)) ofFuture.add(name)
    return backupTime(names.findLast((name) => !ofFuture.has(name)) ?? '')
  }

  /** The listing of the place decides, so that nodes and restarts need no shared state. */
  async function isDue(): Promise<boolean> {
    newestMs = await newestTime()
    if (failure !== null && newestMs !== null && newestMs > failure.atMs) failure = null
    return newestMs === null || clock.ms() - newestMs >= EVERY_MS
  }

  async function makeOne(signal: AbortSignal): Promise<void> {
    try {
      newestMs = await make(deps, signal)
      failure = null
    } catch (err) {
      failure = { atMs: clock.ms(), message: reasonOf(err as Error) }
      throw err
    }
  }

  async function runIfDue(stopping: AbortSignal): Promise<boolean> {
    try {
      if (!(await isDue())) return true
      const run = await leases.run(FILES_LEASE, async (losing) => {
        // Another node may have made it meanwhile.
        if (await isDue()) await makeOne(AbortSignal.any([losing, stopping]))
      })
      return run !== null
    } catch (err) {
      if (stopping.aborted) return true
      // A look at the place that failed is over with the next.
      failure ??= { atMs: 0, message: reasonOf(err as Error) }
      log.error('the scheduled backup failed', { place: store.place, err })
      return true
    }
  }

  return {
    /**
     * Makes a backup if the newest one is a day old. Problems go to the log and to `state`.
     *
     * @returns false where another process works on files now: it may be due soon after
     */
    runIfDue,
    state() {
      const newestAt = newestMs === null ? null : new Date(newestMs).toISOString()
      const isLate = newestMs !== null && clock.ms() - newestMs > LATE_MS
      const late = isLate ? 'The newest backup is too old' : null
      return { place: store.place, newestAt, problem: failure?.message ?? late }
    },
  }
}
export type BackupSchedule = ReturnType<typeof createBackupSchedule>

/**
 * Makes a backup, verifies it, and only then deletes the oldest ones beyond the limit. If it lacks
 * files, none is deleted, since an older one may have them.
 *
 * @returns when it was made
 */
async function make(deps: BackupScheduleDeps, signal: AbortSignal): Promise<number> {
  const { store, keep, clock, log } = deps
  const madeMs = clock.ms()
  const name = backupName(madeMs)
  const result: BackupResult = { rows: 0, files: 0, damaged: [] }
  const { chunks, hashOf } = hashed(deps.write(result), () => signal.throwIfAborted())
  await store.deleteUnfinished()
  const { sizeBytes } = await store.put(name, chunks)
  const readAgain = await unlessAborted(store.hashOf(name, sizeBytes), signal)
  if (readAgain !== hashOf()) {
    await store.delete(name)
    throw new Error('The backup that was read again is not the one that was written')
  }
  const { rows, files, damaged } = result
  if (damaged.length > 0) {
    throw new Error(
      `${damaged.length} files are missing or damaged, and not in the backup: ` +
        'handbill doctor names them',
    )
  }
  const old = tooMany((await store.list()).filter((each) => each.name !== name))
  for (const each of old) await store.delete(each.name)
  const fields = { place: store.place, name, size_bytes: sizeBytes, rows, files }
  log.info('a backup was made', { ...fields, deleted: old.length })
  return backupTime(name)!

  /** The oldest ones first, and before them those of a clock that was set back since. */
  function tooMany(others: readonly StoredBackup[]): StoredBackup[] {
    const future = others.filter((each) => isOfFuture(each.name, clock))
    const past = others.filter((each) => !isOfFuture(each.name, clock))
    return [...future, ...past].slice(0, Math.max(0, others.length + 1 - keep))
  }
}

function isOfFuture(name: string, clock: Clock): boolean {
  return (backupTime(name) ?? 0) > clock.ms() + AHEAD_MS
}
