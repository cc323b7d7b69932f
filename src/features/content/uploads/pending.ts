import type { Account } from '../../../model/account.ts'
import { MAX_PENDING_UPLOADS } from '../../../model/plan.ts'
import { tooManyUploads, uploadBytesReached } from '../../../model/quota.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db, Tx } from '../../../platform/db/index.ts'
import * as store from '../store.ts'

/** Uploads of an account that no page has yet: each waits a day for one. */
export interface PendingUploads {
  /**
   * Keeps room for an upload while it arrives, so that what is refused is not stored before.
   *
   * @returns a function that gives the room back
   * @throws Refusal `quota_reached`
   */
  keepRoom(account: Account, bytes: number): Promise<() => void>
  /** Locks the account until the upload is stored. @throws Refusal `quota_reached` */
  assertRoom(tx: Tx, account: Account, bytes: number): Promise<void>
  read(accountId: string, db: Db): Promise<store.Pending>
}

export interface PendingUploadDeps {
  database: Database
  clock: Clock
  lockAccount(tx: Tx, accountId: string): Promise<unknown>
}

export function createPendingUploads(deps: PendingUploadDeps): PendingUploads {
  const { database, clock, lockAccount } = deps
  /** What arrives now, by account. */
  const arriving = new Map<string, store.Pending>()

  const read = (accountId: string, db: Db) =>
    store.findPending(db, { accountId, now: clock.now(), isUsed: store.isInManifest })

  function addArriving(accountId: string, uploads: number, bytes: number): void {
    const sum = plus(arriving.get(accountId), { uploads, upload_bytes: bytes })
    if (sum.uploads === 0) arriving.delete(accountId)
    else arriving.set(accountId, sum)
  }

  return {
    async keepRoom(account, bytes) {
      const { id } = account
      const stored = await read(id, database.read)
      assertFits(account, plus(arriving.get(id), stored), bytes)
      addArriving(id, 1, bytes)
      return () => addArriving(id, -1, -bytes)
    },
    async assertRoom(tx, account, bytes) {
      await lockAccount(tx, account.id)
      assertFits(account, await read(account.id, tx), bytes)
    },
    read,
  }
}

function plus(one: store.Pending | undefined, other: store.Pending): store.Pending {
  return {
    uploads: other.uploads + (one?.uploads ?? 0),
    upload_bytes: other.upload_bytes + (one?.upload_bytes ?? 0),
  }
}

function assertFits(account: Account, pending: store.Pending, bytes: number): void {
  const { uploads, upload_bytes: used } = pending
  if (uploads >= MAX_PENDING_UPLOADS) throw tooManyUploads(uploads)
  if (used + bytes <= account.limits.upload_bytes) return
  throw uploadBytesReached(account, { used, needed: bytes })
}
