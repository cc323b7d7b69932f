import { deleteBy, rowBy, upsertInto } from '../../../platform/db/rows.ts'

export const putLogo = upsertInto('logos', 'account_id')
export const deleteLogo = deleteBy('logos', 'account_id')
export const findLogo = rowBy('logos', ['id'])
