import type { Tx } from '../../platform/db/index.ts'
import type { ContentDeps } from './content.ts'
import * as store from './store.ts'

/** Content put within this time may be on its way into a page. */
const GRACE_MS = 60 * 60 * 1000
const BATCH = 500

/** Which of these manifests something still points at, asked within the deleting transaction. */
export type InUse = (tx: Tx, manifestIds: string[]) => Promise<Set<string>>

export interface Sweeper {
  /** Removes what has lost its last reference for an hour. Cheap when there is nothing to do. */
  sweep(): Promise<{ manifests: number; blobs: number }>
  /** Removes stored files that no row knows, and halves of files: what a crash left behind. */

  sweepOrphans(): Promise<number>
}

export function createSweeper({
  database,
  blobs,
  clock,
  inUse,
}: ContentDeps & { inUse: InUse }): Sweeper {
  const cutoff = () => clock.after(-GRACE_MS)

  async function sweepManifests(before: string): Promise<number> {
    const ids = await store.listLooseManifests(database.read, before, BATCH)
    if (ids.length === 0) return 0
    const swept = await database.write(async (tx) => {
      const used = await inUse(tx, ids)
      const unused = ids.filter((id) => !used.has(id))
      const hashes = await store.deleteManifests(tx, unused, before)
      await store.markLooseBlobs(tx, hashes, clock.now())
      await store.settleLooseManifests(tx, ids, before)
      return unused.length
    })
    return swept + (ids.length === BATCH ? await sweepManifests(before) : 0)
  }

  async function sweepBlobs(before: string): Promise<number> {
    const hashes = await store.listLooseBlobs(database.read, before, BATCH)
    if (hashes.length === 0) return 0
    const keys = await database.write(async (tx) => {
      const deleted = await store.deleteBlobs(tx, hashes, before)
      await store.settleLooseBlobs(tx, hashes, before)
      return deleted
    })
    for (const key of keys) await blobs.delete(key)
    return keys.length + (hashes.length === BATCH ? await sweepBlobs(before) : 0)
  }

  return {
    async sweep() {
      const before = cutoff()
      await database.write(async (tx) =>
        store.markLooseBlobs(tx, await store.deleteExpiredUploads(tx, clock.now()), clock.now()),
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
