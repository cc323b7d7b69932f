import type { Session } from '../../../features/sessions/index.ts'
import type { Account } from '../../../model/account.ts'
import { type Html, html } from '../../html.ts'
import { hidden, sheet, type View } from './pages.ts'

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
  const { account, sessions, session_id, formToken } = view
  return sheet(
    view,
    'Your account',
    html`<dl class="facts">
<div><dt>Email</dt><dd>${account.email}</dd></div>
${account.name && html`<div><dt>Name</dt><dd>${account.name}</dd></div>`}
<div><dt>Plan</dt><dd>${account.plan.charAt(0).toUpperCase() + account.plan.slice(1)}</dd></div>
</dl>
<form method="post" action="/app/sign-out">
${hidden({ token: formToken('sign-out') })}
<button class="button">Sign out</button>
</form>
<h2 id="sessions">Signed-in browsers</h2>
<ul class="rows" aria-labelledby="sessions">
${sessions.map((session) => row(session, session.id === session_id, formToken))}
</ul>
${
  sessions.length > 1 &&
  html`<form method="post" action="/app/sessions/revoke-others">
${hidden({ token: formToken('revoke-others') })}
<button class="button quiet">Sign out all other browsers</button>
</form>`
}`,
  )
}

function row(session: Session, is_this: boolean, formToken: AccountView['formToken']): Html {
  const { id, user_agent, created_at, last_seen_at } = session
  const name = agentName(user_agent)
  return html`<li>
<div><b>${name}</b>
<p class="help">${is_this ? 'This browser' : html`Last seen ${when(last_seen_at)}`},
signed in ${when(created_at)}</p></div>
${
  !is_this &&
  html`<form method="post" action="/app/sessions/revoke">
${hidden({ token: formToken(`revoke ${id}`), session_id: id })}
<button class="button quiet" aria-label="Sign out ${name}">Sign out</button>
</form>`
}
</li>
`
}

const AGENTS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
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
export function agentName(user_agent: string): string {
  const [agent, system] = [AGENTS, SYSTEMS].map(
    (names) => names.find(([pattern]) => pattern.test(user_agent))?.[1],
  )
  if (agent === undefined) return system === undefined ? 'A program' : `A browser on ${system}`
  return system === undefined ? agent : `${agent} on ${system}`
}

/** `21 Nov 2026`, the exact time on hover. */
function when(timestamp: string): Html {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
  const exact = `${timestamp.slice(0, 16).replace('T', ' ')} UTC`
  return html`<time datetime="${timestamp}" title="${exact}">${day.format(new Date(timestamp))}</time>`
}
