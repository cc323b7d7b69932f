import type { Db, Tx } from '../../platform/db/index.ts'
import type { AccessRequest } from './contract.ts'

const RECORD = ['id', 'email', 'created_at', 'decided_at', 'decision'] as const

/** @returns null where the address has asked before: its owner is not mailed again */
export async function insertRequest(
  tx: Tx,
  row: { id: string; page_id: string; email: string; created_at: string },
): Promise<AccessRequest | null> {
  const inserted = await tx
    .insertInto('access_requests')
    .values({ ...row, decided_at: null, decision: null })
    .onConflict((conflict) => conflict.columns(['page_id', 'email']).doNothing())
    .returning(RECORD)
    .executeTakeFirst()
  return (inserted ?? null) as AccessRequest | null
}

export async function listRequests(db: Db, pageId: string): Promise<AccessRequest[]> {
  const rows = await db
    .selectFrom('access_requests')
    .select(RECORD)
    .where('page_id', '=', pageId)
    .orderBy('created_at', 'desc')
    .execute()
  return rows as AccessRequest[]
}

export async function decideRequest(
  tx: Tx,
  { id, page_id: pageId }: { id: string; page_id: string },
  { decision, decided_at: decidedAt }: { decision: 'approve' | 'deny'; decided_at: string },
): Promise<AccessRequest | undefined> {
  const row = await tx
    .updateTable('access_requests')
    .set({ decision, decided_at: decidedAt })
    .where('id', '=', id)
    .where('page_id', '=', pageId)
    .returning(RECORD)
    .executeTakeFirst()
  return row as AccessRequest | undefined
}
