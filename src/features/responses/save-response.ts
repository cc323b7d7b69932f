import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import type { Limits } from '../../model/plan.ts'
import type { Viewer } from '../../model/viewer.ts'
import { type Clock, timestampOf } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import type { RecordEvent } from '../events/index.ts'
import { addListTypes, type ListTypes } from './report/index.ts'
import { hasSubmission, type SubmissionRow, withSubmission } from './rules.ts'
import * as store from './store.ts'

export interface Receipt {
  id: string
  submitted_at: string
  submit_count: number
}

/** A valid submission with the other data that its transaction needs. */
export interface PreparedSubmission {
  page: Page
  viewer: Viewer
  submissionId: string
  row: SubmissionRow
  limits: Limits
  listTypes: ListTypes
}

interface SaveDeps {
  clock: Clock
  recordEvent: RecordEvent
}

/** A concurrent submission of the same viewer was stored first, and this one wrote nothing. */
export class WriteConflict extends Error {}

/**
 * Stores the viewer's response, or replaces the viewer's earlier one. A submission that is already
 * stored changes nothing.
 *
 * @throws WriteConflict, or Refusal `full`
 */
export async function saveResponse(
  tx: Tx,
  prepared: PreparedSubmission,
  { clock, recordEvent }: SaveDeps,
): Promise<Receipt> {
  const { page, viewer, submissionId, listTypes } = prepared
  const previous = await store.findByViewer(tx, [page.id, viewer.key])
  if (previous !== undefined && hasSubmission(previous.submissions, submissionId)) return previous
  const nowMs = clock.ms()
  const reserved = await reserveQuota(tx, prepared, { previous, nowMs })
  const submittedAt = timestampOf(reserved.last_us)
  const newListTypes = addListTypes(reserved.list_types, listTypes)
  if (newListTypes !== null) await store.setListTypes(tx, [newListTypes, page.id])
  const receipt =
    previous === undefined
      ? await insertFirst(tx, prepared, { submittedAt, nowMs })
      : await replace(tx, prepared, { previous, submittedAt })
  await recordEvent(tx, {
    kind: 'response',
    pageId: page.id,
    count: 1,
    notifyOwner: page.settings.notify_on_response,
    accountId: page.account_id,
    at: submittedAt,
    objectId: receipt.id,
    itemId: receipt.id,
    isOwn: false,
    place: 'open',
    respondent: viewer.displayName,
    email: viewer.email,
    linkId: viewer.linkId,
    isFirst: previous === undefined,
  })
  return receipt
}

/** @throws WriteConflict, or Refusal `full` */
async function reserveQuota(
  tx: Tx,
  { page, viewer, row, limits }: PreparedSubmission,
  { previous, nowMs }: { previous: store.PreviousResponse | undefined; nowMs: number },
): Promise<store.Reserved> {
  const reservation: store.Reservation = {
    page_id: page.id,
    count: previous === undefined ? 1 : 0,
    bytes: row.size_bytes - (previous?.size_bytes ?? 0),
    nowUs: Math.floor(nowMs * 1000),
    max_count: limits.responses_per_page,
    max_bytes: limits.response_bytes_per_page,
  }
  const reserved = await store.reserveQuota(tx, reservation)
  if (reserved !== undefined) return reserved
  // The page may have no counter yet.
  await store.createCounter(tx, [page.id])
  const retried = await store.reserveQuota(tx, reservation)
  if (retried !== undefined) return retried
  // A concurrent submission of this viewer may have used the last of the quota.
  const earlier = await store.findByViewer(tx, [page.id, viewer.key])
  throw earlier === undefined ? full() : new WriteConflict()
}

async function insertFirst(
  tx: Tx,
  { page, viewer, submissionId, row }: PreparedSubmission,
  { submittedAt, nowMs }: { submittedAt: string; nowMs: number },
): Promise<Receipt> {
  const id = newId('rsp', nowMs)
  const isInserted = await store.insertFirst(tx, {
    ...row,
    id,
    page_id: page.id,
    viewer: viewer.key,
    respondent: viewer.displayName,
    submissions: submissionId,
    submitted_at: submittedAt,
  })
  if (!isInserted) throw new WriteConflict()
  return { id, submitted_at: submittedAt, submit_count: 1 }
}

async function replace(
  tx: Tx,
  { submissionId, row }: PreparedSubmission,
  { previous, submittedAt }: { previous: store.PreviousResponse; submittedAt: string },
): Promise<Receipt> {
  const submissions = withSubmission(previous.submissions, submissionId)
  // A script that sends no name does not take back the one that the viewer gave before.
  const name = row.name ?? previous.name
  const replacement = { ...row, name, submissions, submitted_at: submittedAt }
  if (!(await store.replace(tx, previous, replacement))) throw new WriteConflict()
  const { id, submit_count } = previous
  return { id, submitted_at: submittedAt, submit_count: submit_count + 1 }
}

function full() {
  return refuse.conflict('full', 'This page holds as many responses as it can: tell its owner.')
}
