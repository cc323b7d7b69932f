import { deletionOf } from '../../../platform/db/delete-in-pieces.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { rawChange, rawRow } from '../../../platform/db/raw.ts'

export interface DailySalt {
  day: number
  salt: string
}
const IS_OVER = 'view_salts.day < excluded.day OR view_salts.day > excluded.day + 1'
/**
 * Overwrites the salt of an earlier day, and of a later one than tomorrow: the clock was set back.
 * Of tomorrow it may be by a node whose clock is ahead.
 *
 * @returns the one in force, which all nodes share
 */
export const replaceSalt = rawRow<DailySalt, [day: number, salt: string]>(`
  INSERT INTO view_salts (id, day, salt) VALUES (1, $1, $2)
  ON CONFLICT (id) DO UPDATE SET
    salt = CASE WHEN ${IS_OVER} THEN excluded.salt ELSE view_salts.salt END,
    day = CASE WHEN ${IS_OVER} THEN excluded.day ELSE view_salts.day END
  RETURNING day, salt`)

const insertDailyViewer = rawChange<[pageId: string, day: number, viewer: string]>(`
  INSERT INTO daily_viewers (page_id, day, viewer) VALUES ($1, $2, $3)
  ON CONFLICT (page_id, day, viewer) DO NOTHING RETURNING viewer`)
/** Of the days that have no salt any more. */
export const deleteDailyViewers = deletionOf<[today: number]>(
  'daily_viewers',
  'page_id, day, viewer',
  'day < $1 OR day > $1 + 1',
)

/** @returns how many of them were not there before */
export async function addDailyViewers(
  tx: Tx,
  { pageId, day }: { pageId: string; day: number },
  viewers: readonly string[],
): Promise<number> {
  let added = 0
  for (const viewer of viewers)
    added += (await insertDailyViewer(tx, [pageId, day, viewer])) ? 1 : 0
  return added
}
