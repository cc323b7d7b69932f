import { STATUS } from '../../../model/error-codes/meaning.ts'
import { Refusal } from '../../../model/errors.ts'
import { type Html, html } from '../../../model/html.ts'
import type { Site } from '../../../model/site.ts'
import type { Checks } from '../../../platform/checks.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import type { Assets } from '../../kit/assets.ts'
import type { ConfirmationDescription, ConfirmationDone } from '../../kit/confirmation-actions.ts'
import { LAYOUT_CSP, type LayoutParts, layoutPage } from '../../kit/layout.ts'
import {
  type DocumentParts,
  documentResponse,
  redirectTo,
  retryHeaders,
} from '../../kit/response.ts'

/**
 * Keeps the secret path of a one-time link out of the `Referer` header. Not `no-referrer`: with
 * that, browsers send `Origin: null` with our own forms. The meta tag overrides the policy that
 * `documentPage` sets.
 */
const REFERRER_POLICY = 'strict-origin'
const REFERRER_META = html`<meta name="referrer" content="${REFERRER_POLICY}">`

export interface PageContext {
  site: Site
  assets?: Assets | undefined
  checks: Pick<Checks, 'sendsMails'>
}

export interface FormFields {
  formToken: string
  /** What was wrong with the input. The field keeps the input. */
  error?: string | undefined
}

export interface CodeForm extends FormFields {
  email?: string | null
  script: string
  /** Enough mails were sent to the address: the newest is to be used. */
  isSentBefore?: boolean
}

/** The form for the code of a sign-in. Open forms name it so, also those of earlier versions. */
export const CODE_FORM = 'confirm-code'

/** The page is the same whether or not the address has an account. */
export function checkMailPage(context: PageContext, form: CodeForm): string {
  const { formToken, email = null, script, isSentBefore = false, error } = form
  const { sendsMails } = context.checks
  const name = email !== null && html`<b>${displayEmail(email)}</b>`
  const again = sendsMails ? 'Give the address again' : 'Sign in another way'
  const what = isSentBefore ? 'Several mails' : 'A link and a code'
  const to = `/app/${CODE_FORM}`
  const why = sendsMails
    ? html`${what} are on their way${name && html` to ${name}`}.`
    : html`This server sends no mail. ${what}${name && html` for ${name}`} are in its outbox: ask
its operator for them.`
  return appPage(
    context,
    sendsMails ? 'Check your mail' : 'Ask for your link',
    html`<p class="why">${why} ${isSentBefore && 'Open the link of the newest.'}</p>
<form method="post" action="${to}" data-page="${to}">
${hiddenFields({ token: formToken, email: email ?? '' })}
<label class="field">Code
<input class="code" name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus
 maxlength="16" placeholder="000000"${invalidAttributes(error)}>
</label>
${errorMessage(error)}
<button class="button">Confirm</button>
</form>
<p class="help">Both work once, for 15 minutes. The code works in this browser only.${
      sendsMails && ' If nothing comes, look in the spam folder.'
    } <a href="/app/sign-in">${again}</a></p>`,
    { script },
  )
}

export function donePage(context: PageContext, { title, text, link }: ConfirmationDone): string {
  return appPage(
    context,
    title,
    html`<p class="why">${text}</p>
<p class="links"><a href="${link.path}">${link.label}</a></p>`,
  )
}

interface ConfirmForm extends FormFields {
  token: string
  description: ConfirmationDescription
}

/** The page that a mail's link opens. Opening it changes nothing; its button does. */
export function confirmPage(context: PageContext, form: ConfirmForm): string {
  const { token, formToken, error } = form
  const { title, text, quote, button, help = NOT_ASKED } = form.description
  return appPage(
    context,
    title,
    html`<p class="why">${text}</p>
${quote !== undefined && html`<blockquote class="quote" dir="auto">${quote}</blockquote>`}
<form method="post" action="/app/confirm/${encodeURIComponent(token)}">
${hiddenFields({ token: formToken })}
${errorMessage(error)}
<button class="button">${button}</button>
</form>
<p class="help">${help}</p>`,
  )
}
const NOT_ASKED = 'Did you not ask for this? Close the page: nothing happens.'

interface PersonalLinkPage extends FormFields {
  token: string
}

/** A personal link that was used or has expired: the same for everybody, whoever may open it. */
export function usedLinkPage(context: PageContext, form: PersonalLinkPage): string {
  const { token, formToken } = form
  const { sendsMails } = context.checks
  return appPage(
    context,
    'This link works no longer',
    html`<p class="why">A personal link works once, for 14 days. This one was used, or its time is
over.${sendsMails && ' A new one goes to the same address.'}</p>
<form method="post" action="/app/confirm/${encodeURIComponent(token)}/renew">
${hiddenFields({ token: formToken })}
<button class="button">${sendsMails ? 'Send me a new mail' : 'Make a new link'}</button>
</form>
<p class="help">${sendsMails ? IN_FIRST_BROWSER : NO_MAIL}</p>`,
  )
}
const IN_FIRST_BROWSER = 'In the browser that used it, the link still leads to the page.'
const NO_MAIL = `This server sends no mail by itself: a new one waits in its outbox for whoever runs
it. The owner of the page can copy a new link for you instead.`

/** @param isSentBefore enough mails were sent to the address: the newest is to be used */
export function renewedLinkPage(context: PageContext, isSentBefore: boolean): string {
  const { sendsMails } = context.checks
  const mails = isSentBefore ? 'several mails with links are' : 'a mail with a new link is'
  const way = sendsMails ? 'on their way' : 'in the outbox of this server, which sends no mail'
  return appPage(
    context,
    sendsMails ? 'Check your mail' : 'Ask for your link',
    html`<p class="why">If the page may still be opened with that address, ${mails}
${isSentBefore || !sendsMails ? way : 'on its way'}.</p>
<p class="help">If nothing comes, ask the owner of the page.</p>`,
  )
}

/** The personal link of a page whose visitors sign in. */
export function signInAsPage(
  context: PageContext,
  form: { email: string; next: string; formToken: string },
): string {
  const { email, next, formToken } = form
  const { sendsMails } = context.checks
  const other = withNext('/app/sign-in', next)
  return appPage(
    context,
    'This page asks you to sign in',
    html`<p class="why">Its owner invites ${displayEmail(email)}, and lets in who is signed in with
that address. ${
      sendsMails
        ? 'A link and a code come by mail; there is no password.'
        : html`This server sends no mail: <a href="${other}">sign in with a passkey</a>, or ask its
operator for the link that this button makes.`
    }</p>
<form method="post" action="/app/sign-in">
${hiddenFields({ token: formToken, next, email })}
<button class="button">Sign in as ${displayEmail(email)}</button>
</form>
<p class="help">${NOT_ASKED}</p>`,
  )
}

export function linkClosedResponse(context: PageContext, request: Request): Response {
  const body = appPage(
    context,
    'This link is closed',
    html`<p class="why">It works once and for a short time, and it has been used or has expired.</p>
<p class="help">Go back to where you asked for it, and ask again. To sign in, <a
href="/app/sign-in">start here</a>.</p>`,
  )
  return pageResponse(request, { body, status: 410 })
}

export function refusedPage(context: PageContext, message: string): string {
  return appPage(
    context,
    'That did not work',
    html`<p class="why">${message}</p>
<p class="help"><a href="/app">Go to your account</a></p>`,
  )
}

/** Shown to those who proved that the account is theirs, instead of signing them in. */
export function suspendedPage(context: PageContext, message: string): string {
  return appPage(
    context,
    'This account is suspended',
    html`<p class="why">${message}</p>
<p class="help"><a href="/app/sign-in">Sign in with another address</a></p>`,
  )
}

/** Shown when the request's host is not the host of `BASE_URL`. */
export function wrongHostResponse(
  context: PageContext & { baseUrl: string },
  request: Request,
): Response {
  const { baseUrl } = context
  const body = appPage(
    context,
    'This server has another address',
    html`<p class="why">Its account pages are at <a href="${baseUrl}/app">${baseUrl}</a>, and
under no other name.</p>
<p class="help">If you run this server: <code>BASE_URL</code> is the address that people use, and a
proxy in front must pass on the <code>Host</code> it was asked for.</p>`,
  )
  return pageResponse(request, { body, status: 421 })
}

export function appPage(
  { site, assets }: Pick<PageContext, 'site' | 'assets'>,
  title: string,
  main: Html,
  parts: Pick<LayoutParts, 'script' | 'formTarget'> = {},
): string {
  return layoutPage({
    title,
    site,
    assets,
    head: REFERRER_META,
    ...parts,
    main: html`<h1>${title}</h1>\n${main}`,
  })
}

export function hiddenFields(fields: Record<string, string>): Html {
  const inputs = Object.entries(fields).filter(([, value]) => value !== '')
  return html`${inputs.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}`
}

export function invalidAttributes(error: string | undefined): Html | false {
  return error !== undefined && html` aria-invalid="true" aria-describedby="error"`
}

export function errorMessage(error: string | undefined): Html | false {
  return error !== undefined && html`<p class="error" id="error" role="alert">${error}</p>`
}

export interface PageResponseParts extends Omit<DocumentParts, 'csp' | 'isIndexed' | 'isFramed'> {
  csp?: string
}

export function pageResponse(request: Request, parts: PageResponseParts): Response {
  const { body, csp = LAYOUT_CSP, status = 200, cookies = [], headers = {} } = parts
  return documentResponse(request, {
    csp,
    body,
    status,
    cookies,
    headers: { ...headers, 'referrer-policy': REFERRER_POLICY },
  })
}

/** Redirects after a write with 303, so that a reload does not send the form again. */
export function redirectResponse(location: string, cookies: readonly string[] = []): Response {
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  return redirectTo(null, { location, headers, cookies })
}

/** Redirects to the sign-in, which leads on to a path of ours. */
export function signInRedirect(next: string | null): Response {
  return redirectResponse(withNext('/app/sign-in', next))
}

/** The same for an account that is signed in, which a session of more than an hour does not do. */
export function signInAgainRedirect(next: string): Response {
  return redirectResponse(withNext('/app/sign-in?again', next))
}

export function withNext(path: string, next: string | null): string {
  if (next === null) return path
  return `${path}${path.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}`
}

/** The status of a refusal, and its `Retry-After` header where it has a waiting time. */
export function refusalParts({ kind, details }: Refusal) {
  return { status: STATUS[kind], headers: retryHeaders(details?.retry_after_s) }
}

/** Whether the form can be sent again as it is, now or later. */
export function isRetryable(err: unknown): err is Refusal {
  return err instanceof Refusal && (err.code === 'stale_form' || err.code === 'rate_limited')
}
