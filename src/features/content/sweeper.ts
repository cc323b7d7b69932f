import type { Blobs } from '../../platform/blobs/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import * as store from './store.ts'

/** Content stored within this time may be about to be used by a page. */
const GRACE_MS = 60 * 60 * 1000
const BATCH = 500

/** Those of the manifests that something refers to, read in the transaction that deletes. */
export type InUse = (tx: Tx, manifestIds: string[]) => Promise<Set<string>>

export interface Sweeper {
  /** Deletes content that lost its last reference an hour ago. Cheap when there is none. */
  sweep(): Promise<{ manifests: number; blobs: number }>
  /** Deletes files that no row names, and unfinished files: a crash leaves them behind. */
  sweepOrphans(): Promise<number>
}

export interface SweeperDeps {
  database: Database
  blobs: Blobs
  clock: Clock
  inUse: InUse
}

export function createSweeper({ database, blobs, clock, inUse }: SweeperDeps): Sweeper {
  const cutoff = () => clock.after(-GRACE_MS)

  async function sweepManifests(before: string): Promise<number> {
    const ids = await store.listCandidateManifests(database.read, before, BATCH)
    if (ids.length === 0) return 0
    const swept = await database.write(async (tx) => {
      const used = await inUse(tx, ids)
      const unused = ids.filter((id) => !used.has(id))
      const hashes = await store.deleteManifests(tx, unused, before)
      await store.markUnreferencedBlobs(tx, hashes, clock.now())
      await store.resolveCandidateManifests(tx, ids, before)
      return unused.length
    })
    return swept + (ids.length === BATCH ? await sweepManifests(before) : 0)
  }

  async function sweepBlobs(before: string): Promise<number> {
    const hashes = await store.listCandidateBlobs(database.read, before, BATCH)
    if (hashes.length === 0) return 0
    const keys = await database.write(async (tx) => {
      const deleted = await store.deleteBlobs(tx, hashes, before)
      await store.resolveCandidateBlobs(tx, hashes, before)
      return deleted
    })
    for (const key of keys) await blobs.delete(key)
    return keys.length + (hashes.length === BATCH ? await sweepBlobs(before) : 0)
  }

  return {
    async sweep() {
      const before = cutoff()
      await database.write(async (tx) =>
        store.markUnreferencedBlobs(
          tx,
          await store.deleteExpiredUploads(tx, clock.now()),
          clock.now(),
        ),
      )
      return { manifests: await sweepManifests(before), blobs: await sweepBlobs(before) }
    },
    async sweepOrphans() {
      let swept = await blobs.deleteUnfinished(clock.ms() - GRACE_MS)
      for await (const { key, writtenMs } of blobs.list()) {
        if (clock.ms() - writtenMs < GRACE_MS) continue
        if ((await store.keysInUse(database.read, [key])).has(key)) continue
        await blobs.delete(key)
        swept += 1
      }
      return swept
    },
  }
}
