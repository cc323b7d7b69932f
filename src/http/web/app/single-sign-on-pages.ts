import type { FailureReason, NotAdmitted } from '../../../features/single-sign-on/index.ts'
import { type Html, html } from '../../../model/html.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import { appPage, type PageContext } from './pages.ts'

/** Why nobody was signed in. */
export interface Problem {
  reason: FailureReason | NotAdmitted
  /** The proved address, of the person who reads the page. */
  email?: string | null
  next: string | null
}

type Named = Problem & { name: string }

const TITLES: Record<Problem['reason'], string> = {
  unavailable: 'The sign-in does not answer',
  cancelled: 'You are not signed in',
  refused: 'You are not signed in',
  expired: 'This sign-in is over',
  invalid: 'You are not signed in',
  not_set_up: 'This server is not set up yet',
  unverified_email: 'Your address is not verified',
  other_domain: 'Your address cannot sign in here',
  no_account: 'There is no account for you',
  linked_to_another: 'This account is linked to somebody else',
}

const LOGGED = 'Who runs this server finds the reason in its log.'

function reasonText({ reason, name, email }: Named): string {
  const address = email ? displayEmail(email) : 'your address'
  const texts: Record<Problem['reason'], string> = {
    unavailable: `${name} does not answer at the moment. Try again in a minute.`,
    cancelled: `The sign-in with ${name} was cancelled, there or by you.`,
    refused: `${name} refused to sign you in. ${LOGGED}`,
    expired: `A sign-in with ${name} works once, for ten minutes, in the browser where it began.`,
    invalid: `What ${name} answered could not be verified. ${LOGGED}`,
    not_set_up: 'Its operator makes the first account with the set-up link, which is in its log.',
    unverified_email: `${name} vouches for no address of yours, so it opens no account here.`,
    other_domain: `Only certain domains sign in here with ${name}: ${address} is in none.`,
    no_account:
      `You are ${address} at ${name}, and this server has no account for that address. ` +
      'Ask who runs it for one.',
    linked_to_another:
      `Somebody else at ${name} signs in to the account of ${address}. If it is yours, sign in ` +
      'by mail and unlink it there, under Account.',
  }
  return texts[reason]
}

/** Says in our own words why nobody is signed in, and leads to the mail link. */
export function problemPage(context: PageContext, problem: Named): string {
  const { next, name, reason } = problem
  const query = next === null ? '' : `?next=${encodeURIComponent(next)}`
  const again: Html = html`<a class="button" href="/app/sign-in/sso${query}">Try again</a>`
  return appPage(
    context,
    TITLES[reason],
    html`<p class="why">${reasonText(problem)}</p>
<p class="actions">${MAY_WORK_AGAIN.includes(reason) && again}
<a class="button quiet" href="/app/sign-in${query}">Sign in by mail</a></p>
<p class="help">The link of a mail signs in to the same account, with or without ${name}.</p>`,
  )
}

const MAY_WORK_AGAIN: readonly Problem['reason'][] = ['unavailable', 'cancelled', 'expired']

export function problemStatus(reason: Problem['reason']) {
  if (reason === 'unavailable') return { status: 503, headers: { 'retry-after': '60' } }
  return { status: reason === 'expired' ? 400 : 403, headers: {} }
}
