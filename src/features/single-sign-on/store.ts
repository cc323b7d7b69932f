import { rawList } from '../../platform/db/raw.ts'
import { deleteBy, insertOnceInto, rowBy, rowsBy, updateBy } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'

export const insertOnce = insertOnceInto('identities')
export const find = rowBy('identities', ['issuer', 'subject'])
export const list = rowsBy('identities', ['account_id'], {
  columns: ['id', 'issuer', 'email', 'created_at', 'last_used_at'],
  order: 'created_at, id',
})

export const listIssuers = rawList<Pick<Tables['identities'], 'account_id' | 'issuer'>>(
  (accountIds) => `SELECT account_id, issuer FROM identities WHERE account_id IN ${accountIds}
    ORDER BY created_at, id`,
)

export const update = updateBy('identities', 'id')
export const remove = deleteBy('identities', 'account_id', 'id')
export const removeAll = deleteBy('identities', 'account_id')
