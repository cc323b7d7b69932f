import type { Insertable } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { SetupLinksTable } from '../../../platform/db/tables.ts'

export async function insertSetupLink(tx: Tx, row: Insertable<SetupLinksTable>): Promise<void> {
  await tx.insertInto('setup_links').values(row).execute()
}

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
