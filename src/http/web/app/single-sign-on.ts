import type { Sessions } from '../../../features/sessions/index.ts'
import {
  createProvider,
  type FailureReason,
  type Flow,
  type Identities,
  type NotAdmitted,
  type Proof,
  ProviderFailure,
} from '../../../features/single-sign-on/index.ts'
import { LIMITS, type Throttles } from '../../../features/throttles/index.ts'
import { type Html, html } from '../../../model/html.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { SingleSignOnSettings } from '../../../platform/config.ts'
import type { Database } from '../../../platform/db/index.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import type { Log } from '../../../platform/log.ts'
import { type Secrets, sameText } from '../../../platform/secrets.ts'
import { sealedToken } from '../../../platform/signed-token.ts'
import type { Cookies } from '../../kit/cookies.ts'
import type { ResolveSession } from '../../kit/principal.ts'
import { safeNext } from '../../kit/safe-next.ts'
import { appPage, type PageContext, pageResponse, redirectResponse } from './pages.ts'
import type { Admit } from './sign-up.ts'

/** The registered redirect URI: the provider redirects to no other. */
const CALLBACK_PATH = '/app/sign-in/sso/callback'
const PURPOSE = 'single-sign-on'
/** Enough time to find a second factor. */
const FLOW_MS = 10 * 60_000

interface SingleSignOnDeps {
  settings: SingleSignOnSettings | null
  identities: Identities
  sessions: Sessions
  throttles: Throttles
  database: Database
  clock: Clock
  secrets: Secrets
  log: Log
  cookies: Cookies
  page: PageContext
  baseUrl: string
  admit: Admit
  resolveSession: ResolveSession
  /** The client address that rate limits count by. */
  addressOf(request: Request): string
}

/** The content of the cookie of a started sign-in. */
interface Begun extends Flow {
  next: string | null
  until_ms: number
}

/**
 * Sign-in with the operator's provider. The state of a started sign-in is in a sealed cookie, so
 * any node can finish it, but only in the same browser. null: there is no provider.
 */
export function createSingleSignOn({ settings, ...deps }: SingleSignOnDeps) {
  if (settings === null) return null
  const { identities, sessions, throttles, database, clock, secrets, log } = deps
  const { cookies, page, baseUrl, resolveSession, addressOf } = deps
  const { name } = settings
  const provider = createProvider({ settings, redirectUri: `${baseUrl}${CALLBACK_PATH}` })

  function problem(request: Request, given: Problem, cookie?: string): Response {
    const body = problemPage(page, { name, ...given })
    const { status, headers } = problemStatus(given.reason)
    const set = cookie === undefined ? [] : [cookie]
    return pageResponse(request, { body, status, headers, cookies: set })
  }

  /** @throws any error except a `ProviderFailure` */
  function failed(err: unknown): Problem['reason'] {
    if (!(err instanceof ProviderFailure)) throw err
    const level = err.reason === 'cancelled' || err.reason === 'expired' ? 'info' : 'warn'
    log[level]('single sign-on failed', { reason: err.reason, err: err.cause })
    return err.reason
  }

  const flows = sealedToken<Begun>(secrets, PURPOSE, ({ until_ms }) => until_ms)

  function assertAllowed(request: Request): Promise<void> {
    return throttles.assert(LIMITS.single_sign_on, addressOf(request))
  }

  /** Signs the identified person in. */
  async function signIn(request: Request, proof: Proof, next: string | null): Promise<Response> {
    const browser = cookies.signInBrowser(request)
    const { refused, email, token } = await database.write(async (tx) => {
      const admission = await identities.accountOf(tx, proof, deps.admit)
      if (admission.account === undefined) return { ...admission, token: null }
      const { id } = admission.account
      return { refused: null, email: null, token: await sessions.create(tx, id, browser) }
    }, 'freeing')
    if (token === null) return problem(request, { reason: refused, email, next }, cookies.endFlow())
    const location = next ?? '/app'
    return redirectResponse({ location, cookies: [cookies.endFlow(), cookies.session(token)] })
  }

  return {
    async start(request: Request): Promise<Response> {
      const { searchParams } = new URL(request.url)
      const next = safeNext(searchParams.get('next'))
      const isAgain = searchParams.has('again')
      // Another site cannot begin a sign-in: it leads its visitors to the page with the button.
      if (request.headers.get('sec-fetch-site') === 'cross-site') {
        const query = next === null ? '' : `?next=${encodeURIComponent(next)}`
        return redirectResponse({ location: `/app/sign-in${query}`, cookies: [] })
      }
      if (!isAgain && (await resolveSession(request)) !== null) {
        return redirectResponse({ location: next ?? '/app', cookies: [] })
      }
      await assertAllowed(request)
      try {
        const { url, flow } = await provider.start({ isAgain })
        const begun: Begun = { ...flow, next, until_ms: clock.ms() + FLOW_MS }
        const sealed = flows.make('', begun)
        return redirectResponse({ location: url, cookies: [cookies.flow(sealed)] })
      } catch (err) {
        return problem(request, { reason: failed(err), next })
      }
    },
    async finish(request: Request): Promise<Response> {
      await assertAllowed(request)
      const { search, searchParams } = new URL(request.url)
      const begun = flows.read('', cookies.flowOf(request), clock.ms())
      // The sign-in belongs to another browser, or has ended. This browser's own sign-in is kept.
      if (begun === null || !sameText(begun.state, searchParams.get('state') ?? '')) {
        const session = await resolveSession(request)
        if (session !== null) return redirectResponse({ location: '/app', cookies: [] })
        return problem(request, { reason: 'expired', next: null })
      }
      const { next } = begun
      let proof: Proof
      try {
        proof = await provider.finish(search, begun)
      } catch (err) {
        return problem(request, { reason: failed(err), next }, cookies.endFlow())
      }
      return signIn(request, proof, safeNext(next))
    },
  }
}

/** Why nobody was signed in. */
interface Problem {
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
function problemPage(context: PageContext, problem: Named): string {
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

function problemStatus(reason: Problem['reason']) {
  if (reason === 'unavailable') return { status: 503, headers: { 'retry-after': '60' } }
  return { status: reason === 'expired' ? 400 : 403, headers: {} }
}
