import { randomBytes, randomInt } from 'node:crypto'
import type { Confirmation } from '../../model/confirmation.ts'
import { CLOCKS_APART_MS, type Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import { type Secrets, sha256 } from '../../platform/secrets.ts'
import * as store from './store.ts'

export type { Confirmation } from '../../model/confirmation.ts'

const TTL_MS = 15 * 60_000
/** The longest time between the requests of a double click, over a slow connection. */
const DOUBLE_CLICK_MS = 10_000
const CODE_TRIES = 5
const CODE = /^\d{6}$/
/** 32 random bytes in base64url. */
const TOKEN = /^[\w-]{43}$/

export interface StartOptions {
  /** Names the action that redeeming leads to: `sign_in`, `open_page`, … */
  purpose: string
  email: string
  page_id?: string | null
  /** The data that the action needs. */
  details?: Record<string, unknown> | null
  /** The random id in the cookie of the browser that asks. Without it no code is accepted. */
  browser?: string | null
  /**
   * Stores the same row, but keeps the link and the code secret, for an address that may not
   * use them: no guess is ever right, and the response takes as long.
   */
  isDecoy?: boolean
  ttlMs?: number
}

interface StartedConfirmation {
  id: string
  /** For the link: 43 characters of base64url. Only its hash is stored. */
  token: string
  /** Six digits, accepted only from the browser that asked. Only their signature is stored. */
  code: string
}

interface CodeInput {
  browser: string
  /** The client address of the request. */
  address: string
  purpose: string
  page_id?: string | null
  /** As it was typed. */
  code: string
}

/** `off`: there were too many wrong codes. For now only the link of the mail works. */
type CodeOutcome<T> = { outcome: 'right'; result: T } | { outcome: 'wrong' | 'off' }

/** Counts wrong codes; see `createCodeGuard` of the throttles. */
interface WrongCodes {
  count(tried: { address: string; email: string | null }): Promise<(() => Promise<void>) | null>
}

export interface Confirmations {
  /** Starts a confirmation in the transaction that puts its mail into the outbox. */
  start(tx: Tx, options: StartOptions): Promise<StartedConfirmation>
  /** Returns what a link would confirm, without using it. */
  peek(token: string): Promise<Confirmation | null>
  /** Uses a link. @returns null where it is unknown, used or expired */
  redeem(tx: Tx, token: string): Promise<Confirmation | null>
  /** Returns what a link confirmed a moment ago, for the second click of a double click. */
  findJustUsed(token: string): Promise<Confirmation | null>
  /**
   * Checks a code against the newest confirmation of this browser, purpose and page, and counts a
   * try. It is wrong, too, where that confirmation is used, expired or out of tries.
   *
   * @param act runs in the transaction that redeems a right code
   */
  redeemCode<T>(
    input: CodeInput,
    act: (tx: Tx, confirmation: Confirmation) => Promise<T>,
  ): Promise<CodeOutcome<T>>
  /** Closes all open links with these details, whatever their purpose. */
  close(tx: Tx, pageId: string, details: Record<string, unknown>): Promise<void>
  /** Deletes expired confirmations. @returns how many */
  sweep(): Promise<number>
}

interface ConfirmationDeps {
  database: Database
  clock: Clock
  secrets: Secrets
  wrongCodes: WrongCodes
}

/** One-time links and codes. What they confirm is stored here and is never part of the link. */
export function createConfirmations(deps: ConfirmationDeps): Confirmations {
  const { database, clock, secrets, wrongCodes } = deps
  // A plain hash of six digits could be reversed by trying all of them, so the code is signed with
  // a key that is not in the database.
  const signCode = (id: string, code: string) => secrets.sign('confirmation-code', id, code)

  function isCodeOf(row: store.Row, typed: string): boolean {
    const code = typed.replace(/[\s-]/g, '')
    return CODE.test(code) && secrets.verify(row.code_hash, 'confirmation-code', row.id, code)
  }

  /** Uses the confirmation if the code is right, in the transaction of its action. */
  async function redeemTried<T>(
    tx: Tx,
    { attempt, code }: { attempt: store.CodeTry; code: string },
    act: (tx: Tx, confirmation: Confirmation) => Promise<T>,
  ): Promise<{ result: T } | null> {
    const row = await store.countTry(tx, attempt)
    if (row === undefined || !isCodeOf(row, code)) return null
    const used = confirmationOf(await store.markUsed(tx, row.token_hash, attempt.now))
    return used && { result: await act(tx, used) }
  }

  return {
    async start(tx, options) {
      const id = newId('cnf')
      const token = newToken()
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const { isDecoy = false } = options
      await store.insert(tx, {
        ...columnsOf(options),
        id,
        token_hash: sha256(isDecoy ? newToken() : token),
        code_hash: signCode(isDecoy ? newId('cnf') : id, code),
        tries: 0,
        created_at: clock.now(),
        expires_at: clock.after(options.ttlMs ?? TTL_MS),
        used_at: null,
      })
      return { id, token, code }
    },
    async peek(token) {
      if (!TOKEN.test(token)) return null
      return confirmationOf(await store.findUnexpired(database.read, sha256(token), clock.now()))
    },
    async redeem(tx, token) {
      if (!TOKEN.test(token)) return null
      return confirmationOf(await store.markUsed(tx, sha256(token), clock.now()))
    },
    async findJustUsed(token) {
      if (!TOKEN.test(token)) return null
      const since = clock.after(-DOUBLE_CLICK_MS)
      return confirmationOf(await store.findUsedSince(database.read, sha256(token), since))
    },
    async redeemCode({ browser, address, purpose, page_id = null, code }, act) {
      const query = { browser_hash: sha256(browser), purpose, page_id }
      const latest = clock.after(CLOCKS_APART_MS)
      const open = { ...query, maxTries: CODE_TRIES, now: clock.now(), latest }
      const row = browser === '' ? undefined : await store.findForCode(database.read, open)
      const takeBack = await wrongCodes.count({ address, email: row?.email ?? null })
      if (takeBack === null) return { outcome: 'off' }
      if (row === undefined) return { outcome: 'wrong' }
      const attempt = { ...open, id: row.id }
      const done = await database.write((tx) => redeemTried(tx, { attempt, code }, act), 'freeing')
      if (done === null) return { outcome: 'wrong' }
      await takeBack()
      return { outcome: 'right', ...done }
    },
    close: (tx, pageId, details) =>
      store.closeAll(tx, { pageId, details: JSON.stringify(details), now: clock.now() }),
    sweep: () => database.write((tx) => store.deleteExpired(tx, clock.now()), 'freeing'),
  }
}

function newToken(): string {
  return randomBytes(32).toString('base64url')
}

function columnsOf({ purpose, email, page_id, details, browser }: StartOptions) {
  return {
    purpose,
    email,
    page_id: page_id ?? null,
    details: details ? JSON.stringify(details) : null,
    browser_hash: browser ? sha256(browser) : null,
  }
}

function confirmationOf(row: store.Row | undefined): Confirmation | null {
  if (row === undefined) return null
  return {
    id: row.id,
    purpose: row.purpose,
    email: row.email,
    page_id: row.page_id,
    details: row.details === null ? null : JSON.parse(row.details),
    created_at: row.created_at,
    expires_at: row.expires_at,
  }
}
