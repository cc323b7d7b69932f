import { type Html, html } from '../../../model/html.ts'
import {
  appPage,
  errorMessage,
  type FormFields,
  hiddenFields,
  invalidAttributes,
  type PageContext,
  withNext,
} from './pages.ts'

interface SignInForm extends FormFields {
  email?: string
  next: string | null
  /** The name of the provider that people may sign in with, too. */
  provider: string | null
  hasSignedOut: boolean
  /** It is signed in, and something asks for a newer sign-in. */
  isAgain: boolean
  /** False: a mail is a file in the outbox of the server, for its operator. */
  sendsMails: boolean
  /** The script of the button for passkeys; null where browsers take none at this address. */
  script: string | null
}

/** What the person can do is said before anything is asked. */
export function signInPage(context: PageContext, form: SignInForm): string {
  const { provider, hasSignedOut, isAgain, sendsMails, script } = form
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
${script !== null && !isMailFirst && passkeyPart(form, provider === null)}
${!isMailFirst && html`<p class="or">${sendsMails ? 'or by mail' : 'or by the outbox'}</p>`}
${mailPart(form, isMailFirst)}
${script !== null && isMailFirst && passkeyPart(form, false)}`,
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
function passkeyPart({ next, provider, sendsMails }: SignInForm, isFirst: boolean): Html {
  return html`<div id="passkey" class="ways" data-next="${next ?? ''}" hidden>
${sendsMails && provider === null && html`<p class="or">or</p>`}
<button type="button" class="button${!isFirst && ' quiet'}">Sign in with a passkey</button>
<p class="error" role="alert" hidden></p>
</div>`
}

function mailPart(form: SignInForm, isFirst: boolean): Html {
  const { formToken, email = '', next, error, sendsMails, script } = form
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
