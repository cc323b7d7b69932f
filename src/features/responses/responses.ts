import type { Download } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import type { Limits } from '../../model/plan.ts'
import type { Viewer } from '../../model/viewer.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ContentSpace } from '../../platform/content-space.ts'
import type { Database, Db, IdQuery } from '../../platform/db/index.ts'
import { isId } from '../../platform/ids.ts'
import type { RecordEvent } from '../events/index.ts'
import type { ResponseQuery, ResponseReport } from './contract.ts'
import { createFormCache, type Forms } from './form-cache.ts'
import { createListResponses } from './list-responses.ts'
import type { Submission } from './rules.ts'
import type { Receipt } from './save-response.ts'
import * as store from './store.ts'
import { createSubmit } from './submit.ts'

export interface Responses {
  /** Whether the page is published with a form, or with a script that sends responses. */
  isCollecting(page: Page): Promise<boolean>
  /**
   * Stores the viewer's response to the page, or replaces the viewer's earlier one. A repeated
   * submission gets the same receipt and changes nothing.
   *
   * @throws Refusal `closed`, `full`, `too_large`, `invalid_data` or `gone`
   */
  submit(page: Page, viewer: Viewer, submission: Submission): Promise<Receipt>
  /** @throws Refusal `unknown_explode_key`; `rate_limited` if too many downloads are running */
  list(page: Page, query: ResponseQuery): Promise<ResponseReport | Download>
  /** The number and bytes of the responses of these pages. */
  totalOf(pageIds: IdQuery, db: Db): Promise<ResponseTotal>
  /** The number and bytes of all responses of the server. */
  total(): Promise<ResponseTotal>
  /** The number of responses of each page; pages without any are left out. */
  countsOf(pageIds: readonly string[]): Promise<Map<string, number>>
  /** @throws Refusal `response_not_found` */
  delete(page: Page, responseId: string): Promise<void>
}

interface ResponseTotal {
  count: number
  bytes: number
}

interface ResponseDeps {
  database: Database
  clock: Clock
  /** The limits of the account's current plan; null if the account is deleted. */
  limitsOf(accountId: string): Promise<Limits | null>
  /** Finds the forms in the page's published HTML, or in its draft if nothing is published. */
  formsOf(page: Page): Promise<Forms>
  space: ContentSpace
  /** Called in the transaction that stores the response. */
  recordEvent: RecordEvent
  /** How long a download may stay unread before it ends; by default one minute. */
  idleTimeoutMs?: number
}

export function createResponses(deps: ResponseDeps): Responses {
  const { database, clock, limitsOf, idleTimeoutMs } = deps
  const formCache = createFormCache(deps.formsOf)

  return {
    isCollecting: async (page) => (await formCache.of(page)).collecting,
    submit: createSubmit({ ...deps, formCache }),
    list: createListResponses({ database, clock, formCache, limitsOf, idleTimeoutMs }),
    total: () => store.sumAllCounters(database.read),
    totalOf: (pageIds, db) => store.sumCounters(db, pageIds),
    countsOf: (pageIds) => store.countByPage(database.read, pageIds),
    async delete(page, responseId) {
      await database.write(async (tx) => {
        const isDeleted =
          isId('rsp', responseId) && (await store.deleteOne(tx, page.id, responseId))
        if (!isDeleted) throw responseNotFound()
      }, 'freeing')
    },
  }
}

function responseNotFound() {
  return refuse.notFound('response_not_found', 'There is no such response on this page.')
}
