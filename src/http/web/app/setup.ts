import { Hono } from 'hono'
import type { Accounts } from '../../../features/accounts/index.ts'
import type { Confirmations } from '../../../features/confirmations/index.ts'
import type { Sessions } from '../../../features/sessions/index.ts'
import { Refusal } from '../../../model/errors.ts'
import { html } from '../../../model/html.ts'
import { FIRST_PLAN } from '../../../model/plan.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Assets } from '../../kit/assets.ts'
import { type BodyReader, isOverload, readForm } from '../../kit/body.ts'
import { createCookies } from '../../kit/cookies.ts'
import { assertOwnOrigin, isOwnOrigin, originAtSameHost } from '../../kit/csrf.ts'
import { LAYOUT_CSP, layoutPage } from '../../kit/layout.ts'
import { documentResponse } from '../../kit/response.ts'
import { createHandOver, createNewKeys } from './new-key.ts'
import { errorMessage, invalidAttributes, type PageContext } from './pages.ts'

interface SetupDeps {
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

interface SetupInput {
  email: string
  name: string
}

interface SetupForm {
  token: string
  /** What was wrong with the input. The fields keep the input. */
  error?: string | undefined
  input?: SetupInput | undefined
}

export function setupPage({ host, assets }: PageContext, form: SetupForm): string {
  const { token, error, input = { email: '', name: '' } } = form
  return layoutPage({
    title: 'Set up Handbill',
    host,
    assets,
    main: html`<h1>Set up Handbill</h1>
<p class="why">This makes the first account of this server and its API key. The link works once.</p>
<form method="post" action="${encodeURIComponent(token)}">
<label class="field">Email
<input name="email" type="email" autocomplete="email" required${!input.email && html` autofocus`}
 value="${input.email}"${invalidAttributes(error)}>
</label>
<label class="field"><span>Name <span class="optional">(optional)</span></span>
<input name="name" autocomplete="name" maxlength="200" value="${input.name}">
</label>
${errorMessage(error)}
<button class="button">Create the account</button>
</form>
<p class="help">It operates the server, on the plan without limits. The next page shows its
key once.</p>`,
  })
}

export function setupClosedPage({ host, assets }: PageContext): string {
  return layoutPage({
    title: 'This set-up link is closed',
    host,
    assets,
    main: html`<h1>This set-up link is closed</h1>
<p class="why">It works once and for a short time, and it has been used or has expired.</p>
<p class="help">If you run this server, make an account there with
<code>bin/handbill account add</code> and its key with <code>bin/handbill key create</code>.</p>`,
  })
}
