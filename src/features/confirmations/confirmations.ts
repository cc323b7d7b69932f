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
/** Of a token: 32 random bytes. */
const TOKEN = /^[\w-]{43}$/

export interface StartOptions {
  purpose: string
  email: string
  page_id?: string | null
  details?: Record<string, unknown> | null
  /** The random id in the asker's cookie. Without it there is a link and no code that counts. */
  browser?: string | null
  ttlMs?: number
}

export interface StartedConfirmation {
  id: string
  /** For the link: 43 characters of base64url. This is the only time it is known. */
  token: string
  /** Six digits, good only in the browser that asked. */
  code: string
}

export interface Confirmations {
  /** In the transaction that also puts the mail into the outbox. */
  start(tx: Tx, options: StartOptions): Promise<StartedConfirmation>
  /** What a link would confirm. Changes nothing, however often it is asked. */
  peek(token: string): Promise<Confirmation | null>
  /** Uses a link up. Null when it is unknown, used or expired. */
  redeem(tx: Tx, token: string): Promise<Confirmation | null>
  /**
   * Counts a try, so the transaction must commit whatever comes back. Null for a wrong code, and
   * when the newest of this browser, purpose and page is used, expired or out of tries.
   */
  redeemCode(tx: Tx, typed: TypedCode): Promise<Confirmation | null>
  /** Deletes what has expired. */
  sweep(): Promise<number>
}

export interface TypedCode {
  browser: string
  purpose: string
  page_id?: string | null
  code: string
}

/** One-time links and codes. What they are for is in the row and never in the address. */
export function createConfirmations({
  database,
  clock,
  secrets,
}: {
  database: Database
  clock: Clock
  secrets: Secrets
}): Confirmations {
  /** Under a key outside the database: who reads a million-to-one hash there learns no code. */
  const codeHash = (id: string, code: string) => secrets.sign('confirmation-code', id, code)

  return {
    async start(tx, { purpose, email, page_id: pageId, details, browser, ttlMs = TTL_MS }) {
      const id = newId('cnf')
      const token = randomBytes(32).toString('base64url')
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      await store.insert(tx, {
        id,
        purpose,
        email,
        page_id: pageId ?? null,
        details: details ? JSON.stringify(details) : null,
        token_hash: sha256(token),
        code_hash: codeHash(id, code),
        browser_hash: browser ? sha256(browser) : null,
        tries: 0,
        created_at: clock.now(),
        expires_at: clock.after(ttlMs),
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
      const asked = {
        browser_hash: sha256(browser),
        purpose,
        page_id: pageId,
        maxTries: CODE_TRIES,
        now,
      }
      const row = await store.countTry(tx, asked)
      const typed = code.replace(/[\s-]/g, '')
      if (row === undefined || !CODE.test(typed)) return null
      if (!secrets.verify(row.code_hash, 'confirmation-code', row.id, typed)) return null
      return confirmationOf(await store.markUsed(tx, row.token_hash, now))
    },
    sweep: () => database.write((tx) => store.deleteExpired(tx, clock.now())),
  }
}

function confirmationOf(row: store.Row | undefined): Confirmation | null {
  if (row === undefined) return null
  const { id, purpose, email, page_id: pageId, created_at: createdAt, expires_at: expiresAt } = row
  const details = row.details === null ? null : JSON.parse(row.details)
  return {
    id,
    purpose,
    email,
    page_id: pageId,
    details,
    created_at: createdAt,
    expires_at: expiresAt,
  }
}
