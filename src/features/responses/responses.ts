import { Download } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import { JsonText } from '../../model/json-text.ts'
import {
  implement,
  implementVisitor,
  type Operation,
  type VisitorOperation,
} from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { Limits } from '../../model/plan.ts'
import type { Db, IdQuery } from '../../platform/db/index.ts'
import { isId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import { type RecordEvent, sequence } from '../events/index.ts'
import { deleteResponse, listResponses, type ShortResponse, submitResponse } from './contract.ts'
import { createFormCache, type Forms } from './form-cache.ts'
import { createListResponses } from './list-responses.ts'
import { presentShort } from './report/index.ts'
import * as store from './store.ts'
import { createSubmit } from './submit.ts'

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
  const { database, clock, limitsOf, idleTimeoutMs } = deps
  const formCache = createFormCache(deps.formsOf)

  return {
    /** Whether the page is published with a form, or with a script that sends responses. */
    isCollecting: async (page: Page) => (await formCache.of(page)).collecting,
    /**
     * Stores the viewer's response to the page, or replaces the viewer's earlier one. A repeated
     * submission gets the same receipt and changes nothing.
     *
     * @throws Refusal `closed`, `full`, `too_large`, `invalid_data` or `gone`
     */
    submit: createSubmit({ ...deps, formCache }),
    /** @throws Refusal `unknown_explode_key`; `rate_limited` if too many downloads are running */
    list: createListResponses({ database, clock, formCache, limitsOf, idleTimeoutMs }),
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
        await sequence.forgetItem(tx, responseId)
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
    implementVisitor(submitResponse, async ({ page, viewer, source }, given) => {
      if (!(await responses.isCollecting(page))) {
        throw refuse.conflict('not_collecting', 'This page no longer takes answers.')
      }
      const { id, data, name = null, controls } = given
      const { pageVersion, path } = source
      const submission = { id, data, name, controls, page_version: pageVersion, path }
      return { data: await responses.submit(page, viewer, submission) }
    }),
  ]
}
