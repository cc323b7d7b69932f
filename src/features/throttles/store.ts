import { deletionOf } from '../../platform/db/delete-in-pieces.ts'
import { rawRow, rawWrite } from '../../platform/db/raw.ts'
import type { Tables } from '../../platform/db/tables.ts'

/** The tries in a window of time, and when it ends. */
export type Window = Pick<Tables['throttles'], 'count' | 'ends_ms'>

/**
 * One statement begins the window or counts within it, so that nodes share the count. A window that
 * ends later than one that begins now was begun before the clock was set back: it keeps its count,
 * and ends one window from now.
 */
export const addTry = rawRow<Window, [key: string, endsMs: number, nowMs: number]>(`
  INSERT INTO throttles (key, ends_ms, count) VALUES ($1, $2, 1)
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN throttles.ends_ms <= $3 THEN 1 ELSE throttles.count + 1 END,
    ends_ms = CASE WHEN throttles.ends_ms <= $3 OR throttles.ends_ms > excluded.ends_ms
      THEN excluded.ends_ms ELSE throttles.ends_ms END
  RETURNING count, ends_ms`)

export const find = rawRow<Window, [key: string, nowMs: number]>(
  'SELECT count, ends_ms FROM throttles WHERE key = $1 AND ends_ms > $2',
)

/** Takes one try back, in whichever window there is. */
export const removeTry = rawWrite<[key: string]>(
  'UPDATE throttles SET count = count - 1 WHERE key = $1 AND count > 0',
)

export const deleteEnded = deletionOf<[nowMs: number]>('throttles', 'key', 'ends_ms <= $1')
