import { Hono } from 'hono'
import { SIGN_IN } from '../../../features/sessions/index.ts'
import { Refusal } from '../../../model/errors.ts'
import { html } from '../../../model/html.ts'
import { FIRST_PLAN } from '../../../model/plan.ts'
import { isOverload, readForm } from '../../kit/body.ts'
import { assertOwnOrigin, isOwnOrigin, originAtSameHost } from '../../kit/csrf.ts'
import type { AppContext } from './context.ts'
import { redirectToHandOver, redirectWithKey, showHandOver } from './new-key.ts'
import {
  appPage,
  errorMessage,
  invalidAttributes,
  type PageContext,
  pageResponse,
} from './pages.ts'

/**
 * The one-time set-up link, which makes the first account. Opening it changes nothing; its button
 * does.
 */
export function setupRoutes(context: AppContext): Hono {
  const { accounts, sessions, confirmations, database, cookies } = context
  const { baseUrl, bodyReader } = context
  const routes = new Hono()

  routes.get('/key', ({ req }) => showHandOver(context, req.raw))
  routes.get('/:token', async ({ req }) => {
    const token = req.param('token')
    if (!(await accounts.isSetupLink(token))) return linkClosed(req.raw)
    return pageResponse(req.raw, { body: setupPage(context, { token }) })
  })
  routes.post('/:token', async ({ req }) => {
    const token = req.param('token')
    let input: SetupInput = { email: '', name: '' }
    try {
      const origin = isOwnOrigin(req.raw, baseUrl) ? null : originAtSameHost(req.raw)
      if (origin === null) assertOwnOrigin(req.raw, baseUrl)
      const form = await readForm(req.raw, bodyReader)
      input = { email: form('email'), name: form('name') }
      return await createFirstAccount(token, input, { request: req.raw, origin })
    } catch (err) {
      if (!(err instanceof Refusal) || isOverload(err)) throw err
      if (err.kind === 'notFound') return linkClosed(req.raw)
      const body = setupPage(context, { token, input, error: err.message })
      return pageResponse(req.raw, { status: 400, body })
    }
  })

  /**
   * The first account operates the server, so it gets the plan without limits.
   *
   * @param from `origin` is null at `BASE_URL`. Elsewhere a one-time link signs the browser in.
   * @throws Refusal if the link is closed or the input is invalid
   */
  async function createFirstAccount(
    token: string,
    { email, name }: SetupInput,
    { request, origin }: { request: Request; origin: string | null },
  ) {
    const browser = cookies.signInBrowser(request)
    const fields = { email, name: name || null, plan: FIRST_PLAN }
    const newKey = await database.write(async (tx) => {
      const { account, key } = await accounts.setUp(token, fields, tx)
      const session =
        origin === null
          ? await sessions.create(tx, account.id, browser)
          : (await confirmations.start(tx, { purpose: SIGN_IN, email: account.email })).token
      return { account_id: account.id, key: key.key, token: session }
    })
    return origin === null
      ? redirectWithKey(context, newKey, newKey.token)
      : redirectToHandOver(context, origin, newKey)
  }

  function linkClosed(request: Request): Response {
    return pageResponse(request, { status: 410, body: setupClosedPage(context) })
  }

  return routes
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

export function setupPage(context: PageContext, form: SetupForm): string {
  const { token, error, input = { email: '', name: '' } } = form
  return appPage(
    context,
    `Set up ${context.site.name}`,
    html`<p class="why">This makes the first account of this server and its API key. The link works
once.</p>
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
  )
}

export function setupClosedPage(context: PageContext): string {
  return appPage(
    context,
    'This set-up link is closed',
    html`<p class="why">It works once and for a short time, and it has been used or has expired.</p>
<p class="help">If you run this server, make an account there with
<code>bin/handbill account add</code> and its key with <code>bin/handbill key create</code>.</p>`,
  )
}
