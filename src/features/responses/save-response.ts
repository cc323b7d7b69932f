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

/**
 * Stores the viewer's response, or replaces the viewer's earlier one. A submission that is already
 * stored changes nothing.
 *
 * @throws Refusal `full`; a foreign key violation if the page is deleted
 */
export async function saveResponse(
  tx: Tx,
  { page, viewer, submissionId, row, limits, listTypes }: PreparedSubmission,
  { clock, recordEvent }: SaveDeps,
): Promise<Receipt> {
  await store.lockCounter(tx, [page.id])
  const previous = await store.findByViewer(tx, [page.id, viewer.key])
  if (previous !== undefined && hasSubmission(previous.submissions, submissionId)) return previous
  const nowMs = clock.ms()
  const count = previous === undefined ? 1 : 0
  const bytes = row.size_bytes - (previous?.size_bytes ?? 0)
  const most = [limits.responses_per_page, limits.response_bytes_per_page] as const
  const nowUs = Math.floor(nowMs * 1000)
  const reserved = await store.reserveQuota(tx, [page.id, count, bytes, nowUs, ...most])
  if (reserved === undefined) throw full()
  const newListTypes = addListTypes(reserved.list_types, listTypes)
  if (newListTypes !== null) await store.setListTypes(tx, [newListTypes, page.id])
  const id = previous?.id ?? newId('rsp', nowMs)
  const submittedAt = timestampOf(reserved.last_us)
  const submitCount = (previous?.submit_count ?? 0) + 1
  await store.save(tx, {
    ...row,
    // A script that sends no name does not take back the one that the viewer gave before.
    name: row.name ?? previous?.name ?? null,
    id,
    page_id: page.id,
    viewer: viewer.key,
    respondent: viewer.displayName,
    submissions: previous ? withSubmission(previous.submissions, submissionId) : submissionId,
    submitted_at: submittedAt,
    submit_count: submitCount,
  })
  await recordEvent(tx, {
    kind: 'response',
    pageId: page.id,
    count: 1,
    notifyOwner: page.settings.notify_on_response,
    accountId: page.account_id,
    at: submittedAt,
    objectId: id,
    itemId: id,
    isOwn: false,
    place: 'open',
    respondent: viewer.displayName,
    email: viewer.email,
    linkId: viewer.linkId,
    isFirst: previous === undefined,
  })
  return { id, submitted_at: submittedAt, submit_count: submitCount }
}

function full() {
  return refuse.conflict('full', 'This page holds as many responses as it can: tell its owner.')
}
