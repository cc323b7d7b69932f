import { type SqlBool, sql } from 'kysely'
import type { Timestamp } from '../../platform/clock.ts'
import { inChunks } from '../../platform/db/chunks.ts'
import type {
  ApprovalDecisionsTable,
  ApprovalRequestsTable,
  ImportedApprovalRecordsTable,
} from '../../platform/db/conversation-tables.ts'
import { inboxRows } from '../../platform/db/inbox-rows.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { raw } from '../../platform/db/raw.ts'
import type { Choice } from './contract.ts'
import type { Decision, PastDecision } from './rules.ts'

/** Stores a decision of a current approver, as this approver's newest. */
export async function insertDecision(
  tx: Tx,
  row: Omit<ApprovalDecisionsTable, 'imported_at' | 'in_inbox'>,
): Promise<void> {
  await tx
    .updateTable('approval_decisions')
    .set({ in_inbox: 0 })
    .where('page_id', '=', row.page_id)
    .where('email', '=', row.email)
    .where('in_inbox', '=', 1)
    .execute()
  await tx
    .insertInto('approval_decisions')
    .values({ ...row, imported_at: null, in_inbox: 1 })
    .execute()
}

const DECISION = ['email', 'decision', 'note', 'manifest_id', 'version_no', 'decided_at'] as const

/** The decisions that this server confirmed, oldest first. */
export async function listDecisions(db: Db, pageId: string): Promise<Decision[]> {
  return (await listAllDecisions(db, pageId)).filter(({ imported_at: at }) => at === null)
}

/** Includes those of an imported page. */
export async function listAllDecisions(db: Db, pageId: string): Promise<PastDecision[]> {
  const rows = await db
    .selectFrom('approval_decisions')
    .select([...DECISION, 'imported_at'])
    .where('page_id', '=', pageId)
    .orderBy('decided_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, decision: row.decision as Choice }))
}

/** The newest decisions of the current approvers of an account's pages. */
export const newestDecisions = inboxRows({
  table: 'approval_decisions',
  at: 'decided_at',
  isListed: 'in_inbox = 1',
})

/** Sets which decisions of a page are in the inbox: the newest ones of these approvers. */
export async function listInInbox(
  tx: Tx,
  pageId: string,
  approvers: readonly string[],
): Promise<void> {
  const isNewest = sql<SqlBool>`NOT EXISTS (
    SELECT 1 FROM approval_decisions AS later
    WHERE later.page_id = approval_decisions.page_id AND later.imported_at IS NULL
      AND later.email = approval_decisions.email
      AND (later.decided_at, later.id) > (approval_decisions.decided_at, approval_decisions.id))`
  const ofPage = tx.updateTable('approval_decisions').where('page_id', '=', pageId)
  await ofPage.set({ in_inbox: 0 }).where('in_inbox', '=', 1).execute()
  if (approvers.length === 0) return
  const counting = ofPage.set({ in_inbox: 1 }).where('imported_at', 'is', null).where(isNewest)
  await counting.where('email', 'in', approvers).execute()
}

export async function findDecisions(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('approval_decisions')
    .select([...DECISION, 'id', 'page_id'])
    .where('id', 'in', ids)
    .execute()
  return rows.map((row) => ({ ...row, decision: row.decision as Choice }))
}

const selectNewest = raw<{ decided_at: Timestamp | null; asked_at: Timestamp | null }>(`
  SELECT (SELECT MAX(decided_at) FROM approval_decisions
      WHERE page_id = $1 AND imported_at IS NULL) AS decided_at,
    (SELECT MAX(asked_at) FROM approval_requests WHERE page_id = $1) AS asked_at`)

/** The times of the page's newest decision and of its newest request. */
export async function findNewest(db: Db, pageId: string) {
  return (await selectNewest(db, [pageId]))[0]!
}

export async function countDecisions(db: Db, pageId: string, email: string): Promise<number> {
  const { count } = await db
    .selectFrom('approval_decisions')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('page_id', '=', pageId)
    .where('email', '=', email)
    .where('imported_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Replaces the earlier request to this address. */
export async function upsertRequest(tx: Tx, row: ApprovalRequestsTable): Promise<void> {
  const { page_id, email: _email, ...changes } = row
  await tx
    .insertInto('approval_requests')
    .values(row)
    .onConflict((conflict) => conflict.columns(['page_id', 'email']).doUpdateSet(changes))
    .execute()
}

export function listRequests(db: Db, pageId: string) {
  return db
    .selectFrom('approval_requests')
    .select(['email', 'asked_at', 'due_at'])
    .where('page_id', '=', pageId)
    .execute()
}

/** The columns of requests that an export contains. */
export function listWholeRequests(db: Db, pageId: string) {
  return db
    .selectFrom('approval_requests')
    .select(['email', 'asked_at', 'due_at', 'remind_at', 'message'])
    .where('page_id', '=', pageId)
    .orderBy('email')
    .execute()
}

export function listDueReminders(db: Db, now: Timestamp, limit: number) {
  return db
    .selectFrom('approval_requests')
    .select(['page_id', 'email', 'due_at', 'remind_at', 'message'])
    .where('remind_at', '<=', now)
    .orderBy('remind_at')
    .limit(limit)
    .execute()
}

interface ReminderKey {
  page_id: string
  email: string
  /** When the reminder was due. Once a node has taken it, the row has another time. */
  remind_at: Timestamp
}

/**
 * Takes a reminder that is due, so that no other node sends it too.
 *
 * @param next when the one after it is due
 * @returns false if another node took it, or the approver has decided
 */
export async function takeReminder(
  tx: Tx,
  { page_id, email, remind_at }: ReminderKey,
  next: Timestamp | null,
): Promise<boolean> {
  const taken = await tx
    .updateTable('approval_requests')
    .set({ remind_at: next })
    .where('page_id', '=', page_id)
    .where('email', '=', email)
    .where('remind_at', '=', remind_at)
    .returning('email')
    .executeTakeFirst()
  return taken !== undefined
}

export async function stopReminders(tx: Tx, pageId: string, email: string): Promise<void> {
  await tx
    .updateTable('approval_requests')
    .set({ remind_at: null })
    .where('page_id', '=', pageId)
    .where('email', '=', email)
    .execute()
}

/** In the order in which they were signed, without the records themselves. */
export function listImportedRecords(db: Db, pageId: string) {
  return db
    .selectFrom('imported_approval_records')
    .select(['id', 'issuer', 'key_id', 'signed_at', 'imported_at'])
    .where('page_id', '=', pageId)
    .orderBy('signed_at')
    .orderBy('id')
    .execute()
}

/** @returns the record as it was imported; undefined where the page has none of this id */
export async function findImportedRecord(
  db: Db,
  pageId: string,
  id: string,
): Promise<string | undefined> {
  const rows = await db
    .selectFrom('imported_approval_records')
    .select('record')
    .where('page_id', '=', pageId)
    .where('id', '=', id)
    .executeTakeFirst()
  return rows?.record
}

export async function insertImportedDecisions(
  tx: Tx,
  rows: readonly ApprovalDecisionsTable[],
): Promise<void> {
  for (const chunk of inChunks(rows, 100)) {
    await tx
      .insertInto('approval_decisions')
      .values([...chunk])
      .execute()
  }
}

export async function insertImportedRequests(
  tx: Tx,
  rows: readonly ApprovalRequestsTable[],
): Promise<void> {
  for (const chunk of inChunks(rows, 100)) {
    await tx
      .insertInto('approval_requests')
      .values([...chunk])
      .execute()
  }
}

export async function insertImportedRecords(
  tx: Tx,
  rows: readonly ImportedApprovalRecordsTable[],
): Promise<void> {
  for (const row of rows) await tx.insertInto('imported_approval_records').values(row).execute()
}
