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

/** Deletes all set-up links: once there is an account, none is valid. @returns their hashes */
export async function deleteSetupLinks(tx: Tx): Promise<string[]> {
  const deleted = await tx.deleteFrom('setup_links').returning('hash').execute()
  return deleted.map(({ hash }) => hash)
}
