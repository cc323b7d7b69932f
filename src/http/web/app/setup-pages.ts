import { html } from '../../../model/html.ts'
import { layoutPage } from '../../kit/layout.ts'
import { publishCommand } from '../docs/index.ts'
import { errorMessage, invalidAttributes, type PageContext } from './pages.ts'

export interface SetupInput {
  email: string
  name: string
}

export interface SetupForm {
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
<p class="help">The key is shown on the next page, and only there.</p>`,
  })
}

export interface FirstAccount {
  email: string
  key: string
  baseUrl: string
}

/** The only response that shows the key. No cache may store it. */
export function setupDonePage({ host, assets }: PageContext, account: FirstAccount): string {
  const { email, key, baseUrl } = account
  return layoutPage({
    title: 'Your account is ready',
    isWide: true,
    host,
    assets,
    main: html`<h1>Your account is ready</h1>
<p class="why">This is the API key of ${email}. It is shown only now: put it where you keep
passwords.</p>
<p><code class="key">${key}</code></p>
<h2>Publish a first page</h2>
<p>Paste this into a terminal. The answer’s <code>url</code> is where the page is.</p>
<pre tabindex="0"><code>${publishCommand(baseUrl, key)}</code></pre>
<p>Or give the key to the command line, and publish any file or folder:</p>
<pre tabindex="0"><code>bin/handbill login ${baseUrl}
bin/handbill publish FILE</code></pre>
<p class="links"><a href="/docs">API reference</a>
<a href="/docs#mcp">For agents, over MCP</a></p>
<p class="help">If the key is lost, <code>bin/handbill key create ${email}</code> on the server
makes another.</p>`,
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
