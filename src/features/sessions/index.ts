import { randomBytes } from 'node:crypto'
import { type Account, assertNotSuspended } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { MailContent } from '../../model/mail.ts'
import { operationsOf } from '../../model/operation.ts'
import { readUserAgent } from '../../model/user-agent.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import { newId, sha256 } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import * as contract from './contract.ts'
import * as store from './store.ts'

/** The purpose of a link or code that signs in. */
export const SIGN_IN = 'sign_in'
const SESSION_S = 30 * 24 * 60 * 60
/** `last_seen_at` is written at most this often. */
const SEEN_INTERVAL_MS = 60 * 60_000
const USER_AGENT_LENGTH = 300
/** How long after a sign-in its session may do what asks for a recent one. */
const RECENT_MS = 60 * 60_000
const TOKEN = /^[\w-]{43}$/

/** The browser that signs in. */
export interface SignInBrowser {
  user_agent: string | null
  /** Of its earlier session, which ends. */
  token: string | null
}

interface SessionDeps extends Pick<Services, 'database' | 'clock' | 'log'> {
  findAccount(id: string, db?: Db): Promise<Account | null>
}

/** Sessions of signed-in browsers. */
export type Sessions = ReturnType<typeof createSessions>

export function createSessions({ database, clock, log, findAccount }: SessionDeps) {
  const { read } = database
  const expiry = () => clock.after(SESSION_S * 1000)
  // A time to come is of a clock that was set back.
  const isRecent = (createdAt: string) => Math.abs(clock.ms() - Date.parse(createdAt)) < RECENT_MS

  /** Runs in the background: a request does not wait for this write. */
  function recordSeen(id: string, lastSeenAt: string): void {
    if (Math.abs(clock.ms() - Date.parse(lastSeenAt)) < SEEN_INTERVAL_MS) return
    database
      .write((tx) => store.updateLastSeen(tx, [id, clock.now(), expiry()]), 'relaxed')
      .catch((err) => log.warn('could not record that a session was seen', { session_id: id, err }))
  }

  return {
    /**
     * Signs a browser in. Where it is signed in to the same account, its session goes on under the
     * same id, with a new token: who has a copy of the earlier cookie has nothing then.
     *
     * @returns the token for the cookie, of which only a hash is stored
     * @throws Refusal `account_suspended`
     */
    async create(tx: Tx, accountId: string, browser: SignInBrowser | null) {
      const account = await findAccount(accountId, tx)
      if (account !== null) assertNotSuspended(account)
      const token = randomBytes(32).toString('base64url')
      const now = clock.now()
      const before = browser?.token ? await store.take(tx, [sha256(browser.token)]) : undefined
      const row = {
        id: before?.account_id === accountId ? before.id : newId('ses'),
        token_hash: sha256(token),
        account_id: accountId,
        user_agent: (browser?.user_agent ?? '').slice(0, USER_AGENT_LENGTH).toWellFormed(),
        ...{ created_at: now, last_seen_at: now, expires_at: expiry() },
      }
      await store.insert(tx, [row])
      return token
    },
    /** Finds an active session, and extends it to 30 days from now. */
    async find(token: string) {
      if (!TOKEN.test(token)) return null
      const row = await store.findUnexpired(read, [sha256(token), clock.now()])
      const account = row && (await findAccount(row.account_id))
      if (!row || !account || account.suspended_at !== null) return null
      recordSeen(row.id, row.last_seen_at)
      const hasRecentSignIn = isRecent(row.created_at)
      return { session_id: row.id, account, has_recent_sign_in: hasRecentSignIn }
    },
    /** Whether a session has neither expired nor been revoked. */
    isActive: (sessionId: string) => store.isActive(read, [sessionId, clock.now()]),
    /** The account's active sessions, the last seen first. */
    async list(accountId: string) {
      const rows = await store.list(read, [accountId, clock.now()])
      return rows.map((row) => ({ ...row, has_recent_sign_in: isRecent(row.created_at) }))
    },
    /** Ends a session at once, on every node. @returns false when the account has none such */
    revoke: (accountId: string, sessionId: string) =>
      database.write((tx) => store.remove(tx, [accountId, sessionId]), 'freeing'),
    /** @param exceptId a session to leave active @returns how many were ended */
    revokeAll: (accountId: string, exceptId?: string) =>
      database.write((tx) => store.removeAll(tx, accountId, exceptId), 'freeing'),
    /** Ends all sessions of an account, in the transaction that deletes it. */
    endAll: (tx: Tx, accountId: string) => store.removeAll(tx, accountId),
    /** Deletes expired sessions. @returns how many */
    sweep: () => store.deleteExpired(database, [clock.now()]),
  }
}

const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** Names the browser of a `User-Agent` header, such as `Firefox on Linux`. */
export function browserName(userAgent: string): string {
  const browser = userAgent.startsWith('curl/') ? 'curl' : readUserAgent(userAgent).browser
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (browser === null) return system === undefined ? 'A program' : `A browser on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}

interface SignInMail {
  to: string
  /** Of this server. */
  host: string
  url: string
  code: string
}

export function signInMail({ to, host, url, code }: SignInMail): MailContent {
  return {
    to,
    subject: `Sign in to ${host}`,
    heading: 'Sign in',
    paragraphs: [
      'This link signs you in. It works once, for 15 minutes.',
      'Tell neither the link nor the code to anybody.',
    ],
    button: { label: 'Sign in', url },
    code,
    reason: `${askedFor(host)} If it was not you, do nothing: without this mail nobody gets in.`,
  }
}

/**
 * Only the mail says that there is no account: the sign-in page gives everybody the same answer.
 */
export function noAccountMail({ to, host, url }: Omit<SignInMail, 'code'>): MailContent {
  return {
    to,
    subject: `No account at ${host}`,
    heading: 'There is no account for this address',
    paragraphs: [
      `There is no account for ${displayEmail(to)} at ${host}, and so nothing to sign in to.`,
      'If you have one under another address, sign in with that. Otherwise ask the operator.',
    ],
    button: { label: 'Use another address', url },
    reason: `${askedFor(host)} If it was not you, do nothing.`,
  }
}

function askedFor(host: string): string {
  return `Somebody asked to sign in to ${host} with this address.`
}

export function sessionOperations(sessions: Sessions) {
  return operationsOf(contract, {
    listSessions: async ({ account, sessionId }) => {
      const all = await sessions.list(account.id)
      const own = all.filter(({ id }) => id === sessionId)
      const others = all.filter(({ id }) => id !== sessionId)
      return [...own, ...others].map((session) => ({
        ...session,
        browser: browserName(session.user_agent),
        is_current: session.id === sessionId,
        last_used_at: session.last_seen_at,
      }))
    },
    endSession: async ({ account, sessionId }, { session_id: sessionRef }) => {
      const id = sessionRef === 'current' ? sessionId : sessionRef
      if (await sessions.revoke(account.id, id)) return
      throw refuse.notFound('session_not_found', 'There is no such session: it has ended.')
    },
    endOtherSessions: async ({ account, sessionId }) => ({
      ended: await sessions.revokeAll(account.id, sessionId),
    }),
  })
}
