import { pageGone, refuse } from '../../model/errors.ts'
import { JsonText } from '../../model/json-text.ts'
import { operationsOf, visitorOperationsOf } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { Limits } from '../../model/plan.ts'
import type { Viewer } from '../../model/viewer.ts'
import { timestampOf } from '../../platform/clock.ts'
import type { Db, IdQuery, Tx } from '../../platform/db/index.ts'
import { isId, newId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { type RecordEvent, sequence } from '../events/index.ts'
import type { Receipt, ShortResponse } from './contract.ts'
import * as contract from './contract.ts'
import { createListResponses } from './list-responses.ts'
import {
  addListTypes,
  type JsonValue,
  type ListTypes,
  listTypesIn,
  presentShort,
  validateSubmission,
} from './report/index.ts'
import {
  type Forms,
  hasSubmission,
  isClosed,
  type Submission,
  type SubmissionRow,
  submissionRow,
  withSubmission,
} from './rules.ts'
import * as store from './store.ts'

export { importResponses, responseRow, responsesOf } from './import-responses.ts'
export type { Forms, Submission } from './rules.ts'
export { countByViewer as countResponses } from './store.ts'

interface ResponseDeps extends Pick<Services, 'database' | 'clock' | 'space'> {
  /** The limits of the account's current plan; null if the account is deleted. */
  limitsOf(accountId: string): Promise<Limits | null>
  /** Finds the forms in the page's published HTML, or in its draft if nothing is published. */
  formsOf(page: Page): Promise<Forms>
  /** Called in the transaction that stores the response. */
  recordEvent: RecordEvent
  /** How long a download may stay unread before it ends; by default one minute. */
  idleTimeoutMs?: number
}

export type Responses = ReturnType<typeof createResponses>

export function createResponses(deps: ResponseDeps) {
  const { database, clock, formsOf, limitsOf, idleTimeoutMs } = deps

  return {
    /** Whether the page is published with a form, or with a script that sends responses. */
    isCollecting: async (page: Page) => (await formsOf(page)).collecting,
    /**
     * Stores the viewer's response to the page, or replaces the viewer's earlier one. A repeated
     * submission gets the same receipt and changes nothing.
     *
     * @throws Refusal `closed`, `full`, `too_large`, `invalid_data` or `gone`
     */
    submit: createSubmit(deps),
    /** @throws Refusal `unknown_explode_key`; `rate_limited` if too many downloads are running */
    list: createListResponses({ database, clock, formsOf, limitsOf, idleTimeoutMs }),
    /** The number and bytes of all responses of the server. */
    total: () => store.sumCounters(database.read),
    /** The number and bytes of the responses of these pages. */
    totalOf: (pageIds: IdQuery, db: Db) => store.sumCounters(db, pageIds),
    /** The number of responses of each page; pages without any are left out. */
    countsOf: (pageIds: readonly string[]) => store.countByPage(database.read, pageIds),
    /** Responses of any pages by id, with their first fields. */
    async readShort(db: Db, ids: readonly string[]): Promise<Map<string, ShortResponse>> {
      const rows = await store.findShort(db, ids)
      return new Map(rows.map((row) => [row.id, presentShort(row)]))
    },
    sizesOf: store.sizesOf,
    /** Responses of any pages by id, with the data as it was sent. */
    async readWhole(db: Db, ids: readonly string[]) {
      const rows = await store.findWhole(db, ids)
      return new Map(rows.map((row) => [row.id, { ...row, data: new JsonText(row.data) }]))
    },
    /** @throws Refusal `response_not_found` */
    async delete(page: Page, responseId: string) {
      await database.write(async (tx) => {
        const isDeleted =
          isId('rsp', responseId) && (await store.deleteOne(tx, page.id, responseId))
        if (!isDeleted) {
          throw refuse.notFound('response_not_found', 'There is no such response on this page.')
        }
        await sequence.forgetItems(tx, [responseId])
      }, 'freeing')
    },
  }
}

export function responseOperations(responses: Responses) {
  return operationsOf(contract, {
    listResponses: ({ page }, query) => responses.list(page, query),
    deleteResponse: ({ page }, { response_id }) => responses.delete(page, response_id),
  })
}

export function responseVisitorOperations(responses: Responses) {
  return visitorOperationsOf(contract, {
    submitResponse: async ({ page, viewer, source }, input) => {
      if (!(await responses.isCollecting(page))) {
        throw refuse.conflict('not_collecting', 'This page no longer takes answers.')
      }
      const { id, data, name = null, controls } = input
      const { pageVersion, path } = source
      const submission = { id, data, name, controls, page_version: pageVersion, path }
      return responses.submit(page, viewer, submission)
    },
  })
}

function createSubmit(deps: ResponseDeps) {
  const { database, clock, formsOf, limitsOf, space } = deps
  return async (page: Page, viewer: Viewer, submission: Submission): Promise<Receipt> => {
    if (isClosed(page.settings.responses_closed_at, clock.now())) {
      const earlier = await store.findByViewer(database.read, [page.id, viewer.key])
      if (earlier && hasSubmission(earlier.submissions, submission.id)) return receiptOf(earlier)
      throw refuse.conflict('closed', 'This page no longer takes responses.')
    }
    validateSubmission(submission.data)
    const fields: Record<string, JsonValue> = JSON.parse(submission.data)
    const limits = await limitsOf(page.account_id)
    if (limits === null) throw pageGone()
    const isPlain = submission.controls.length === 0
    const row = submissionRow(submission, fields, isPlain ? [] : (await formsOf(page)).controls)
    space.assertFits(row.size_bytes)
    const checked = { submissionId: submission.id, row, limits, listTypes: listTypesIn(fields) }
    return database.write((tx) => save(deps, tx, { page, viewer, ...checked }))
  }
}

interface CheckedSubmission {
  page: Page
  viewer: Viewer
  submissionId: string
  row: SubmissionRow
  limits: Limits
  listTypes: ListTypes
}

/**
 * Stores the viewer's response, or replaces the viewer's earlier one. A submission that is already
 * stored changes nothing.
 *
 * @throws Refusal `full`; a foreign key violation if the page is deleted
 */
async function save(
  { clock, recordEvent }: ResponseDeps,
  tx: Tx,
  { page, viewer, submissionId, row, limits, listTypes }: CheckedSubmission,
): Promise<Receipt> {
  await store.lockCounter(tx, [page.id])
  const previous = await store.findByViewer(tx, [page.id, viewer.key])
  if (previous && hasSubmission(previous.submissions, submissionId)) return receiptOf(previous)
  const nowMs = clock.ms()
  const count = previous === undefined ? 1 : 0
  const bytes = row.size_bytes - (previous?.size_bytes ?? 0)
  const most = [limits.responses_per_page, limits.response_bytes_per_page] as const
  const nowUs = Math.floor(nowMs * 1000)
  const reserved = await store.reserveQuota(tx, [page.id, count, bytes, nowUs, ...most])
  if (reserved === undefined) {
    const text = 'This page holds as many responses as it can: tell its owner.'
    throw refuse.conflict('full', text)
  }
  const newListTypes = addListTypes(reserved.list_types, listTypes)
  if (newListTypes !== null) {
    await store.updateCounter(tx, [page.id], { list_types: newListTypes })
  }
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
    respondent: previous?.respondent ?? viewer.displayName,
    // Where it is in lists.
    created_at: previous?.created_at ?? submittedAt,
    submissions: previous ? withSubmission(previous.submissions, submissionId) : submissionId,
    submitted_at: submittedAt,
    submit_count: submitCount,
  })
  await recordEvent(tx, {
    kind: 'response',
    pageId: page.id,
    notifyOwner: page.settings.notify_on_response,
    accountId: page.account_id,
    at: submittedAt,
    objectId: id,
    itemId: id,
    place: 'open',
    respondent: viewer.displayName,
    email: viewer.email,
    linkId: viewer.linkId,
    isFirst: previous === undefined,
  })
  return { id, submitted_at: submittedAt, submit_count: submitCount }
}

function receiptOf({ id, submitted_at, submit_count }: Receipt): Receipt {
  return { id, submitted_at, submit_count }
}
