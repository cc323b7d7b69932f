import {
  type AuthorizationRequest,
  CONNECTION_DAYS,
  metadataUrl,
  originOf,
  placeOf,
} from '../../../features/oauth/index.ts'
import { type Account, SCOPE_WORDS } from '../../../model/account.ts'
import { html } from '../../../model/html.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import { formPolicy } from '../../kit/layout.ts'
import {
  appPage,
  errorMessage,
  type FormFields,
  hiddenFields,
  type PageContext,
} from '../app/pages.ts'

interface ConsentForm extends FormFields {
  account: Account
  asked: AuthorizationRequest
  action: string
}

/** Its form leads to the app, which browsers allow only where the policy says so. */
export function consentPolicy({ redirect_uri }: AuthorizationRequest): string {
  return formPolicy(originOf(redirect_uri))
}

/** The name of an app is what it says itself, so whose it is stands in its own line. */
export function consentPage(context: PageContext, form: ConsentForm): string {
  const { account, asked, action, formToken, error } = form
  const { client, redirect_uri, scopes } = asked
  const host = metadataUrl(client.id)?.host ?? null
  const place = placeOf(redirect_uri)
  const whose = host === null ? 'unknown: it gave its name itself' : html`<b>${host}</b>`
  const name = client.name ?? host ?? 'An app without a name'
  return appPage(
    context,
    'Connect an app',
    html`<p class="why"><b dir="auto">${name}</b> asks to use your account.</p>
<dl class="facts">
<div><dt>From</dt><dd>${whose}</dd></div>
${place !== host && html`<div><dt>Leads to</dt><dd><b>${place}</b></dd></div>`}
<div><dt>Account</dt><dd>${displayEmail(account.email)}</dd></div>
<div><dt>Ends</dt><dd>When you disconnect it under Account, or ${CONNECTION_DAYS} days after its
last use</dd></div>
</dl>
<div><p>It may:</p>
<ul class="may">${scopes.map((scope) => html`<li>${SCOPE_WORDS[scope]}</li>`)}</ul></div>
<form method="post" action="${action}">
${hiddenFields({ token: formToken })}
${errorMessage(error)}
<div class="actions"><button class="button" name="decision" value="allow">Allow</button>
<button class="button quiet" name="decision" value="cancel">Cancel</button></div>
</form>
<p class="help">Did you not start this in an app yourself? Cancel it.</p>`,
    { formTarget: originOf(redirect_uri) },
  )
}

export function guestPage(context: PageContext, email: string): string {
  return appPage(
    context,
    'This account connects no apps',
    html`<p class="why">${displayEmail(email)} is a guest here: it opens the pages that invite it,
and has none that an app could work on.</p>
<p class="help">Ask the operator of this server for an account.</p>`,
  )
}

/** Nothing leads back to the app: who sent the request is not proven. */
export function brokenRequestPage(context: PageContext, message: string): string {
  return appPage(
    context,
    'This app cannot connect',
    html`<p class="why">${message}</p>
<p class="help">Nothing was allowed. Start again in the app; if it stays, tell who makes it.</p>`,
  )
}
