import { rowsInto } from '../../../platform/db/chunks.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'

export const insertSetupLinks = rowsInto('setup_links')

export function findSetupLink(db: Db, hash: string, now: string) {
  return db
    .selectFrom('setup_links')
    .select('hash')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Deletes all set-up links: once there is an account, none is valid. */
export async function deleteSetupLinks(tx: Tx): Promise<void> {
  await tx.deleteFrom('setup_links').execute()
}
