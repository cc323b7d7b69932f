import type { Accounts } from '../../../features/accounts/index.ts'
import type { Confirmations } from '../../../features/confirmations/index.ts'
import { noAccountMail, type Sessions, signInMail } from '../../../features/sessions/index.ts'
import { LIMITS, type MailBudget, type Throttles } from '../../../features/throttles/index.ts'
import { refuse } from '../../../model/errors.ts'
import type { MailContent } from '../../../model/mail.ts'
import { parseEmail } from '../../../model/text.ts'
import type { Database, Tx } from '../../../platform/db/index.ts'
import { displayEmail } from '../../../platform/display-email.ts'
import type { ConfirmationAction } from '../../kit/confirmation-actions.ts'
import type { Cookies } from '../../kit/cookies.ts'
import { atFixedTime } from '../../kit/fixed-time.ts'
import type { KnownBrowsers } from '../../kit/known-browsers.ts'
import type { ResolveSession } from '../../kit/principal.ts'
import { safeNext } from '../../kit/safe-next.ts'
import { CODE_FORM, type Forms } from './forms.ts'
import {
  checkMailPage,
  donePage,
  isRetryable,
  type PageContext,
  pageResponse,
  redirectResponse,
  retryHeaders,
  signInPage,
  statusOf,
} from './pages.ts'
import type { Admit, StandingOf } from './sign-up.ts'

const SIGN_IN_FORM = 'sign-in'
const BAD_EMAIL = 'This is not an email address. It looks like ann@example.com.'

interface SignInDeps {
  database: Database
  confirmations: Confirmations
  forms: Forms
  rateLimits: RateLimits
  standingOf: StandingOf
  resolveSession: ResolveSession
  /** Puts a mail into the outbox in the transaction that causes it. */
  sendMail(tx: Tx, mail: MailContent): Promise<unknown>
  page: PageContext
  baseUrl: string
  /** The name of the provider that people may sign in with, too. */
  provider: string | null
}

/** Sign-in by mail: the form for the address, and the mail with a link and a code. */
export function createSignIn(deps: SignInDeps) {
  const { database, confirmations, forms, rateLimits, standingOf, resolveSession } = deps
  const { sendMail, page, baseUrl, provider } = deps

  interface SignInInput {
    email?: string
    next: string | null
    error?: string
  }
  function formResponse(request: Request, input: SignInInput, status = 200, headers = {}) {
    const browser = forms.browserOf(request)
    const formToken = browser.formToken(SIGN_IN_FORM)
    const hasSignedOut = new URL(request.url).searchParams.has('signed_out')
    const form = { ...input, provider, hasSignedOut, formToken }
    const body = signInPage(page, form)
    return pageResponse(request, { body, status, headers, cookies: [browser.cookie] })
  }

  /**
   * Writes the same rows for every address, with or without an account. Only the mail says whether
   * there is one. Without one, neither its link nor its code exists.
   */
  async function startConfirmation(email: string, browser: string, next: string | null) {
    const isAllowed = (await standingOf(email)) !== 'none'
    await database.write(async (tx) => {
      const options = {
        purpose: SIGN_IN,
        email,
        browser,
        details: { next },
        isDecoy: !isAllowed,
      }
      const { token, code } = await confirmations.start(tx, options)
      const { host } = page
      const mail = isAllowed
        ? signInMail({ to: email, host, url: `${baseUrl}/app/confirm/${token}`, code })
        : noAccountMail({ to: email, host, url: `${baseUrl}/app/sign-in` })
      await sendMail(tx, mail)
    }, 'freeing')
  }

  return {
    async showForm(request: Request): Promise<Response> {
      const next = safeNext(new URL(request.url).searchParams.get('next'))
      const session = await resolveSession(request)
      if (session !== null) return redirectResponse({ location: next ?? '/app', cookies: [] })
      return formResponse(request, { next })
    },
    /** The end of a sign-in in a tab of its own, beside the one that asked for it. */
    async showSignedIn(request: Request): Promise<Response> {
      if ((await resolveSession(request)) === null) {
        return redirectResponse({ location: '/app/sign-in', cookies: [] })
      }
      const body = donePage(page, {
        title: 'You are signed in',
        text: 'Go back to the tab where you were: it goes on by itself. You can close this one.',
        link: { path: '/app', label: 'Open the app here' },
      })
      return pageResponse(request, { body })
    },
    async sendLink(request: Request): Promise<Response> {
      const { form, assertFor } = await forms.read(request)
      const next = safeNext(form('next'))
      const input = form('email')
      const email = parseEmail(input)
      const browser = forms.browserOf(request)
      const session = await resolveSession(request)
      let mayMail: boolean
      try {
        // The app asks for a mail to its own account, with the session instead of a form's token.
        if (email === null || email !== session?.account.email) assertFor(SIGN_IN_FORM)
        if (email === null) {
          return formResponse(request, { email: input, next, error: BAD_EMAIL }, 400)
        }
        mayMail = await rateLimits.mayMail(email, request)
      } catch (err) {
        if (!isRetryable(err)) throw err
        const again = { email: input, next, error: err.message }
        return formResponse(request, again, statusOf(err), retryHeaders(err))
      }
      if (mayMail) await atFixedTime(() => startConfirmation(email, browser.id, next))
      const formToken = browser.formToken(CODE_FORM)
      const sent = { email, purpose: SIGN_IN, page_id: null, formToken, isSentBefore: !mayMail }
      const body = checkMailPage(page, sent)
      return pageResponse(request, { body, cookies: [browser.cookie] })
    },
  }
}

/** The `purpose` of a sign-in confirmation. */
export const SIGN_IN = 'sign_in'

interface SignInActionDeps {
  accounts: Accounts
  sessions: Sessions
  cookies: Cookies
  standingOf: StandingOf
  admit: Admit
  host: string
}

/** Signs the browser in when a sign-in link or code is redeemed. */
export function createSignInAction({
  accounts,
  sessions,
  cookies,
  standingOf,
  admit,
  host,
}: SignInActionDeps): ConfirmationAction {
  return {
    async describe({ email }) {
      const account = await accounts.findByEmail(email)
      const isNew = account === null && (await standingOf(email)) === 'account'
      const name = displayEmail(email)
      const subject = isNew ? `This makes an account for ${name}, and` : 'This'
      return {
        title: isNew ? 'Make an account' : 'Sign in',
        text: `${subject} signs this browser in to ${host}${isNew ? '' : ` as ${name}`}.`,
        button: isNew ? 'Make the account' : 'Sign in',
      }
    },
    async act(tx, { email, details }, request) {
      const account = await admit(tx, email)
      if (account === null) {
        throw refuse.forbidden(
          'no_account',
          `There is no account for ${displayEmail(email)} on this server.`,
        )
      }
      const token = await sessions.create(tx, account.id, cookies.signInBrowser(request))
      const next = typeof details?.next === 'string' ? safeNext(details.next) : null
      return { next: next ?? '/app', cookies: [cookies.session(token)] }
    },
  }
}

interface RateLimitsDeps {
  throttles: Throttles
  mailBudget: MailBudget
  cookies: Cookies
  knownBrowsers: KnownBrowsers
  /** The client address that a request's tries are counted for. */
  addressOf(request: Request): string
}

/** The rate limits of sign-in. Both throw Refusal `rate_limited`. */
export function createRateLimits(deps: RateLimitsDeps) {
  const { throttles, mailBudget, cookies, knownBrowsers, addressOf } = deps
  return {
    /** @returns false where the newest mail to the address is to be used */
    mayMail: (email: string, request: Request): Promise<boolean> =>
      mailBudget.mayMail({
        scope: 'sign-in',
        email,
        address: addressOf(request),
        browser: cookies.browserOf(request) ?? '',
        isKnownBrowser: knownBrowsers.isKnown(request, email),
      }),
    async assertMayTryCode(request: Request): Promise<void> {
      await throttles.assert(LIMITS.code, addressOf(request))
    },
  }
}
export type RateLimits = ReturnType<typeof createRateLimits>
