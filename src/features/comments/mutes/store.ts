import type { Db, Tx } from '../../../platform/db/index.ts'

export async function mute(tx: Tx, pageId: string, recipient: string): Promise<void> {
  const row = { page_id: pageId, recipient }
  await tx
    .insertInto('comment_mutes')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function isMuted(db: Db, pageId: string, recipient: string): Promise<boolean> {
  const row = await db
    .selectFrom('comment_mutes')
    .select('page_id')
    .where('page_id', '=', pageId)
    .where('recipient', '=', recipient)
    .executeTakeFirst()
  return row !== undefined
}
