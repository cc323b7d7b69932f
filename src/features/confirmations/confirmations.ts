import { randomBytes, randomInt } from 'node:crypto'
import type { Confirmation } from '../../model/confirmation.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import { type Secrets, sha256 } from '../../platform/secrets.ts'
import * as store from './store.ts'

const TTL_MS = 15 * 60_000
const CODE_TRIES = 5
const CODE = /^\d{6}$/
/** 32 random bytes in base64url. */
const TOKEN = /^[\w-]{43}$/

export interface StartOptions {
  /** Names the action that redeeming leads to: `sign_in`, `open_page`, … */
  purpose: string
  email: string
  page_id?: string | null
  /** What the action needs to know. */
  details?: Record<string, unknown> | null
  /** The random id in the cookie of the browser that asks. Without it no code is accepted. */
  browser?: string | null
  ttlMs?: number
}

export interface StartedConfirmation {
  id: string
  /** For the link: 43 characters of base64url. Only its hash is stored. */
  token: string
  /** Six digits, accepted only from the browser that asked. Only their signature is stored. */
  code: string
}

export interface CodeInput {
  browser: string
  purpose: string
  page_id?: string | null
  /** As it was typed. */
  code: string
}

export interface Confirmations {
  /** Starts a confirmation in the transaction that puts its mail into the outbox. */
  start(tx: Tx, options: StartOptions): Promise<StartedConfirmation>
  /** Returns what a link would confirm, without using it. */
  peek(token: string): Promise<Confirmation | null>
  /** Uses a link. @returns null where it is unknown, used or expired */
  redeem(tx: Tx, token: string): Promise<Confirmation | null>
  /**
   * Checks a code against the newest confirmation of this browser, purpose and page, and counts a
   * try: the transaction must commit whatever this returns.
   *
   * @returns null for a wrong code, or where that confirmation is used, expired or out of tries
   */
  redeemCode(tx: Tx, input: CodeInput): Promise<Confirmation | null>
  /** Deletes expired confirmations. @returns how many */
  sweep(): Promise<number>
}

export interface ConfirmationDeps {
  database: Database
  clock: Clock
  secrets: Secrets
}

/** One-time links and codes. What they confirm is stored here, and never part of the link. */
export function createConfirmations({ database, clock, secrets }: ConfirmationDeps): Confirmations {
  // A plain hash of six digits could be reversed by trying all of them, so the code is signed with
  // a key that is not in the database.
  const signCode = (id: string, code: string) => secrets.sign('confirmation-code', id, code)

  function isCodeOf(row: store.Row, typed: string): boolean {
    const code = typed.replace(/[\s-]/g, '')
    return CODE.test(code) && secrets.verify(row.code_hash, 'confirmation-code', row.id, code)
  }

  return {
    async start(tx, options) {
      const id = newId('cnf')
      const token = randomBytes(32).toString('base64url')
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      await store.insert(tx, {
        ...columnsOf(options),
        id,
        token_hash: sha256(token),
        code_hash: signCode(id, code),
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
    async redeemCode(tx, { browser, purpose, page_id: pageId = null, code }) {
      if (browser === '') return null
      const now = clock.now()
      const attempt = { purpose, page_id: pageId, maxTries: CODE_TRIES, now }
      const row = await store.countTry(tx, { ...attempt, browser_hash: sha256(browser) })
      if (row === undefined || !isCodeOf(row, code)) return null
      return confirmationOf(await store.markUsed(tx, row.token_hash, now))
    },
    sweep: () => database.write((tx) => store.deleteExpired(tx, clock.now())),
  }
}

function columnsOf({ purpose, email, page_id: pageId, details, browser }: StartOptions) {
  return {
    purpose,
    email,
    page_id: pageId ?? null,
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
