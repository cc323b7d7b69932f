import { Hono } from 'hono'
import type { Accounts } from '../../../features/accounts/index.ts'
import type { Sessions } from '../../../features/sessions/index.ts'
import { Refusal } from '../../../model/errors.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Assets } from '../../kit/assets.ts'
import { type BodyReader, isOverload } from '../../kit/body.ts'
import { createCookies } from '../../kit/cookies.ts'
import { assertOwnOrigin } from '../../kit/csrf.ts'
import { readForm } from '../../kit/form.ts'
import { LAYOUT_CSP } from '../../kit/layout.ts'
import { documentResponse } from '../../kit/response.ts'
import { toNewKey } from './developer.ts'
import { type SetupInput, setupClosedPage, setupPage } from './setup-pages.ts'

export interface SetupDeps {
  accounts: Accounts
  sessions: Sessions
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
  const { accounts, sessions, database, assets, baseUrl, bodyReader, secrets } = deps
  const page = { host: new URL(baseUrl).host, assets }
  const cookies = createCookies(baseUrl)
  const showNewKey = toNewKey({ secrets, cookies })
  const routes = new Hono()

  routes.get('/:token', async ({ req }) => {
    const token = req.param('token')
    if (!(await accounts.isSetupLink(token))) return linkClosed(req.raw)
    return documentResponse(req.raw, { csp: LAYOUT_CSP, body: setupPage(page, { token }) })
  })
  routes.post('/:token', async ({ req }) => {
    const token = req.param('token')
    let input: SetupInput = { email: '', name: '' }
    try {
      assertOwnOrigin(req.raw, baseUrl)
      const form = await readForm(req.raw, bodyReader)
      input = { email: form('email'), name: form('name') }
      return await createFirstAccount(token, input, req.raw)
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
  async function createFirstAccount(token: string, { email, name }: SetupInput, request: Request) {
    const fields = { email, name: name || null, plan: 'team' } as const
    const userAgent = request.headers.get('user-agent')
    const { account, key, session } = await database.write(async (tx) => {
      const made = await accounts.setUp(token, fields, tx)
      return { ...made, session: await sessions.create(tx, made.account.id, userAgent) }
    })
    return showNewKey(account.id, key.key, [cookies.session(session)])
  }

  function linkClosed(request: Request): Response {
    return documentResponse(request, { csp: LAYOUT_CSP, status: 410, body: setupClosedPage(page) })
  }

  return routes
}
