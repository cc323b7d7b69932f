import { Download } from '../../model/download.ts'
import { pageGone, refuse } from '../../model/errors.ts'
import type { FormControl } from '../../model/form.ts'
import { JsonText } from '../../model/json-text.ts'
import {
  implement,
  implementVisitor,
  type Operation,
  type VisitorOperation,
} from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { Limits } from '../../model/plan.ts'
import type { Viewer } from '../../model/viewer.ts'
import type { Db, IdQuery, Tx } from '../../platform/db/index.ts'
import { isId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { type RecordEvent, sequence } from '../events/index.ts'
import { deleteResponse, listResponses, type ShortResponse, submitResponse } from './contract.ts'
import { createListResponses } from './list-responses.ts'
import { type JsonValue, listTypesIn, presentShort, validateSubmission } from './report/index.ts'
import { type Forms, hasSubmission, isClosed, type Submission, submissionRow } from './rules.ts'
import { type PreparedSubmission, type Receipt, saveResponse } from './save-response.ts'
import * as store from './store.ts'

export { importResponses, responseRow, responsesOf } from './import-responses.ts'
export type { Forms, Submission } from './rules.ts'
export type { Receipt } from './save-response.ts'
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
    async sizesOf(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
      const rows = await store.findSizes(db, ids)
      return new Map(rows.map((row) => [row.id, row.size_bytes]))
    },
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

export function responseOperations(responses: Responses): Operation[] {
  return [
    implement(listResponses, async ({ page }, query) => {
      const answer = await responses.list(page, query)
      return answer instanceof Download ? answer : { data: answer }
    }),
    implement(deleteResponse, ({ page }, { response_id }) => responses.delete(page, response_id)),
  ]
}

export function responseVisitorOperations(responses: Responses): VisitorOperation[] {
  return [
    implementVisitor(submitResponse, async ({ page, viewer, source }, input) => {
      if (!(await responses.isCollecting(page))) {
        throw refuse.conflict('not_collecting', 'This page no longer takes answers.')
      }
      const { id, data, name = null, controls } = input
      const { pageVersion, path } = source
      const submission = { id, data, name, controls, page_version: pageVersion, path }
      return { data: await responses.submit(page, viewer, submission) }
    }),
  ]
}

const SUBMISSION_ID = /^[\w-]{8,64}$/
const MAX_PATH_LENGTH = 1024

function createSubmit(deps: ResponseDeps) {
  const { database, clock, formsOf, limitsOf, recordEvent, space } = deps
  async function prepare(
    page: Page,
    viewer: Viewer,
    submission: Submission,
  ): Promise<PreparedSubmission> {
    const fields = parseSubmission(submission)
    const limits = await limitsOf(page.account_id)
    if (limits === null) throw pageGone()
    const controls: readonly FormControl[] =
      submission.controls.length === 0 ? [] : (await formsOf(page)).controls
    const row = submissionRow(submission, fields, controls)
    const listTypes = listTypesIn(fields)
    return { page, viewer, submissionId: submission.id, row, limits, listTypes }
  }

  async function repeatedReceipt(
    page: Page,
    viewer: Viewer,
    submissionId: string,
  ): Promise<Receipt | null> {
    const previous = await store.findByViewer(database.read, [page.id, viewer.key])
    return previous && hasSubmission(previous.submissions, submissionId) ? previous : null
  }

  return async function submit(
    page: Page,
    viewer: Viewer,
    submission: Submission,
  ): Promise<Receipt> {
    if (isClosed(page.settings.responses_closed_at, clock.now())) {
      const receipt = await repeatedReceipt(page, viewer, submission.id)
      if (receipt === null) throw closed()
      return pickReceipt(receipt)
    }
    const prepared = await prepare(page, viewer, submission)
    space.assertFits(prepared.row.size_bytes)
    const save = (tx: Tx) => saveResponse(tx, prepared, { clock, recordEvent })
    return pickReceipt(await database.write(save))
  }
}

function pickReceipt(receipt: Receipt): Receipt {
  const { id, submitted_at, submit_count } = receipt
  return { id, submitted_at, submit_count }
}

function parseSubmission({ id, data, path }: Submission): Record<string, JsonValue> {
  const isPath = path.isWellFormed() && !path.includes('\0') && path.length <= MAX_PATH_LENGTH
  if (!SUBMISSION_ID.test(id) || !isPath) {
    const param = isPath ? 'id' : 'path'
    throw refuse.invalid('invalid_data', 'This form sent something that cannot be read.', { param })
  }
  validateSubmission(data)
  return JSON.parse(data)
}

function closed() {
  return refuse.conflict('closed', 'This page no longer takes responses.')
}
