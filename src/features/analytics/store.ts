import type { Tx } from '../../platform/db/index.ts'
import { raw } from '../../platform/db/raw.ts'

interface MeasuredView {
  pageId: string
  /** The UTC day on which the view began. */
  day: number
  view: string
}
export interface Measured {
  seconds: number
  /** JSON. */
  parts: string
}

const selectView = raw<Measured>(
  'SELECT seconds, parts FROM measured_views WHERE page_id = $1 AND day = $2 AND view = $3',
)
const upsertView = raw(`
  INSERT INTO measured_views (page_id, day, view, seconds, parts) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (page_id, day, view) DO UPDATE SET
    seconds = excluded.seconds, parts = excluded.parts`)
const countViews = raw<{ count: number }>(
  'SELECT count(*) AS count FROM measured_views WHERE page_id = $1 AND day = $2',
)
const deleteSome = raw<{ day: number }>(`
  DELETE FROM measured_views WHERE (page_id, day, view) IN
    (SELECT page_id, day, view FROM measured_views WHERE day < $1 LIMIT 1000) RETURNING day`)

export async function findMeasured(tx: Tx, { pageId, day, view }: MeasuredView) {
  return (await selectView(tx, [pageId, day, view]))[0] ?? null
}

export async function countMeasured(tx: Tx, pageId: string, day: number): Promise<number> {
  return (await countViews(tx, [pageId, day]))[0]!.count
}

export async function saveMeasured(
  tx: Tx,
  { pageId, day, view }: MeasuredView,
  { seconds, parts }: Measured,
): Promise<void> {
  await upsertView(tx, [pageId, day, view, seconds, parts])
}

/** @returns whether there may be more */
export async function deleteMeasured(tx: Tx, beforeDay: number): Promise<boolean> {
  return (await deleteSome(tx, [beforeDay])).length > 0
}
