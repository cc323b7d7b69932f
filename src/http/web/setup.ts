import type { Assets } from '../kit/assets.ts'
import { html } from '../kit/html.ts'
import { layoutPage } from '../kit/layout.ts'
import { firstPageCommand } from './first-page.ts'

export interface SetupOptions {
  token: string
  /** What was wrong with what was sent; the fields keep it. */
  error?: string | undefined
  values?: { email?: string; name?: string } | undefined
  host?: string | undefined
  assets?: Assets | undefined
}

/** The one-time link of a first start. Looking at it changes nothing. */
export function setupPage({ token, error, values = {}, host, assets }: SetupOptions): string {
  const isWrong = error !== undefined
  return layoutPage({
    title: 'Set up Handbill',
    host,
    assets,
    main: html`<h1>Set up Handbill</h1>
<p class="why">This makes the first account of this server and its API key. The link works once.</p>
<form method="post" action="${encodeURIComponent(token)}">
<label class="field">Email
<input name="email" type="email" autocomplete="email" required${!values.email && html` autofocus`}
 value="${values.email ?? ''}"${isWrong && html` aria-invalid="true" aria-describedby="error"`}>
</label>
<label class="field"><span>Name <span class="optional">(optional)</span></span>
<input name="name" autocomplete="name" maxlength="200" value="${values.name ?? ''}">
</label>
${isWrong && html`<p class="error" id="error" role="alert">${error}</p>`}
<button class="button">Create the account</button>
</form>
<p class="help">The key is shown on the next page, and only there.</p>`,
  })
}

export interface SetupDoneOptions {
  email: string
  key: string
  baseUrl: string
  assets?: Assets | undefined
}

/** The key is in this answer and nowhere else: it must not be kept by any cache. */
export function setupDonePage({ email, key, baseUrl, assets }: SetupDoneOptions): string {
  return layoutPage({
    title: 'Your account is ready',
    isWide: true,
    host: new URL(baseUrl).host,
    assets,
    main: html`<h1>Your account is ready</h1>
<p class="why">This is the API key of ${email}. It is shown only now: put it where you keep
passwords.</p>
<p><code class="key">${key}</code></p>
<h2>Publish a first page</h2>
<p>Paste this into a terminal. The answer’s <code>url</code> is where the page is.</p>
<pre tabindex="0"><code>${firstPageCommand(baseUrl, key)}</code></pre>
<p>Or give the key to the command line, and publish any file or folder:</p>
<pre tabindex="0"><code>bin/handbill login ${baseUrl}
bin/handbill publish FILE</code></pre>
<p class="links"><a href="/docs">API reference</a>
<a href="/docs#mcp">For agents, over MCP</a></p>
<p class="help">If the key is lost, <code>bin/handbill key create ${email}</code> on the server
makes another.</p>`,
  })
}

export interface SetupGoneOptions {
  host?: string | undefined
  assets?: Assets | undefined
}

export function setupGonePage({ host, assets }: SetupGoneOptions = {}): string {
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
