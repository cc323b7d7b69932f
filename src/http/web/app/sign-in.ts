import type { Hono } from 'hono'
import { noAccountMail, SIGN_IN, signInMail } from '../../../features/sessions/index.ts'
import { refuse } from '../../../model/errors.ts'
import { type Html, html } from '../../../model/html.ts'
import { takesPasskeys } from '../../../model/passkeys.ts'
import { parseEmail } from '../../../model/text.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import { atFixedTime } from '../../../platform/promises.ts'
import type { ConfirmationAction } from '../../kit/confirmation-actions.ts'
import { safeNext } from '../../kit/csrf.ts'
import { layoutPolicy } from '../../kit/layout.ts'
import { type AppContext, admit, standingOf } from './context.ts'
import {
  appPage,
  CODE_FORM,
  type CodeForm,
  checkMailPage,
  donePage,
  errorMessage,
  type FormFields,
  hiddenFields,
  invalidAttributes,
  isRetryable,
  type PageContext,
  pageResponse,
  redirectResponse,
  refusalParts,
  signInRedirect,
  withNext,
} from './pages.ts'

export const SIGN_IN_FORM = 'sign-in'
const BAD_EMAIL = 'This is not an email address. It looks like ann@example.com.'

interface SignInInput {
  email?: string
  next: string | null
  error?: string
}

/** Sign-in by mail: the form for the address, and the mail with a link and a code. */
export function signInRoutes(context: AppContext, routes: Hono): void {
  const { resolveSession } = context

  routes.get('/sign-in', async ({ req }) => {
    const next = safeNext(req.query('next'))
    const session = await resolveSession(req.raw)
    const isAgain = req.query('again') !== undefined && session?.has_recent_sign_in === false
    const email = req.query('email')
    // A tab of another account asks.
    const isOther = email !== undefined && session?.account.email !== parseEmail(email)
    if (session !== null && !isAgain && !isOther) return redirectResponse(next ?? '/app')
    return formResponse(context, req.raw, { next, ...(email !== undefined && { email }) })
  })
  routes.post('/sign-in', ({ req }) => sendLink(context, req.raw))
  // The end of a sign-in in a tab of its own, beside the one that asked for it.
  routes.get('/signed-in', async ({ req }) => {
    if ((await resolveSession(req.raw)) === null) return signInRedirect(null)
    const body = donePage(context, {
      title: 'You are signed in',
      text: 'Go back to the tab where you were: it goes on by itself. You can close this one.',
      link: { path: '/app', label: 'Open the app here' },
    })
    return pageResponse(req.raw, { body })
  })
}

interface FormResponse extends SignInInput {
  status?: number
  headers?: Record<string, string>
}

function formResponse(context: AppContext, request: Request, parts: FormResponse): Response {
  const { status = 200, headers = {}, ...input } = parts
  const { searchParams } = new URL(request.url)
  const script = takesPasskeys(context.baseUrl) ? context.assets.text('sign-in.js') : null
  const form = {
    ...input,
    provider: context.singleSignOn?.name ?? null,
    hasSignedOut: searchParams.has('signed_out'),
    isAgain: searchParams.has('again'),
    script,
  }
  return context.formPage(request, {
    action: SIGN_IN_FORM,
    body: (formToken) => signInPage(context, { ...form, formToken }),
    status,
    headers,
    ...(script !== null && { csp: layoutPolicy({ script }) }),
  })
}

interface Recipient {
  email: string
  browser: string
  next: string | null
}

/**
 * Writes the same rows for every address, with or without an account. Only the mail says whether
 * there is one. Without one, neither its link nor its code exists.
 */
async function startConfirmation(context: AppContext, { email, browser, next }: Recipient) {
  const { database, confirmations, sendMail, site, baseUrl } = context
  const isAllowed = (await standingOf(context, { email })) !== 'none'
  await database.write(async (tx) => {
    const options = { purpose: SIGN_IN, email, browser, details: { next }, isDecoy: !isAllowed }
    const { token, code } = await confirmations.start(tx, options)
    const { host } = site
    const mail = isAllowed
      ? signInMail({ to: email, host, url: `${baseUrl}/app/confirm/${token}`, code })
      : noAccountMail({ to: email, host, url: `${baseUrl}/app/sign-in` })
    await sendMail(tx, mail)
  }, 'freeing')
}

async function sendLink(context: AppContext, request: Request): Promise<Response> {
  const { form, assertFor } = await context.readForm(request)
  const next = safeNext(form('next'))
  const input = form('email')
  const email = parseEmail(input)
  const browser = context.browserOf(request)
  const session = await context.resolveSession(request)
  let isMailed: boolean
  try {
    // The app asks for a mail to its own account, with the session instead of a form's token.
    if (email === null || email !== session?.account.email) assertFor(SIGN_IN_FORM)
    if (email === null) {
      return formResponse(context, request, { email: input, next, error: BAD_EMAIL, status: 400 })
    }
    const address = context.addressOf(request)
    const sender = { ...context.knownBrowsers.senderOf(request, email), address }
    isMailed = await context.mailBudget.mayMail({ scope: 'sign-in', ...sender })
  } catch (err) {
    if (!isRetryable(err)) throw err
    const { message: error } = err
    return formResponse(context, request, { email: input, next, error, ...refusalParts(err) })
  }
  if (isMailed) await atFixedTime(() => startConfirmation(context, { email, browser, next }))
  return codeResponse(context, request, { email, isSentBefore: !isMailed, browser })
}

interface CodeResponse extends Omit<CodeForm, 'formToken' | 'script'> {
  browser?: string
  status?: number
  headers?: Record<string, string>
}

/** The form for the code of a mail: after the address, after a wrong code, and by itself. */
export function codeResponse(context: AppContext, request: Request, parts: CodeResponse): Response {
  const { browser, status = 200, headers = {}, ...fields } = parts
  const script = context.assets.text('gate.fragment.js')
  const body = (formToken: string) => checkMailPage(context, { ...fields, formToken, script })
  const csp = layoutPolicy({ script })
  return context.formPage(request, { action: CODE_FORM, body, status, headers, csp }, browser)
}

/**
 * Signs the browser in to the account of an address that it has proved.
 *
 * @throws Refusal `no_account` or `account_suspended`
 */
export async function signIn(
  context: AppContext,
  tx: Tx,
  { email, next, request }: { email: string; next: unknown; request: Request },
): Promise<{ next: string; cookies: string[] }> {
  const { sessions, cookies } = context
  const account = await admit(context, { email }, tx)
  if (account === null) {
    throw refuse.forbidden(
      'no_account',
      `There is no account for ${displayEmail(email)} on this server.`,
    )
  }
  const token = await sessions.create(tx, account.id, cookies.signInBrowser(request))
  const path = typeof next === 'string' ? safeNext(next) : null
  return { next: path ?? '/app', cookies: [cookies.session(token)] }
}

/** Signs the browser in when a sign-in link or code is redeemed. */
export function signInAction(context: AppContext): ConfirmationAction {
  const { accounts, site } = context
  return {
    async describe({ email }) {
      const account = await accounts.findByEmail(email)
      const isNew = account === null && (await standingOf(context, { email })) === 'account'
      const name = displayEmail(email)
      const subject = isNew ? `This makes an account for ${name}, and` : 'This'
      return {
        title: isNew ? 'Make an account' : 'Sign in',
        text: `${subject} signs this browser in to ${site.host}${isNew ? '' : ` as ${name}`}.`,
        button: isNew ? 'Make the account' : 'Sign in',
      }
    },
    act: (tx, { email, details }, request) =>
      signIn(context, tx, { email, next: details?.next, request }),
  }
}

interface SignInForm extends FormFields {
  email?: string
  next: string | null
  /** The name of the provider that people may sign in with, too. */
  provider: string | null
  hasSignedOut: boolean
  /** It is signed in, and something asks for a newer sign-in. */
  isAgain: boolean
  /** The script of the button for passkeys; null where browsers take none at this address. */
  script: string | null
}

/** What the person can do is said before anything is asked. */
export function signInPage(context: PageContext, form: SignInForm): string {
  const { provider, hasSignedOut, isAgain, script } = form
  const { sendsMails } = context.checks
  const title = isAgain ? 'Sign in again' : 'Sign in'
  const isMailFirst = sendsMails && provider === null
  return appPage(
    context,
    hasSignedOut ? 'You are signed out' : title,
    html`${
      isAgain &&
      html`<p class="help">You signed in more than an hour ago. What comes next asks
for a newer sign-in.</p>`
    }
${!sendsMails && noMailPart(script !== null)}
${provider !== null && providerPart(provider, form)}
${script !== null && !isMailFirst && passkeyPart(context, form)}
${!isMailFirst && html`<p class="or">${sendsMails ? 'or by mail' : 'or by the outbox'}</p>`}
${mailPart(context, form)}
${script !== null && isMailFirst && passkeyPart(context, form)}`,
    { script: script ?? undefined },
  )
}

function noMailPart(takesPasskeys: boolean): Html {
  const [ways, others] = takesPasskeys
    ? [
        'Sign in with a passkey, or ask its operator for a link:',
        html`<p class="help"
id="no-passkeys" hidden>This browser has no passkeys.</p>`,
      ]
    : [
        'Ask its operator for a link:',
        html`<p class="help">Browsers take passkeys at addresses with
https and a name, and at http://localhost: not at this one.</p>`,
      ]
  return html`<p class="why">This server sends no mail. ${ways}</p>
<pre tabindex="0"><code>handbill account sign-in EMAIL</code></pre>
${others}`
}

/** Another way to sign in: a link, as browsers forbid a form of ours to lead to another host. */
function providerPart(provider: string, { next, hasSignedOut }: SignInForm): Html {
  const href = withNext('/app/sign-in/sso', next)
  return html`${hasSignedOut && html`<p class="why">You may still be signed in at ${provider}.</p>`}
<a class="button" href="${href}">Continue with ${provider}</a>`
}

/** Its script shows it, in browsers that have passkeys. */
function passkeyPart({ checks }: PageContext, { next, provider }: SignInForm): Html {
  const { sendsMails } = checks
  const isFirst = provider === null && !sendsMails
  return html`<div id="passkey" class="ways" data-next="${next ?? ''}" hidden>
${sendsMails && provider === null && html`<p class="or">or</p>`}
<button type="button" class="button${!isFirst && ' quiet'}">Sign in with a passkey</button>
<p class="error" role="alert" hidden></p>
</div>`
}

function mailPart(context: PageContext, form: SignInForm): Html {
  const { formToken, email = '', next, error, provider, script } = form
  const { sendsMails } = context.checks
  const isFirst = sendsMails && provider === null
  const about = sendsMails
    ? 'Give your email address. A link and a code come by mail; there is no password.'
    : 'The mail is a file in the server’s outbox; its operator can read it.'
  const action = sendsMails ? 'Send me a link' : 'Make a link'
  return html`<p class="${isFirst ? 'why' : 'help'}">${about}</p>
<form method="post" action="/app/sign-in">
${hiddenFields({ token: formToken, next: next ?? '' })}
<label class="field">Email
<input name="email" type="email" autocomplete="email${script !== null && ' webauthn'}" required${
    isFirst && html` autofocus`
  } maxlength="320"
 value="${email}"${invalidAttributes(error)}>
</label>
${errorMessage(error)}
<button class="button${!isFirst && ' quiet'}">${action}</button>
</form>`
}
