import { html } from '../../../model/html.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import { createCookies } from '../../kit/cookies.ts'
import { layoutPage, scriptedPolicy } from '../../kit/layout.ts'
import { documentResponse } from '../../kit/response.ts'
import type { AppContext } from './context.ts'
import { type PageContext, redirectResponse } from './pages.ts'

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
  { secrets, cookies }: AppContext,
  { account_id, key }: NewKey,
  session: string,
): Response {
  const sealed = secrets.seal(KEY_PURPOSE, account_id, key)
  return redirectResponse('/app', [cookies.session(session), cookies.newKey(sealed)])
}

/** The key in the cookie, if it was sealed for this account. */
export function findNewKey(
  { secrets, cookies }: AppContext,
  request: Request,
  accountId: string,
): string | null {
  const sealed = cookies.newKeyOf(request)
  try {
    return sealed === null ? null : secrets.open(KEY_PURPOSE, accountId, sealed)
  } catch {
    return null
  }
}

const HAND_OVER_PURPOSE = 'set-up-elsewhere'

interface HandedOver extends NewKey {
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
  handedOver: HandedOver,
): Response {
  const cookie = createCookies(origin).newKey(seal(HAND_OVER_PURPOSE, handedOver))
  return redirectResponse('/setup/key', [cookie])
}

export async function showHandOver(context: AppContext, request: Request): Promise<Response> {
  const { accounts, page, baseUrl } = context
  const { protocol, host } = new URL(request.url)
  const origins = [`${protocol}//${host}`, `https://${host}`]
  const sealed = origins.map((origin) => createCookies(origin).newKeyOf(request)).find(Boolean)
  const handedOver = context.unseal<HandedOver>(HAND_OVER_PURPOSE, sealed ?? null)
  const account = handedOver && (await accounts.find(handedOver.account_id))
  if (!account) return redirectResponse(`${baseUrl}/app`)
  const { key, token } = handedOver
  const signInUrl = `${baseUrl}/app/confirm/${token}`
  const { sendsMails } = context.checks
  const body = handOverPage(page, { email: account.email, key, baseUrl, signInUrl, sendsMails })
  return documentResponse(request, { csp: scriptedPolicy(COPY_SCRIPT), body })
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
  baseUrl: string
  signInUrl: string
  sendsMails: boolean
}

/** Shows the key that the set-up has made. No cache may store the page. */
function handOverPage(context: PageContext, details: HandOverDetails): string {
  const { email, key, baseUrl, signInUrl, sendsMails } = details
  return layoutPage({
    title: 'Your API key',
    isWide: true,
    ...context,
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
      sendsMails
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
  -d '{"title": "Hello", "html": "<h1>Hello</h1>"}'`
}
