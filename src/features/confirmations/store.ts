import type { Timestamp } from '../../platform/clock.ts'
import { deletionOf } from '../../platform/db/delete-in-pieces.ts'
import { raw } from '../../platform/db/raw.ts'
import { rowsBy, rowsInto, updateBy } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type Row = Tables['confirmations']

export const insert = rowsInto('confirmations')

/** By the hash of the token, and now. */
export const findUnexpired = raw<Row>(`
  SELECT * FROM confirmations WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2`)

export const findUsedSince = raw<Row>(`
  SELECT * FROM confirmations WHERE token_hash = $1 AND used_at >= $2`)

/** Whether it was used, has expired, or neither. */
export const findAny = raw<Row>('SELECT * FROM confirmations WHERE token_hash = $1')

/** One statement, so that of two requests with one link at once only the first gets the row. */
export const markUsed = raw<Row>(`
  UPDATE confirmations SET used_at = $2
  WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2 RETURNING *`)

/**
 * The newest confirmation of a browser, `$1`, purpose and page, if it allows another try. An older
 * one is never tried, whatever happened to the newest. What was created after `$4` is by a clock
 * that was set back since, and counts as older than all else.
 */
export const findForCode = raw<Pick<Row, 'id' | 'email'>>(`
  SELECT id, email FROM confirmations WHERE id = (SELECT id FROM confirmations
      WHERE browser_hash = $1 AND purpose = $2 AND coalesce(page_id, '') = $3
      ORDER BY created_at > $4, created_at DESC, id DESC LIMIT 1)
    AND tries < $5 AND used_at IS NULL AND expires_at > $6`)

/** Counts a try and returns the row, unless the limit is reached, also by concurrent tries. */
export const countTry = raw<Row>(`
  UPDATE confirmations SET tries = tries + 1
  WHERE id = $1 AND tries < $2 AND used_at IS NULL AND expires_at > $3 RETURNING *`)

/** Marks the unused confirmations of page `$1` with details `$2` as used at `$3`. */
export const closeAll = raw(`
  UPDATE confirmations SET used_at = $3 WHERE page_id = $1 AND details = $2 AND used_at IS NULL`)

/**
 * Ends the links of a purpose, `$2`, to one address of a page, which were not used yet. A clock
 * that was set back must not let one of them live on.
 */
export const endLinks = raw(`
  UPDATE confirmations SET used_at = $4
  WHERE page_id = $1 AND purpose = $2 AND email = $3 AND used_at IS NULL`)

/** The links of a purpose of a page, the newest last. */
export const listLinks = rowsBy('confirmations', ['page_id', 'purpose'], {
  columns: ['email', 'created_at', 'details'],
  order: 'created_at',
})

export const findById = raw<Row>('SELECT * FROM confirmations WHERE id = $1')

export const update = updateBy('confirmations', 'id')

/** Deletes what expired before `$1`, and personal links that did before `$2`. */
export const deleteExpired = deletionOf<[before: Timestamp, personalBefore: Timestamp]>(
  'confirmations',
  'id',
  `expires_at < $1 AND (purpose NOT IN ('mailed_link', 'handed_link') OR expires_at < $2)`,
)
