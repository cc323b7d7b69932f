import { html } from '../../../model/html.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import { createCookies } from '../../kit/cookies.ts'
import { layoutPage, layoutPolicy } from '../../kit/layout.ts'
import { documentResponse } from '../../kit/response.ts'
import type { AppContext } from './context.ts'
import { redirectResponse } from './pages.ts'

const KEY_PURPOSE = 'new-key'

interface NewKey {
  account_id: string
  key: string
}

/**
 * Redirects to the dashboard with the key that the set-up has made. It is sealed for its account in
 * a cookie, so that it is in no address. The document that shows it ends the cookie.
 */
export function redirectWithKey(
  { seal, cookies }: AppContext,
  { account_id, key }: NewKey,
  session: string,
): Response {
  const newKey = cookies.newKey(seal(KEY_PURPOSE, { account_id, key }))
  return redirectResponse('/app', [cookies.session(session), newKey])
}

/** The key in the cookie, if it was sealed for this account. */
export function findNewKey(
  { unseal, cookies }: AppContext,
  request: Request,
  accountId: string,
): string | null {
  const newKey = unseal<NewKey>(KEY_PURPOSE, cookies.newKeyOf(request))
  return newKey?.account_id === accountId ? newKey.key : null
}

const HAND_OVER_PURPOSE = 'set-up-elsewhere'

interface HandOver extends NewKey {
  /** The purpose of a one-time link that signs the browser in. */
  token: string
}

/**
 * Redirects to the page after a set-up at another address of the server than `BASE_URL`, such as
 * the one it listens on. A session there would be useless, because the app is at `BASE_URL` alone.
 * The page shows the key, and its link signs the browser in at `BASE_URL`. A cookie has both,
 * sealed, so that the page survives a reload.
 *
 * @param origin at which the browser is
 */
export function redirectToHandOver(
  { seal }: AppContext,
  origin: string,
  handOver: HandOver,
): Response {
  const cookie = createCookies(origin).newKey(seal(HAND_OVER_PURPOSE, handOver))
  return redirectResponse('/setup/key', [cookie])
}

export async function showHandOver(context: AppContext, request: Request): Promise<Response> {
  const { accounts, baseUrl } = context
  const { protocol, host } = new URL(request.url)
  const origins = [`${protocol}//${host}`, `https://${host}`]
  const cookie = origins.map((origin) => createCookies(origin).newKeyOf(request)).find(Boolean)
  const handOver = context.unseal<HandOver>(HAND_OVER_PURPOSE, cookie ?? null)
  const account = handOver && (await accounts.find(handOver.account_id))
  if (!account) return redirectResponse(`${baseUrl}/app`)
  const { key, token } = handOver
  const signInUrl = `${baseUrl}/app/confirm/${token}`
  const body = handOverPage(context, { email: account.email, key, signInUrl })
  return documentResponse(request, { csp: layoutPolicy({ script: COPY_SCRIPT }), body })
}

/** Copies the key, and says so. Without scripts the button stays hidden. */
const COPY_SCRIPT = `const button = document.querySelector('#copy')
const field = document.querySelector('#key')
button.hidden = false
button.addEventListener('click', async () => {
  field.select()
  try { await navigator.clipboard.writeText(field.value) } catch { document.execCommand('copy') }
  button.textContent = 'Copied'
})`

interface HandOverDetails {
  email: string
  key: string
  signInUrl: string
}

/** Shows the key that the set-up has made. No cache may store the page. */
function handOverPage(context: AppContext, { email, key, signInUrl }: HandOverDetails): string {
  const { site, assets, baseUrl, checks } = context
  return layoutPage({
    title: 'Your API key',
    isWide: true,
    site,
    assets,
    script: COPY_SCRIPT,
    main: html`<h1>Your API key</h1>
<p class="why">It acts for ${displayEmail(email)}. This page shows it until you leave it, and
nothing shows it again: put it where you keep passwords.</p>
<label class="field">API key
<input id="key" class="key" readonly value="${key}" autocomplete="off" spellcheck="false"></label>
<p class="actions"><button type="button" class="button" id="copy" hidden>Copy key</button>
<a class="button quiet" href="${signInUrl}">I have stored it</a></p>
<p class="help">That leads to <b>${baseUrl}</b>, where people use this server, and signs you
in there; it works once, for 15 minutes. If nothing answers there yet, set <code>BASE_URL</code> and
your proxy first: ${
      checks.sendsMails
        ? 'you can sign in by mail at any time.'
        : html`at any time
<code>bin/handbill account sign-in EMAIL</code> prints a new link, as this server sends no mail.`
    }</p>
<h2>Publish a first page</h2>
<p>Paste this into a terminal. The answer’s <code>url</code> is where the page is.</p>
<pre tabindex="0"><code>${publishCommand(baseUrl, key)}</code></pre>
<p>Or give the key to the command line, and publish any file or folder:</p>
<pre tabindex="0"><code>bin/handbill login ${baseUrl}
bin/handbill publish FILE</code></pre>`,
  })
}

export function publishCommand(baseUrl: string, key: string): string {
  return `curl ${baseUrl}/api/v1/pages \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"html": "<h1>Hello</h1>"}'`
}
