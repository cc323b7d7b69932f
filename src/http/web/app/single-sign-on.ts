import type { Hono } from 'hono'
import {
  createProvider,
  type FailureReason,
  type Flow,
  type NotAdmitted,
  type Proof,
  ProviderFailure,
} from '../../../features/single-sign-on/index.ts'
import { LIMITS } from '../../../features/throttles/index.ts'
import { html } from '../../../model/html.ts'
import type { SingleSignOnSettings } from '../../../platform/config.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import { sameText } from '../../../platform/secrets.ts'
import { safeNext } from '../../kit/csrf.ts'
import { type AppContext, admit } from './context.ts'
import {
  appPage,
  type PageContext,
  pageResponse,
  redirectResponse,
  signInRedirect,
  withNext,
} from './pages.ts'

/** Below `/app`. The registered redirect URI: the provider redirects to no other. */
const CALLBACK_PATH = '/sign-in/sso/callback'
const PURPOSE = 'single-sign-on'
const FLOW_MS = 10 * 60_000

/** The content of the cookie of a started sign-in. */
interface SignInState extends Flow {
  next: string | null
  until_ms: number
}

/**
 * Sign-in with the operator's provider. The state of a started sign-in is in a sealed cookie, so
 * any node can finish it, but only in the same browser.
 */
export function singleSignOnRoutes(
  context: AppContext,
  settings: SingleSignOnSettings,
  routes: Hono,
): void {
  const { identities, sessions, throttles, database, clock, log } = context
  const { cookies, baseUrl, resolveSession, addressOf } = context
  const { name } = settings
  const mode = settings.isOpen ? 'open' : undefined
  const provider = createProvider({ settings, redirectUri: `${baseUrl}/app${CALLBACK_PATH}` })

  function problem(request: Request, input: Problem, ...set: string[]): Response {
    const body = problemPage(context, { name, ...input })
    return pageResponse(request, { body, ...problemStatus(input.reason), cookies: set })
  }

  /** @throws any error except a `ProviderFailure` */
  function failed(err: unknown): Problem['reason'] {
    if (!(err instanceof ProviderFailure)) throw err
    const level = err.reason === 'cancelled' || err.reason === 'expired' ? 'info' : 'warn'
    log[level]('single sign-on failed', { reason: err.reason, err: err.cause })
    return err.reason
  }

  async function signIn(request: Request, proof: Proof, next: string | null): Promise<Response> {
    const browser = cookies.signInBrowser(request)
    const { refused, email, token } = await database.write(async (tx) => {
      const admission = await identities.accountOf(tx, proof, (_, email) =>
        admit(context, { email, mode }, tx),
      )
      if (admission.account === undefined) return { ...admission, token: null }
      const { id } = admission.account
      return { refused: null, email: null, token: await sessions.create(tx, id, browser) }
    }, 'freeing')
    if (token === null) return problem(request, { reason: refused, email, next }, cookies.endFlow())
    return redirectResponse(next ?? '/app', [cookies.endFlow(), cookies.session(token)])
  }

  routes.get('/sign-in/sso', async ({ req }) => {
    const next = safeNext(req.query('next'))
    const isAgain = req.query('again') !== undefined
    // Another site cannot begin a sign-in: it leads its visitors to the page with the button.
    if (req.header('sec-fetch-site') === 'cross-site') return signInRedirect(next)
    if (!isAgain && (await resolveSession(req.raw)) !== null)
      return redirectResponse(next ?? '/app')
    await throttles.assert(LIMITS.single_sign_on, addressOf(req.raw))
    try {
      const { url, flow } = await (await provider()).start({ isAgain })
      const state: SignInState = { ...flow, next, until_ms: clock.ms() + FLOW_MS }
      return redirectResponse(url, [cookies.flow(context.seal(PURPOSE, state))])
    } catch (err) {
      return problem(req.raw, { reason: failed(err), next })
    }
  })
  routes.get(CALLBACK_PATH, async ({ req }) => {
    await throttles.assert(LIMITS.single_sign_on, addressOf(req.raw))
    const { search, searchParams } = new URL(req.url)
    const flow = context.unseal<SignInState>(PURPOSE, cookies.flowOf(req.raw))
    // The sign-in belongs to another browser, or has ended. This browser's own sign-in is kept.
    if (flow === null || !sameText(flow.state, searchParams.get('state') ?? '')) {
      if ((await resolveSession(req.raw)) !== null) return redirectResponse('/app')
      return problem(req.raw, { reason: 'expired', next: null })
    }
    const { next } = flow
    try {
      const proof = await (await provider()).finish(search, flow)
      return await signIn(req.raw, proof, safeNext(next))
    } catch (err) {
      return problem(req.raw, { reason: failed(err), next }, cookies.endFlow())
    }
  })
}

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

function reasonText({ checks }: PageContext, { reason, name, email }: Named): string {
  const { sendsMails } = checks
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
      `${sendsMails ? 'by mail' : 'with a passkey or a link'} and unlink it there, under Account.`,
  }
  return texts[reason]
}

/** Says in our own words why nobody is signed in, and leads to the other ways. */
function problemPage(context: PageContext, problem: Named): string {
  const { next, name, reason } = problem
  const href = withNext('/app/sign-in/sso', next)
  const again = html`<a class="button" href="${href}">Try again</a>`
  const other = context.checks.sendsMails ? 'Sign in by mail' : 'Sign in another way'
  return appPage(
    context,
    TITLES[reason],
    html`<p class="why">${reasonText(context, problem)}</p>
<p class="actions">${MAY_WORK_AGAIN.includes(reason) && again}
<a class="button quiet" href="${withNext('/app/sign-in', next)}">${other}</a></p>
<p class="help">That signs in to the same account, with or without ${name}.</p>`,
  )
}

const MAY_WORK_AGAIN: readonly Problem['reason'][] = ['unavailable', 'cancelled', 'expired']

function problemStatus(reason: Problem['reason']) {
  if (reason === 'unavailable') return { status: 503, headers: { 'retry-after': '60' } }
  return { status: reason === 'expired' ? 400 : 403, headers: {} }
}
