import type { Timestamp } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { Tables } from '../../../platform/db/tables.ts'

/** It may have been freed before, by this account or, long ago, by another. */
export async function putFreed(tx: Tx, row: Tables['freed_slugs']): Promise<void> {
  const { account_id, freed_at } = row
  await tx
    .insertInto('freed_slugs')
    .values(row)
    .onConflict((conflict) => conflict.column('slug').doUpdateSet({ account_id, freed_at }))
    .execute()
}

export async function deleteFreed(tx: Tx, before: Timestamp): Promise<void> {
  await tx.deleteFrom('freed_slugs').where('freed_at', '<', before).execute()
}

/** @returns the row of an account that freed the slug since then; undefined where there is none */
export function findFreed(db: Db, slug: string, since: Timestamp) {
  return db
    .selectFrom('freed_slugs')
    .select('account_id')
    .where('slug', '=', slug)
    .where('freed_at', '>=', since)
    .executeTakeFirst()
}

/** Nobody may take them any more. */
export async function disownFreed(tx: Tx, accountId: string): Promise<void> {
  const slugs = tx.updateTable('freed_slugs').where('account_id', '=', accountId)
  await slugs.set({ account_id: null }).execute()
}

export async function insertImported(tx: Tx, row: Tables['imported_pages']): Promise<void> {
  await tx.insertInto('imported_pages').values(row).execute()
}

/** The origin of an imported page; undefined for a page that was created here. */
export function findOrigin(db: Db, pageId: string) {
  return db
    .selectFrom('imported_pages')
    .select(['from_server', 'from_page_id'])
    .where('page_id', '=', pageId)
    .executeTakeFirst()
}

/** The page of an account that an import brought from there. */
export function findFrom(db: Db, accountId: string, fromPageId: string) {
  return db
    .selectFrom('imported_pages')
    .select('page_id')
    .where('account_id', '=', accountId)
    .where('from_page_id', '=', fromPageId)
    .executeTakeFirst()
}

export async function insertIdempotencyKey(tx: Tx, row: Tables['idempotency_keys']): Promise<void> {
  await tx.insertInto('idempotency_keys').values(row).execute()
}

export function findIdempotencyKey(db: Db, accountId: string, key: string) {
  return db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'answer_sealed', 'created_at'])
    .where('account_id', '=', accountId)
    .where('key', '=', key)
    .executeTakeFirst()
}

export async function deleteIdempotencyKeysOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('account_id', '=', accountId).execute()
}

export async function deleteIdempotencyKeys(tx: Tx, before: string): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}
