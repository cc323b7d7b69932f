import { html } from '../../../model/html.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import { layoutPage } from '../../kit/layout.ts'
import { publishCommand } from '../home.ts'
import type { PageContext } from './pages.ts'

/** Copies the key, and says so. Without scripts the button stays hidden. */
export const COPY_SCRIPT = `const button = document.querySelector('#copy')
const field = document.querySelector('#key')
button.hidden = false
button.addEventListener('click', async () => {
  field.select()
  try { await navigator.clipboard.writeText(field.value) } catch { document.execCommand('copy') }
  button.textContent = 'Copied'
})`

export interface HandOverDetails {
  email: string
  key: string
  baseUrl: string
  /** Signs the browser in at `BASE_URL`: this page is shown at another address. */
  signInUrl: string
}

/** Shows the key that the set-up has made. No cache may store the page. */
export function handOverPage(context: PageContext, details: HandOverDetails): string {
  const { email, key, baseUrl, signInUrl } = details
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
your proxy first: you can sign in by mail at any time.</p>
<h2>Publish a first page</h2>
<p>Paste this into a terminal. The answer’s <code>url</code> is where the page is.</p>
<pre tabindex="0"><code>${publishCommand(baseUrl, key)}</code></pre>
<p>Or give the key to the command line, and publish any file or folder:</p>
<pre tabindex="0"><code>bin/handbill login ${baseUrl}
bin/handbill publish FILE</code></pre>`,
  })
}
