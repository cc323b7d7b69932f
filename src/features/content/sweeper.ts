import { CLOCKS_APART_MS, type Clock, type Timestamp } from '../../platform/clock.ts'
import { existAny, lowerAll } from '../../platform/db/future-times.ts'
import type { Tx } from '../../platform/db/index.ts'
import type { Services } from '../../platform/services.ts'
import * as store from './store.ts'

/** A page may soon refer to content that was stored within this time. */
export const GRACE_MS = 60 * 60 * 1000
/** Content that was in use until now: only answers in progress still need it. */
const UNDER_WAY_MS = 5 * 60 * 1000
/** What one transaction deletes, and one turn of the event loop: some milliseconds. */
const BATCH = 100
const LONG_AGO = new Date(0).toISOString()

/** Those of the manifests that something refers to, read in the transaction that deletes. */
export type InUse = (tx: Tx, manifestIds: string[]) => Promise<Set<string>>

/** The lease for deleting files, and for work during which no file may be deleted. */
export const FILES_LEASE = 'files'

/** The time at which content that loses its last reference now can be swept. */
export function dueSoon(clock: Clock): Timestamp {
  return clock.after(UNDER_WAY_MS - GRACE_MS)
}

export type Sweeper = ReturnType<typeof createSweeper>

interface SweeperDeps extends Pick<Services, 'database' | 'blobs' | 'clock' | 'log'> {
  inUse: InUse
  /** When the first account was made; null before that. */
  firstAccountAt(): Promise<string | null>
}

export function createSweeper(deps: SweeperDeps) {
  const ofFuture: FoundFiles = new Map()
  return {
    /** Whether `sweep` has anything to do. Cheap, and writes nothing. */
    async isDue() {
      const { read } = deps.database
      const before = deps.clock.after(-GRACE_MS)
      const manifests = await store.manifestCandidates.list(read, before, 1)
      if (manifests.length > 0) return true
      if ((await store.blobCandidates.list(read, before, 1)).length > 0) return true
      if (await existAny(read, deps.clock, store.candidateTimes)) return true
      return store.hasExpiredUploads(read, [deps.clock.now()])
    },
    /**
     * Deletes content that was stored more than an hour ago and lost its last reference: a draft,
     * version or published page five minutes ago, anything else an hour ago.
     */
    async sweep() {
      await lowerAll(deps, { main: store.candidateTimes, others: store.touchedTimes })
      const before = deps.clock.after(-GRACE_MS)
      await deleteExpiredUploads(deps)
      const manifests = await sweepManifests(deps, before)
      return { manifests, blobs: await sweepBlobs(deps, before) }
    },
    /** Deletes files without a row, and unfinished files, which a crash leaves behind. */
    sweepOrphans: () => sweepOrphans(deps, ofFuture),
  }
}

async function deleteExpiredUploads({ database, clock }: SweeperDeps): Promise<void> {
  await database.write(async (tx) => {
    const now = clock.now()
    const hashes = await store.deleteExpiredUploads(tx, [now])
    await store.blobCandidates.mark(tx, hashes, now)
  }, 'freeing')
}

/** @returns how many manifests it deleted */
async function sweepManifests(deps: SweeperDeps, before: string): Promise<number> {
  const { database, inUse } = deps
  const ids = await store.manifestCandidates.list(database.read, before, BATCH)
  if (ids.length === 0) return 0
  const count = await database.write(async (tx) => {
    const used = await inUse(tx, ids)
    const unused = ids.filter((id) => !used.has(id))
    const { deleted, hashes } = await store.deleteManifests(tx, unused, before)
    // They waited with their manifests: what was touched since is kept by that alone.
    await store.blobCandidates.mark(tx, hashes, LONG_AGO)
    await store.manifestCandidates.resolve(tx, ids, before)
    return deleted
  }, 'freeing')
  return count + (ids.length === BATCH ? await sweepManifests(deps, before) : 0)
}

/** @returns how many files of blobs it deleted */
async function sweepBlobs(deps: SweeperDeps, before: string): Promise<number> {
  const { database, blobs } = deps
  const hashes = await store.blobCandidates.list(database.read, before, BATCH)
  if (hashes.length === 0) return 0
  const keys = await database.write(async (tx) => {
    const storageKeys = await store.deleteBlobs(tx, hashes, before)
    await store.blobCandidates.resolve(tx, hashes, before)
    return storageKeys
  }, 'freeing')
  await blobs.delete(keys)
  return keys.length + (hashes.length === BATCH ? await sweepBlobs(deps, before) : 0)
}

/** When files were found that no row names, by key, in milliseconds since the epoch. */
type FoundFiles = Map<string, number>

/**
 * @param ofFuture files that were written later than now: the clock was set back since, so their
 *   hour begins when they are found
 * @returns how many files it deleted
 */
async function sweepOrphans(
  { database, blobs, clock, log, firstAccountAt }: SweeperDeps,
  ofFuture: FoundFiles,
): Promise<number> {
  const nowMs = clock.ms()
  const beforeMs = nowMs - GRACE_MS
  const earlier = new Map(ofFuture)
  ofFuture.clear()
  const unfinished = await blobs.deleteUnfinished(beforeMs)
  const beganMs = Date.parse((await firstAccountAt()) ?? clock.now())
  let older = 0
  const orphans: string[] = []
  for await (const { key, writtenMs } of blobs.list()) {
    const isOfFuture = writtenMs > nowMs + CLOCKS_APART_MS
    if (!isOfFuture && writtenMs > beforeMs) continue
    if (await store.isKeyInUse(database.read, [key])) continue
    const foundMs = isOfFuture ? Math.min(earlier.get(key) ?? nowMs, nowMs) : writtenMs
    if (foundMs > beforeMs) ofFuture.set(key, foundMs)
    else if (writtenMs < beganMs - CLOCKS_APART_MS) older += 1
    else orphans.push(key)
  }
  // They may be those of the database that was meant.
  if (older > 0) log.warn('files that are older than the database are kept', { files: older })
  await blobs.delete(orphans)
  return unfinished + orphans.length
}
