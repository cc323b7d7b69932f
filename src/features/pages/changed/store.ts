import type { Db } from '../../../platform/db/index.ts'
import { raw, rawWrite } from '../../../platform/db/raw.ts'

/** By the clock of the database: those of the nodes may differ. */
const NOW_MS = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)'

export const insertChange = rawWrite<[slug: string]>(`
  INSERT INTO page_changes (xid, slug, changed_ms)
  VALUES (pg_current_xact_id()::text::bigint, $1, ${NOW_MS}) ON CONFLICT DO NOTHING`)

/** One row for each change, or one without a slug where there is none. */
const selectSince = raw<{ next_xid: number; now_ms: number; slug: string | null }>(`
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS next_xid, ${NOW_MS} AS now_ms,
    page_changes.slug
  FROM (SELECT 1) one LEFT JOIN page_changes ON page_changes.xid >= $1`)

export interface Changed {
  /** Where the next read starts: the oldest transaction that may not have committed yet. */
  next: number
  /** By the clock of the database. */
  nowMs: number
  slugs: string[]
}

/**
 * Reads which pages were changed by this transaction and later ones. None is left out: a
 * transaction that commits after this read is not older than `next`.
 */
export async function readChanges(db: Db, sinceXid: number): Promise<Changed> {
  const rows = await selectSince(db, [sinceXid])
  const { next_xid: next, now_ms: nowMs } = rows[0]!
  return { next, nowMs, slugs: rows.flatMap(({ slug }) => slug ?? []) }
}

export const deleteChanges = rawWrite<[beforeMs: number]>(
  'DELETE FROM page_changes WHERE changed_ms < $1',
)
