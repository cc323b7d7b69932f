import type { Session } from '../../../features/sessions/index.ts'
import type { Account } from '../../../model/account.ts'
import { type Html, html } from '../../kit/html.ts'
import { hidden, page, type View } from './pages.ts'

export interface AccountView extends View {
  account: Account
  sessions: Session[]
  /** The one that looks at the page. */
  session_id: string
  /** The token for a form that does `what`. */
  formToken(what: string): string
}

/** Who one is here, and which browsers are signed in. */
export function accountPage(view: AccountView): string {
  const { account, session_id: sessionId, formToken } = view
  const own = view.sessions.filter(({ id }) => id === sessionId)
  const others = view.sessions.filter(({ id }) => id !== sessionId)
  return page(
    view,
    'Your account',
    html`<dl class="facts">
<div><dt>Email</dt><dd>${account.email}</dd></div>
${account.name && html`<div><dt>Name</dt><dd>${account.name}</dd></div>`}
<div><dt>Plan</dt><dd>${account.plan.charAt(0).toUpperCase() + account.plan.slice(1)}</dd></div>
</dl>
<h2 id="sessions">Signed-in browsers</h2>
<ul class="rows" aria-labelledby="sessions">
${own.map((session) => row(session, html`This browser`, signOut(formToken)))}
${others.map((session) => row(session, lastSeen(session), revoke(session, formToken)))}
</ul>
${
  others.length > 0 &&
  html`<form method="post" action="/app/sessions/revoke-others">
${hidden({ token: formToken('revoke-others') })}
<button class="button quiet">Sign out all other browsers</button>
</form>`
}`,
  )
}

function row({ user_agent: userAgent }: Session, about: Html, form: Html): Html {
  return html`<li>
<div><b>${agentName(userAgent)}</b>
<p class="help">${about}</p></div>
${form}
</li>
`
}

function signOut(formToken: AccountView['formToken']): Html {
  return html`<form method="post" action="/app/sign-out">
${hidden({ token: formToken('sign-out') })}
<button class="button quiet" aria-label="Sign out this browser">Sign out</button>
</form>`
}

function revoke({ id, user_agent: userAgent }: Session, formToken: AccountView['formToken']): Html {
  return html`<form method="post" action="/app/sessions/revoke">
${hidden({ token: formToken(`revoke ${id}`), session_id: id })}
<button class="button quiet" aria-label="Sign out ${agentName(userAgent)}">Sign out</button>
</form>`
}

const AGENTS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** `Firefox on Linux`, as near as what the browser says of itself allows. */
export function agentName(userAgent: string): string {
  const [agent, system] = [AGENTS, SYSTEMS].map(
    (names) => names.find(([pattern]) => pattern.test(userAgent))?.[1],
  )
  if (agent === undefined) return system === undefined ? 'A program' : `A browser on ${system}`
  return system === undefined ? agent : `${agent} on ${system}`
}

/** `Last seen 21 Nov 2026`, more of it on hover. */
function lastSeen({ created_at: createdAt, last_seen_at: lastSeenAt }: Session): Html {
  const exact = `${minute(lastSeenAt)}, signed in ${minute(createdAt)} (UTC)`
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  const text = day.format(new Date(lastSeenAt))
  return html`Last seen <time datetime="${lastSeenAt}" title="${exact}">${text}</time>`
}

function minute(timestamp: string): string {
  return timestamp.slice(0, 16).replace('T', ' ')
}
