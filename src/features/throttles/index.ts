import { LRUCache } from 'lru-cache'
import { refuse } from '../../model/errors.ts'
import type { RateLimit } from '../../model/operation.ts'
import type { Limits } from '../../model/plan.ts'
import type { Tx } from '../../platform/db/index.ts'
import { atMost } from '../../platform/lru.ts'
import { isStorageFull } from '../../platform/outages.ts'
import type { Services } from '../../platform/services.ts'
import * as store from './store.ts'

export interface Allowance {
  isAllowed: boolean
  /** How many tries are left in this window. */
  remaining: number
  /** Seconds until the window ends, rounded up. */
  resetS: number
}

interface ThrottleDeps extends Pick<Services, 'database' | 'clock'> {
  /** False: every try is allowed, and none is counted. */
  isOn: boolean
  /** How many exhausted windows to remember; 10,000 unless given. */
  maxExhausted?: number
}

/**
 * Windows end by the time of day, which other nodes and the next process share. Where that is set
 * back, a window that has begun lasts one window more at most. Where it is set forward, the next
 * window begins, as it would have by itself.
 */
export function createThrottles(deps: ThrottleDeps) {
  const { database, clock, isOn, maxExhausted = 10_000 } = deps
  /**
   * When exhausted windows end, in milliseconds since the epoch: an attacker who goes on trying
   * causes no write.
   */
  const exhausted = new LRUCache<string, number>(atMost(maxExhausted))
  /** Windows that could not be stored: the disk is full. */
  const unstored = new LRUCache<string, store.Window>(atMost(maxExhausted))

  /** On a full disk nobody could sign in if tries could not be counted. */
  async function write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await database.write(work, 'relaxed')
    } catch (err) {
      if (!isStorageFull(err)) throw err
      return database.write(work, 'freeing')
    }
  }

  async function count(limit: RateLimit, key: string, nowMs: number): Promise<store.Window> {
    const endsMs = nowMs + limit.windowS * 1000
    const add = async (tx: Tx) => (await store.addTry(tx, [key, endsMs, nowMs]))!
    if (limit.countsWithoutSpace !== true) return write(add)
    try {
      return await database.write(add, 'relaxed')
    } catch (err) {
      if (!isStorageFull(err)) throw err
      const entry = unstored.get(key)
      const window =
        entry !== undefined && entry.ends_ms > nowMs
          ? { count: entry.count + 1, ends_ms: Math.min(entry.ends_ms, endsMs) }
          : { count: 1, ends_ms: endsMs }
      unstored.set(key, window)
      return window
    }
  }

  /**
   * Counts one try against a limit. Tries beyond the limit are not counted.
   *
   * @param who the caller: an account's id, a visitor's address, an email address, …
   */
  async function consume(limit: RateLimit, who: string): Promise<Allowance> {
    if (!isOn) return { isAllowed: true, remaining: limit.count, resetS: limit.windowS }
    const key = keyOf(limit, who)
    const nowMs = Math.floor(clock.ms())
    const exhaustedUntilMs = exhausted.get(key) ?? 0
    // A rest longer than a window means that the clock was set back, so the row is read again.
    const leftMs = exhaustedUntilMs - nowMs
    if (leftMs > 0 && leftMs <= limit.windowS * 1000) return denied(exhaustedUntilMs, nowMs)
    const { count: tries, ends_ms } = await count(limit, key, nowMs)
    if (tries >= limit.count) exhausted.set(key, ends_ms)
    if (tries > limit.count) return denied(ends_ms, nowMs)
    return { isAllowed: true, remaining: limit.count - tries, resetS: secondsTo(ends_ms, nowMs) }
  }

  return {
    consume,
    /** Counts one try. @throws Refusal `rate_limited` with `retry_after_s` if it is not allowed */
    async assert(limit: RateLimit, who: string): Promise<void> {
      const { isAllowed, resetS } = await consume(limit, who)
      if (!isAllowed) throw rateLimited(resetS)
    },
    /** Takes back a try that `consume` allowed. */
    async refund(limit: RateLimit, who: string): Promise<void> {
      if (!isOn) return
      const key = keyOf(limit, who)
      await write((tx) => store.removeTry(tx, [key]))
      exhausted.delete(key)
    },
    /**
     * Marks something until a time, for all nodes, also with limits off.
     *
     * @returns false where it is marked already
     */
    async mark(what: string, untilMs: number): Promise<boolean> {
      const add = (tx: Tx) => store.addTry(tx, [what, untilMs, Math.floor(clock.ms())])
      return (await database.write(add, 'freeing'))!.count === 1
    },
    async isMarked(what: string): Promise<boolean> {
      const window = await store.find(database.read, [what, Math.floor(clock.ms())])
      return window !== undefined
    },
    /** Deletes windows that have ended. */
    sweep: () => store.deleteEnded(database, [Math.floor(clock.ms())]),
  }
}

export type Throttles = ReturnType<typeof createThrottles>

function keyOf(limit: RateLimit, who: string): string {
  return `${limit.name} ${who}`
}

export function rateLimited(retryAfterS: number) {
  return refuse.rateLimited('rate_limited', `Too many requests: wait ${retryAfterS} seconds.`, {
    retry_after_s: retryAfterS,
  })
}

function denied(endsMs: number, nowMs: number): Allowance {
  return { isAllowed: false, remaining: 0, resetS: secondsTo(endsMs, nowMs) }
}

function secondsTo(endsMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((endsMs - nowMs) / 1000))
}

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
const DAY_S = 24 * HOUR_S
/** The window, as long as the link of a mail works. */
const LINK_S = 15 * MINUTE_S

/** How often each kind of request is allowed to one caller. */
export const LIMITS = {
  /** Of an account by all its keys. Deleting must work where the disk is full. */
  api: { name: 'api', count: 600, windowS: MINUTE_S, countsWithoutSpace: true },
  /** Uploads to addresses that an account made for them. */
  upload_link: { name: 'upload-link', count: 60, windowS: MINUTE_S },
  password: { name: 'password', count: 10, windowS: MINUTE_S },
  /** Addresses of named links that there are not. */
  unknown_link: { name: 'unknown-link', count: 10, windowS: MINUTE_S },
  /** Wrong passwords of a page, from all addresses. Fewer than these already slow the next ones. */
  wrong_password: { name: 'wrong-password', count: 600, windowS: HOUR_S },
  /** Acceptances of one page's agreement. High, because an office shares an address. */
  agreement: { name: 'agreement', count: 60, windowS: 15 * MINUTE_S },
  code: { name: 'code', count: 20, windowS: 15 * MINUTE_S },
  /** Wrong codes only. A code has a million values, so guessing one takes years. */
  wrong_code_by_network: { name: 'wrong-code-network', count: 60, windowS: DAY_S },
  wrong_code_by_email: { name: 'wrong-code-email', count: 20, windowS: DAY_S },
  wrong_code: { name: 'wrong-code', count: 500, windowS: HOUR_S },
  /** Steps of single sign-on, two for each sign-in. High, because an office shares an address. */
  single_sign_on: { name: 'single-sign-on', count: 120, windowS: 5 * MINUTE_S },
  /** Answers of passkeys, which are verified. High for the same reason. */
  passkey: { name: 'passkey', count: 60, windowS: 5 * MINUTE_S },
  mail_from_address: { name: 'mail-address', count: 20, windowS: 15 * MINUTE_S },
  mail_from_known_browser: { name: 'mail-browser', count: 5, windowS: LINK_S },
  mail_from_network: { name: 'mail-network', count: 5, windowS: LINK_S },
  mail_to_email: { name: 'mail-email', count: 10, windowS: LINK_S },
  mail_to_email_daily: { name: 'mail-email-day', count: 30, windowS: DAY_S },
  /**
   * The mails that are still sent after the daily limit, so that there is always a link that works.
   */
  mail_to_email_slow: { name: 'mail-email-slow', count: 1, windowS: LINK_S },
  /** Mails about access requests to one owner. Later requests of the hour come as one mail. */
  request_mail_to_owner: { name: 'request-mail', count: 10, windowS: HOUR_S },
  /** Calls that mail invited people, each of which can mail all of a page. */
  invitations: { name: 'invitations', count: 30, windowS: HOUR_S },
  /** Mails to one invited address about one page. */
  invitation_to_email: { name: 'invitation-email', count: 3, windowS: DAY_S },
  /** Personal links of a page that its owner copies. As many as a page has invited people. */
  personal_link: { name: 'personal-link', count: 500, windowS: DAY_S },
  /** Pictures for links that are drawn. Those of chat programs share addresses. */
  link_picture: { name: 'link-picture', count: 120, windowS: 5 * MINUTE_S },
  /** Registrations of apps. High, because the users of a hosted app share its addresses. */
  oauth_register: { name: 'oauth-register', count: 120, windowS: HOUR_S },
  /** Requests for tokens, and the ends of tokens. High for the same reason. */
  oauth_token: { name: 'oauth-token', count: 600, windowS: MINUTE_S },
  /** Renewals of the tokens of one connection. A token lasts an hour. */
  oauth_refresh: { name: 'oauth-refresh', count: 60, windowS: HOUR_S },
  /** Tasks of agents that one account cancels. Each is remembered for 90 days. */
  task_cancellation: { name: 'task-cancellation', count: 100, windowS: HOUR_S },
  /** What is fetched about apps for one account. */
  app_metadata: { name: 'app-metadata', count: 30, windowS: 5 * MINUTE_S },
  /** Requests for approvals, each of which can mail all approvers of a page. */
  approval_request: { name: 'approval-request', count: 30, windowS: HOUR_S },
} as const satisfies Record<string, RateLimit>

/** The limit of an account by all its keys: a plan with large decks has an upload for each file. */
export function apiLimitOf({ deck_files, deck_assets }: Limits): RateLimit {
  return { ...LIMITS.api, count: Math.max(LIMITS.api.count, deck_files + deck_assets) }
}

/**
 * The network of a client, as one subscriber or attacker can change addresses within it: the /24 of
 * an IPv4 address. IPv6 clients are known by their /64 already.
 */
export function networkOf(address: string): string {
  return address.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24')
}

interface CodeTry {
  /** The client address of the request. */
  address: string
  /** The address that the code would confirm; null where there is no code to guess. */
  email: string | null
}

/** Limits wrong codes by network, by email address, and for the whole service. */
export function createCodeGuard(throttles: Throttles) {
  return {
    /**
     * Counts one try, before the code is compared: tries at once are bounded too.
     *
     * @returns a function that takes the try back, for a right code; null where codes are off, and
     * only the link of the mail works
     */
    async count({ address, email }: CodeTry): Promise<(() => Promise<void>) | null> {
      // The network first: a refused try does not count for the address or the service.
      const all: [RateLimit, string][] = [[LIMITS.wrong_code_by_network, networkOf(address)]]
      if (email !== null) {
        all.push([LIMITS.wrong_code_by_email, email], [LIMITS.wrong_code, 'service'])
      }
      for (const [limit, who] of all) {
        if (!(await throttles.consume(limit, who)).isAllowed) return null
      }
      return async () => {
        for (const [limit, who] of all) await throttles.refund(limit, who)
      }
    },
  }
}

interface MailRequest {
  /** Sign-in, gates and panels have separate budgets, so that none blocks another. */
  scope: 'sign-in' | 'gate' | 'page'
  email: string
  /** The client address of the request. */
  address: string
  browser: string
  /** This browser has confirmed the address before. */
  isKnownBrowser: boolean
}

/** Bounds the mails with links that requests cause, without letting anyone block an address. */
export function createMailBudget(throttles: Throttles) {
  const isAllowed = async (limit: RateLimit, who: string) =>
    (await throttles.consume(limit, who)).isAllowed

  return {
    /**
     * Counts one mail. Strangers spend the budget of their network before that of the address, and
     * a browser that has confirmed the address has a budget of its own.
     *
     * @returns false where enough mails were sent to the address in the last 15 minutes. The link
     * of the newest still works, in every browser.
     * @throws Refusal `rate_limited` for a client that asks for mails to many addresses
     */
    async mayMail(request: MailRequest): Promise<boolean> {
      const { scope, email, address, browser, isKnownBrowser } = request
      await throttles.assert(LIMITS.mail_from_address, `${scope} ${address}`)
      const to = `${scope} ${email}`
      if (isKnownBrowser && (await isAllowed(LIMITS.mail_from_known_browser, `${browser} ${to}`))) {
        return true
      }
      if (!(await isAllowed(LIMITS.mail_from_network, `${networkOf(address)} ${to}`))) return false
      if (!(await isAllowed(LIMITS.mail_to_email, to))) return false
      if (await isAllowed(LIMITS.mail_to_email_daily, to)) return true
      return isAllowed(LIMITS.mail_to_email_slow, to)
    },
  }
}
export type MailBudget = ReturnType<typeof createMailBudget>

/** The wrong passwords after which an address has to wait between its tries, and waits longer. */
const STEP = 100
/** Short enough for a person who mistypes a password while somebody else guesses it. */
const LONGEST_PAUSE_S = 16

/**
 * Limits wrong passwords by address and page, and slows them for all addresses together. No number
 * of guesses closes a page: an address that has not tried for a while always has a try.
 */
export function createPasswordGuard(throttles: Throttles) {
  return {
    /**
     * Counts one try of a client address, before the password is compared: tries at once are
     * bounded too. A try that is refused counts as a wrong one.
     *
     * @returns a function that takes the try back from those of the page, for the right password
     * @throws Refusal `rate_limited`
     */
    async count({ page_id, address }: { page_id: string; address: string }) {
      const who = `${page_id} ${address}`
      await throttles.assert(LIMITS.password, who)
      const { remaining } = await throttles.consume(LIMITS.wrong_password, page_id)
      const windowS = pauseAfter(LIMITS.wrong_password.count - remaining)
      if (windowS > 0) await throttles.assert({ name: 'password-pause', count: 1, windowS }, who)
      return () => throttles.refund(LIMITS.wrong_password, page_id)
    },
  }
}

/** Doubles with each further step: 1 s, 2 s, 4 s, … */
function pauseAfter(wrong: number): number {
  return wrong <= STEP ? 0 : Math.min(LONGEST_PAUSE_S, 2 ** Math.floor((wrong - 1) / STEP - 1))
}
