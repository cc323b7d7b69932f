import { deletionOf } from '../../platform/db/delete-in-pieces.ts'
import { rawCount, rawRow, rawWrite } from '../../platform/db/raw.ts'

/** A view, and the UTC day on which it began. */
type ViewKey = [pageId: string, day: number, view: string]

/** `parts` is JSON. */
export const findMeasured = rawRow<{ seconds: number; parts: string }, ViewKey>(
  'SELECT seconds, parts FROM measured_views WHERE page_id = $1 AND day = $2 AND view = $3',
)
export const saveMeasured = rawWrite<[...ViewKey, seconds: number, parts: string]>(`
  INSERT INTO measured_views (page_id, day, view, seconds, parts) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (page_id, day, view) DO UPDATE SET
    seconds = excluded.seconds, parts = excluded.parts`)
export const countMeasured = rawCount<[pageId: string, day: number]>(
  'SELECT count(*) AS count FROM measured_views WHERE page_id = $1 AND day = $2',
)
export const deleteMeasured = deletionOf<[beforeDay: number]>(
  'measured_views',
  'page_id, day, view',
  'day < $1',
)
