import { html } from '../../../model/html.ts'
import { layoutPage } from '../../kit/layout.ts'
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
