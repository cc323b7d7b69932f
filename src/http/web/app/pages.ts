import type { Assets } from '../../kit/assets.ts'
import type { ConfirmationDescription } from '../../kit/confirmation-actions.ts'
import { type Html, html } from '../../kit/html.ts'
import { layoutPage } from '../../kit/layout.ts'

/**
 * A one-time link's address is told to nobody, not even to pages of this host. Not `no-referrer`:
 * with that, browsers send `Origin: null` with our own forms. Outweighs what every document says.
 */
export const REFERRER_POLICY = 'strict-origin'
const REFERRER = html`<meta name="referrer" content="${REFERRER_POLICY}">`

/** What every page of the app is drawn with. */
export interface View {
  host: string
  assets?: Assets | undefined
}

interface FormView extends View {
  /** Proves that the form came from the page we sent to this browser. */
  formToken: string
  /** What was wrong with what was sent; the field keeps it. */
  error?: string | undefined
}

export interface SignInView extends FormView {
  email?: string
  next: string | null
}

export function signInPage({ email = '', next, ...view }: SignInView): string {
  return page(
    view,
    'Sign in',
    html`<p class="why">Give your email address. A link and a code come by mail; there is no
password.</p>
<form method="post" action="/app/sign-in">
${hidden({ token: view.formToken, next: next ?? '' })}
<label class="field">Email
<input name="email" type="email" autocomplete="email" required autofocus maxlength="320"
 value="${email}"${tied(view.error)}>
</label>
${errorOf(view.error)}
<button class="button">Send me a link</button>
</form>`,
  )
}

export interface CodeView extends FormView {
  /** Only to be shown. */
  email: string | null
  purpose: string
  page_id: string | null
}

/** The same whether or not there is an account. */
export function checkMailPage({ email, purpose, page_id: pageId, ...view }: CodeView): string {
  return page(
    view,
    'Check your mail',
    html`<p class="why">A mail is on its way${email !== null && html` to <b>${email}</b>`}. Open its
link, or type its code here.</p>
<form method="post" action="/app/confirm-code">
${hidden({ token: view.formToken, purpose, page_id: pageId ?? '', email: email ?? '' })}
<label class="field">Code
<input class="code" name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus
 maxlength="16" placeholder="000000"${tied(view.error)}>
</label>
${errorOf(view.error)}
<button class="button">Confirm</button>
</form>
<p class="help">Both work once, for 15 minutes. The code works in this browser only. If nothing
comes, look among the spam, or <a href="/app/sign-in">give the address again</a>.</p>`,
  )
}

export interface ConfirmView extends FormView {
  token: string
  description: ConfirmationDescription
}

/** What a mail's link opens. Looking at it changes nothing. */
export function confirmPage({ token, description, ...view }: ConfirmView): string {
  const { title, text, button } = description
  return page(
    view,
    title,
    html`<p class="why">${text}</p>
<form method="post" action="/app/confirm/${encodeURIComponent(token)}">
${hidden({ token: view.formToken })}
${errorOf(view.error)}
<button class="button">${button}</button>
</form>
<p class="help">Did you not ask for this? Close the page: nothing happens.</p>`,
  )
}

export function linkGonePage(view: View): string {
  return page(
    view,
    'This link is closed',
    html`<p class="why">It works once and for a short time, and it has been used or has expired.</p>
<p class="help">Go back to where you asked for it, and ask again. To sign in, <a
href="/app/sign-in">start here</a>.</p>`,
  )
}

export function refusedPage(view: View, message: string): string {
  return page(
    view,
    'That did not work',
    html`<p class="why">${message}</p>
<p class="help"><a href="/app">Go to your account</a></p>`,
  )
}

/** Under a name that is not ours: a wrong bookmark, a proxy, or somebody's trick. */
export function wrongHostPage({ baseUrl, assets }: { baseUrl: string } & Omit<View, 'host'>) {
  return page(
    { host: new URL(baseUrl).host, assets },
    'This server has another address',
    html`<p class="why">Its account pages are at <a href="${baseUrl}/app">${baseUrl}</a>, and
under no other name.</p>
<p class="help">If you run this server: <code>BASE_URL</code> is the address that people use, and a
proxy in front must pass on the <code>Host</code> it was asked for.</p>`,
  )
}

export function page(view: View, title: string, main: Html): string {
  const { host, assets } = view
  return layoutPage({
    title,
    host,
    assets,
    head: REFERRER,
    main: html`<h1>${title}</h1>\n${main}`,
  })
}

export function hidden(fields: Record<string, string>): Html {
  const inputs = Object.entries(fields).filter(([, value]) => value !== '')
  return html`${inputs.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}`
}

function tied(error: string | undefined): Html | false {
  return error !== undefined && html` aria-invalid="true" aria-describedby="error"`
}

function errorOf(error: string | undefined): Html | false {
  return error !== undefined && html`<p class="error" id="error" role="alert">${error}</p>`
}
