import type { Access } from '../../../features/access/index.ts'
import type { Accounts } from '../../../features/accounts/index.ts'
import type { Approvals } from '../../../features/approvals/index.ts'
import type { Confirmations } from '../../../features/confirmations/index.ts'
import type { OAuth } from '../../../features/oauth/index.ts'
import type { Pages } from '../../../features/pages/index.ts'
import type { Passkeys } from '../../../features/passkeys/index.ts'
import type { Sessions } from '../../../features/sessions/index.ts'
import type { Settings, SignUpMode } from '../../../features/settings/index.ts'
import type { Identities } from '../../../features/single-sign-on/index.ts'
import type { MailBudget, Throttles } from '../../../features/throttles/index.ts'
import type { Account } from '../../../model/account.ts'
import type { Operation } from '../../../model/operation.ts'
import type { Page } from '../../../model/page/index.ts'
import type { Plan, Plans } from '../../../model/plan.ts'
import type { Site } from '../../../model/site.ts'
import type { Checks } from '../../../platform/checks.ts'
import type { SingleSignOnSettings } from '../../../platform/config.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { Services } from '../../../platform/services.ts'
import { sealedToken } from '../../../platform/signed-token.ts'
import type { Assets } from '../../kit/assets.ts'
import { type BodyReader, readForm } from '../../kit/body.ts'
import {
  callOperation,
  type ResolveSession,
  type SessionPrincipal,
} from '../../kit/call-operation.ts'
import type { Compressor } from '../../kit/compressor.ts'
import type { ConfirmationActions } from '../../kit/confirmation-actions.ts'
import { createCookies, createKnownBrowsers, newBrowser } from '../../kit/cookies.ts'
import { assertTrustedWrite, formToken } from '../../kit/csrf.ts'
import { type PageResponseParts, pageResponse, signInRedirect } from './pages.ts'

export interface AppDeps
  extends Pick<Services, 'database' | 'secrets' | 'clock' | 'baseUrl' | 'log' | 'sendMail'> {
  operations: Operation[]
  compressor: Compressor
  access: Access
  approvals: Approvals
  pages: Pages
  accounts: Accounts
  sessions: Sessions
  identities: Identities
  oauth: OAuth
  passkeys: Passkeys
  resolveSession: ResolveSession
  confirmations: Confirmations
  throttles: Throttles
  mailBudget: MailBudget
  assets: Assets
  bodyReader: BodyReader
  defaultPlan: Plan
  plans: Plans
  settings: Settings
  site: Site
  /** null: people sign in by mail alone. */
  singleSignOn: SingleSignOnSettings | null
  checks: Pick<Checks, 'sendsMails'>
  /** Whether some page invites the address, and one of these requires that its visitors sign in. */
  invitationOf(email: string, tx?: Tx): Promise<{ isInvited: boolean; mustSignIn: boolean }>
  addressOf(request: Request): string
  confirmationActions: ConfirmationActions
}

interface FormPage extends Omit<PageResponseParts, 'body' | 'cookies'> {
  /** What the form does, such as `sign-out`: its token is valid for that alone. */
  action: string
  body(formToken: string): string
}

interface CallParts {
  input?: object
  /** For an operation of a page. */
  page?: Page | undefined
}

export type AppContext = ReturnType<typeof createContext>

/** What the handlers of our own pages share. */
export function createContext(deps: AppDeps) {
  const { secrets, clock, bodyReader, baseUrl, resolveSession } = deps
  const cookies = createCookies(baseUrl)
  /** A request without a browser cookie gets a new id. */
  const browserOf = (request: Request) => cookies.browserOf(request) ?? newBrowser()

  return {
    ...deps,
    cookies,
    knownBrowsers: createKnownBrowsers(secrets, cookies),
    /** A page with a form, for one browser. Its cookie is sent, so that it outlasts the form. */
    formPage(request: Request, { action, body, ...parts }: FormPage, browser = browserOf(request)) {
      const token = formToken(secrets, browser, action)
      return pageResponse(request, {
        ...parts,
        body: body(token),
        cookies: [cookies.browser(browser)],
      })
    },
    browserOf,
    /** @throws Refusal if the body is not a valid form */
    async readForm(request: Request) {
      const form = await readForm(request, bodyReader)
      const browser = cookies.browserOf(request)
      return {
        form,
        /** @throws Refusal `forbidden` where we did not make it for this browser and this action */
        assertFor(action: string): void {
          const claim = { secrets, baseUrl, browser, token: form('token'), action }
          assertTrustedWrite(request, claim)
        },
      }
    },
    /** Answers the signed-in owner of an account; others sign in first. */
    async signedIn(
      request: Request,
      answer: (session: SessionPrincipal) => Response | Promise<Response>,
    ): Promise<Response> {
      const session = await resolveSession(request)
      return session === null ? signInRedirect(new URL(request.url).pathname) : answer(session)
    },
    /** The result of an operation, as the API answers it to an account that is signed in. */
    callFor(session: SessionPrincipal, name: string, { input = {}, page }: CallParts = {}) {
      const operation = deps.operations.find(({ contract }) => contract.name === name)!
      const { account, session_id: sessionId } = session
      const call = { source: 'editor' as const, hasIfMatch: false, idempotency: null }
      const subject = { account, sessionId, ...(page && { page }), context: call }
      return callOperation(operation, { subject, session, input })
    },
    /** A value that only this service can read, for a cookie. */
    seal: (purpose: string, value: object) => sealedToken<object>(secrets, purpose).make('', value),
    /** The value; null where there is none, it was altered, or its time is over. */
    unseal<T extends object>(purpose: string, token: string | null): T | null {
      type Timed = T & { until_ms?: number }
      const tokens = sealedToken<Timed>(secrets, purpose, ({ until_ms = Infinity }) => until_ms)
      return tokens.read('', token, clock.ms())
    },
  }
}

/** How an address may sign in: to an account, as a guest of pages, or not at all. */
type Standing = 'account' | 'guest' | 'none'

interface AdmissionRequest {
  email: string
  /** Who may make an account; by the settings if left out. */
  mode?: SignUpMode | undefined
}

/**
 * Who may sign in, by the server's rule of sign-up and the invitations of its pages. Runs the same
 * queries for every address, so that the response time does not show which have accounts.
 */
export async function standingOf(
  { accounts, invitationOf, settings }: AppDeps,
  { email, mode = settings.current().signup }: AdmissionRequest,
  tx?: Tx,
): Promise<Standing> {
  const account = await accounts.findByEmail(email, tx)
  const { isInvited, mustSignIn } = await invitationOf(email, tx)
  const maySignUp = mode === 'open' || (mode === 'invite' && isInvited)
  if (maySignUp || account?.is_guest === false) return 'account'
  // The owner of a page decides who opens it, independently of the server's rule.
  return account !== null || mustSignIn ? 'guest' : 'none'
}

/**
 * Finds or creates the account of a proved address; null where it may not sign in. Decides again:
 * its invitation may have ended since it was asked.
 */
export async function admit(
  deps: AppDeps,
  request: AdmissionRequest,
  tx: Tx,
): Promise<Account | null> {
  const standing = await standingOf(deps, request, tx)
  if (standing === 'none') return null
  const { email } = request
  const { accounts, defaultPlan: plan } = deps
  return accounts.findOrCreate(tx, { email, plan, is_guest: standing === 'guest' })
}
