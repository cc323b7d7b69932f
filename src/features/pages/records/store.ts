import type { Timestamp } from '../../../platform/clock.ts'
import { rawRow, rawWrite } from '../../../platform/db/raw.ts'
import { deleteBy, rowBy, rowsInto, updateBy, upsertInto } from '../../../platform/db/rows.ts'
import type { Tables } from '../../../platform/db/tables.ts'

/** It may have been freed before, by this account or, long ago, by another. */
export const putFreed = upsertInto('freed_slugs', 'slug')

export const deleteFreed = rawWrite<[before: Timestamp]>(
  'DELETE FROM freed_slugs WHERE freed_at < $1',
)

/** @returns the row of an account that freed the slug since then; undefined where there is none */
export const findFreed = rawRow<
  Pick<Tables['freed_slugs'], 'account_id'>,
  [slug: string, since: Timestamp]
>('SELECT account_id FROM freed_slugs WHERE slug = $1 AND freed_at >= $2')

export const updateFreedOf = updateBy('freed_slugs', 'account_id')

export const insertImported = rowsInto('imported_pages')

/** The origin of an imported page; undefined for a page that was created here. */
export const findOrigin = rowBy('imported_pages', ['page_id'])

/** The page of an account that an import brought from there. */
export const findFrom = rowBy('imported_pages', ['account_id', 'from_page_id'])

export const insertIdempotencyKeys = rowsInto('idempotency_keys')
export const findIdempotencyKey = rowBy('idempotency_keys', ['account_id', 'key'])
export const deleteIdempotencyKeysOf = deleteBy('idempotency_keys', 'account_id')

export const deleteIdempotencyKeys = rawWrite<[before: Timestamp]>(
  'DELETE FROM idempotency_keys WHERE created_at < $1',
)
