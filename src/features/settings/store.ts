import { raw } from '../../platform/db/raw.ts'
import { deleteBy, upsertInto } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'

export const readAll = raw<Tables['settings'], []>('SELECT name, value FROM settings')

export const upsert = upsertInto('settings', 'name')
export const remove = deleteBy('settings', 'name')
