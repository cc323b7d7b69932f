import { Hono } from 'hono'
import type { Accounts } from '../../../features/accounts/index.ts'
import type { Confirmations } from '../../../features/confirmations/index.ts'
import type { Sessions } from '../../../features/sessions/index.ts'
import { Refusal } from '../../../model/errors.ts'
import { FIRST_PLAN } from '../../../model/plan.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Assets } from '../../kit/assets.ts'
import { type BodyReader, isOverload } from '../../kit/body.ts'
import { createCookies } from '../../kit/cookies.ts'
import { assertOwnOrigin, isOwnOrigin, originAtSameHost } from '../../kit/csrf.ts'
import { readForm } from '../../kit/form.ts'
import { LAYOUT_CSP } from '../../kit/layout.ts'
import { documentResponse } from '../../kit/response.ts'
import { createHandOver } from './hand-over.ts'
import { createNewKeys } from './new-key.ts'
import { type SetupInput, setupClosedPage, setupPage } from './setup-pages.ts'

export interface SetupDeps {
  accounts: Accounts
  sessions: Sessions
  confirmations: Confirmations
  database: Database
  assets: Assets
  baseUrl: string
  bodyReader: BodyReader
  secrets: Secrets
}

/**
 * The one-time set-up link, which makes the first account. Opening it changes nothing; its button
 * does.
 */
export function setupRoutes(deps: SetupDeps): Hono {
  const { accounts, sessions, confirmations, database, assets, baseUrl, bodyReader, secrets } = deps
  const page = { host: new URL(baseUrl).host, assets }
  const cookies = createCookies(baseUrl)
  const newKeys = createNewKeys({ secrets, cookies })
  const handOver = createHandOver({ accounts, confirmations, secrets, page, baseUrl })
  const routes = new Hono()

  routes.get('/key', ({ req }) => handOver.show(req.raw))
  routes.get('/:token', async ({ req }) => {
    const token = req.param('token')
    if (!(await accounts.isSetupLink(token))) return linkClosed(req.raw)
    return documentResponse(req.raw, { csp: LAYOUT_CSP, body: setupPage(page, { token }) })
  })
  routes.post('/:token', async ({ req }) => {
    const token = req.param('token')
    let input: SetupInput = { email: '', name: '' }
    try {
      const origin = isOwnOrigin(req.raw, baseUrl) ? null : originAtSameHost(req.raw)
      if (origin === null) assertOwnOrigin(req.raw, baseUrl)
      const form = await readForm(req.raw, bodyReader)
      input = { email: form('email'), name: form('name') }
      return origin === null
        ? await createFirstAccount(token, input, req.raw)
        : await createElsewhere(token, input, origin)
    } catch (err) {
      if (!(err instanceof Refusal) || isOverload(err)) throw err
      if (err.kind === 'not_found') return linkClosed(req.raw)
      const body = setupPage(page, { token, input, error: err.message })
      return documentResponse(req.raw, { csp: LAYOUT_CSP, status: 400, body })
    }
  })

  /**
   * The first account operates the server, so it gets the plan without limits.
   *
   * @throws Refusal if the link is closed or the input is invalid
   */
  async function createFirstAccount(token: string, input: SetupInput, request: Request) {
    const browser = cookies.signInBrowser(request)
    const { account, key, session } = await database.write(async (tx) => {
      const made = await accounts.setUp(token, fieldsOf(input), tx)
      return { ...made, session: await sessions.create(tx, made.account.id, browser) }
    })
    return newKeys.redirect(account.id, key.key, [cookies.session(session)])
  }

  /** The same where the browser is at another address of the server, with that origin. */
  async function createElsewhere(token: string, input: SetupInput, origin: string) {
    const { account, key, signIn } = await database.write(async (tx) => {
      const made = await accounts.setUp(token, fieldsOf(input), tx)
      return { ...made, signIn: await handOver.signInToken(tx, made.account.email) }
    })
    return handOver.redirect(origin, { account_id: account.id, key: key.key, token: signIn })
  }

  function linkClosed(request: Request): Response {
    return documentResponse(request, { csp: LAYOUT_CSP, status: 410, body: setupClosedPage(page) })
  }

  return routes
}

function fieldsOf({ email, name }: SetupInput) {
  return { email, name: name || null, plan: FIRST_PLAN }
}
