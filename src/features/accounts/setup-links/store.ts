import type { Timestamp } from '../../../platform/clock.ts'
import { rawExists, rawWrite } from '../../../platform/db/raw.ts'
import { rowsInto } from '../../../platform/db/rows.ts'

export const insertSetupLinks = rowsInto('setup_links')

export const isSetupLink = rawExists<[hash: string, now: Timestamp]>(
  'SELECT 1 FROM setup_links WHERE hash = $1 AND expires_at > $2',
)

/** Deletes all set-up links: once there is an account, none is valid. */
export const deleteSetupLinks = rawWrite<[]>('DELETE FROM setup_links')
