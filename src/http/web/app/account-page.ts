import { browserName, type Session } from '../../../features/sessions/index.ts'
import type { Account } from '../../../model/account.ts'
import { type Html, html } from '../../../model/html.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import { appPage, hiddenFields, type PageContext } from './pages.ts'

type FormToken = (action: string) => string

export interface AccountDetails {
  account: Account
  sessions: Session[]
  /** The session of the request. */
  sessionId: string
  formToken: FormToken
}

/** Shows the account and its signed-in browsers. */
export function accountPage(context: PageContext, details: AccountDetails): string {
  const { account, sessionId, formToken } = details
  const own = details.sessions.filter(({ id }) => id === sessionId)
  const others = details.sessions.filter(({ id }) => id !== sessionId)
  return appPage(
    context,
    'Your account',
    html`<dl class="facts">
<div><dt>Email</dt><dd>${displayEmail(account.email)}</dd></div>
${account.name && html`<div><dt>Name</dt><dd>${account.name}</dd></div>`}
<div><dt>Plan</dt><dd>${planName(account)}</dd></div>
</dl>
<p class="links"><a href="/app/developer">API keys</a></p>
<h2 id="sessions">Signed-in browsers</h2>
<ul class="rows" aria-labelledby="sessions">
${own.map((session) => sessionRow(session, html`This browser`, signOutForm(formToken)))}
${others.map((one) => sessionRow(one, lastSeen(one), revokeForm(one, formToken)))}
</ul>
${
  others.length > 0 &&
  html`<form method="post" action="/app/sessions/revoke-others">
${hiddenFields({ token: formToken('revoke-others') })}
<button class="button quiet">Sign out all other browsers</button>
</form>`
}`,
  )
}

function planName({ plan, is_guest: isGuest }: Account): string {
  if (isGuest) return 'Guest: opens pages that you are invited to'
  return plan.charAt(0).toUpperCase() + plan.slice(1)
}

function sessionRow({ user_agent: userAgent }: Session, details: Html, form: Html): Html {
  return html`<li>
<div><b>${browserName(userAgent)}</b>
<p class="help">${details}</p></div>
${form}
</li>
`
}

function signOutForm(formToken: FormToken): Html {
  return html`<form method="post" action="/app/sign-out">
${hiddenFields({ token: formToken('sign-out') })}
<button class="button quiet" aria-label="Sign out this browser">Sign out</button>
</form>`
}

function revokeForm({ id, user_agent: userAgent }: Session, formToken: FormToken): Html {
  return html`<form method="post" action="/app/sessions/revoke">
${hiddenFields({ token: formToken(`revoke ${id}`), session_id: id })}
<button class="button quiet" aria-label="Sign out ${browserName(userAgent)}">Sign out</button>
</form>`
}

/** `Last seen 21 Nov 2026`, with the exact times on hover. */
function lastSeen({ created_at: createdAt, last_seen_at: lastSeenAt }: Session): Html {
  const exact = `${toMinute(lastSeenAt)}, signed in ${toMinute(createdAt)} (UTC)`
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  const text = day.format(new Date(lastSeenAt))
  return html`Last seen <time datetime="${lastSeenAt}" title="${exact}">${text}</time>`
}

function toMinute(timestamp: string): string {
  return timestamp.slice(0, 16).replace('T', ' ')
}
