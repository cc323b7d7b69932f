import type { Download } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import type { Plan } from '../../model/plan.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import { isId } from '../../platform/ids.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { RecordEvent } from '../events/index.ts'
import { aliasOf } from './aliases.ts'
import type { ResponseQuery, ResponseReport } from './contract.ts'
import { createFormCache, type Forms } from './form-cache.ts'
import { createReading } from './reading.ts'
import type { Submission } from './rules.ts'
import * as store from './store.ts'
import { createSubmit, type Receipt, type Viewer } from './submit.ts'

export interface Responses {
  /** Who responds: a confirmed address where the page's gate asks for one, else a browser's id. */
  viewerOf(page: Page, who: { email: string } | { device: string }): Viewer
  /**
   * Keeps the viewer's one response to the page: a later one takes the place of the earlier. A
   * submission that came before answers what it was answered then.
   *
   * @throws Refusal `closed`, `full`, `too_large`, `invalid_data` or `gone`
   */
  submit(page: Page, viewer: Viewer, submission: Submission): Promise<Receipt>
  /** @throws Refusal `unknown_explode_key`, or `rate_limited` for one download too many */
  list(page: Page, query: ResponseQuery): Promise<ResponseReport | Download>
  /** @throws Refusal `response_not_found` */
  delete(page: Page, responseId: string): Promise<void>
}

export interface ResponseDeps {
  database: Database
  clock: Clock
  secrets: Secrets
  /** Of the account now; null where it is gone. */
  planOf(accountId: string): Promise<Plan | null>
  /** What the page's published HTML says, or its draft's where none is. */
  formsOf(page: Page): Promise<Forms>
  /** Runs in the transaction that stores the response. */
  recordEvent: RecordEvent
  /** How long a download may stay unread before it ends; a minute unless given. */
  idleTimeoutMs?: number
}

export function createResponses(deps: ResponseDeps): Responses {
  const { database, secrets } = deps
  const formCache = createFormCache(deps.formsOf)

  return {
    viewerOf({ id }, who) {
      const [kind, name] = 'email' in who ? ['email', who.email] : ['device', who.device]
      const key = secrets.sign('viewer', id, kind, name)
      return { key, respondent: 'email' in who ? who.email : aliasOf(key) }
    },
    submit: createSubmit({ ...deps, formCache }),
    list: createReading({ ...deps, formCache }),
    async delete(page, responseId) {
      await database.write(async (tx) => {
        const isThere = isId('rsp', responseId) && (await store.deleteOne(tx, page.id, responseId))
        if (!isThere) throw responseNotFound()
      })
    },
  }
}

function responseNotFound() {
  return refuse.notFound('response_not_found', 'There is no such response on this page.')
}
