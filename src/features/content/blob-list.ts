import type { Db } from '../../platform/db/index.ts'
import * as store from './store.ts'

const AT_ONCE = 1_000

/** The database columns of a blob. */
export type KnownBlob = Awaited<ReturnType<typeof store.listBlobs>>[number]

/** All blobs by hash. Those with a `storage_key` are in the blob store, the others in their row. */
export async function* knownBlobs(db: Db): AsyncGenerator<KnownBlob> {
  for (let after = ''; ; ) {
    const rows = await store.listBlobs(db, { after, limit: AT_ONCE })
    yield* rows
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)!.hash
  }
}
