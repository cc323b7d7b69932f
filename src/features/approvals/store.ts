import type { Db } from '../../platform/db/index.ts'
import { raw, rawList, rawOne } from '../../platform/db/raw.ts'
import { countBy, rowBy, rowsInto, updateBy, upsertInto } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Decision, PastDecision } from './rules.ts'

const DECISION = 'email, decision, note, manifest_id, version_no, decided_at, proof'

/** Oldest first, with those of an imported page. */
export const listAllDecisions = raw<PastDecision, [pageId: string]>(`
  SELECT ${DECISION}, imported_at FROM approval_decisions WHERE page_id = $1
  ORDER BY decided_at, id`)

export const countDecisions = countBy('approval_decisions', 'page_id')

/** The decisions that this server confirmed, oldest first. */
export async function listDecisions(db: Db, pageId: string): Promise<Decision[]> {
  return (await listAllDecisions(db, [pageId])).filter(({ imported_at: at }) => at === null)
}

/** The newest decision of each approver of a page, former ones included. */
export const listNewest = raw<{ id: string; email: string }, [pageId: string]>(`
  SELECT id, email FROM approval_decisions
  WHERE page_id = $1 AND imported_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM approval_decisions AS later
    WHERE later.page_id = approval_decisions.page_id AND later.imported_at IS NULL
      AND later.email = approval_decisions.email
      AND (later.decided_at, later.id) > (approval_decisions.decided_at, approval_decisions.id))`)

export const findDecisions = rawList<Decision & { id: string; page_id: string }>(
  (list) => `SELECT ${DECISION}, id, page_id FROM approval_decisions WHERE id IN ${list}`,
)

/** The times of the page's newest decision and of its newest request. */
export const findNewest = rawOne<
  { decided_at: string | null; asked_at: string | null },
  [pageId: string]
>(`
  SELECT (SELECT MAX(decided_at) FROM approval_decisions
      WHERE page_id = $1 AND imported_at IS NULL) AS decided_at,
    (SELECT MAX(asked_at) FROM approval_requests WHERE page_id = $1) AS asked_at`)

/** Replaces the earlier request to this address. */
export const upsertRequest = upsertInto('approval_requests', 'page_id', 'email')

type Request = Omit<Tables['approval_requests'], 'page_id'>
export const listWholeRequests = raw<Request, [pageId: string]>(`
  SELECT email, asked_at, due_at, remind_at, message FROM approval_requests WHERE page_id = $1
  ORDER BY email`)

/** The requests that want a reminder by now. */
export const listDueReminders = raw<Tables['approval_requests']>(`
  SELECT * FROM approval_requests WHERE remind_at <= $1 ORDER BY remind_at LIMIT $2`)

/**
 * Takes a reminder of a page, to an address, that is due at `$3`, so that no other node sends it
 * too. `$4` is when the one after it is due. No row: another node took it, or the approver has
 * decided.
 */
export const takeReminder = raw<{ email: string }>(`
  UPDATE approval_requests SET remind_at = $4
  WHERE page_id = $1 AND email = $2 AND remind_at = $3 RETURNING email`)

export const updateRequest = updateBy('approval_requests', 'page_id', 'email')

type RecordHead = Omit<Tables['imported_approval_records'], 'page_id' | 'record'>
/** In the order in which they were signed, without the records themselves. */
export const listImportedRecords = raw<RecordHead, [pageId: string]>(`
  SELECT id, issuer, key_id, signed_at, imported_at FROM imported_approval_records
  WHERE page_id = $1 ORDER BY signed_at, id`)

export const findImportedRecord = rowBy('imported_approval_records', ['page_id', 'id'], ['record'])

export const insertDecisions = rowsInto('approval_decisions')

export const insertImportedRequests = rowsInto('approval_requests')

/** One by one: each is up to 2 MB. */
export const insertImportedRecords = rowsInto('imported_approval_records', { most: 1 })
