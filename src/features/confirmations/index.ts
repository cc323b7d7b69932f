import { randomBytes, randomInt } from 'node:crypto'
import type { Confirmation } from '../../model/confirmation.ts'
import { CLOCKS_APART_MS, type Timestamp } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { newId, sha256 } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import * as store from './store.ts'

export type { Confirmation } from '../../model/confirmation.ts'

const TTL_MS = 15 * 60_000
/** The longest time between the requests of a double click, over a slow connection. */
const DOUBLE_CLICK_MS = 10_000
/** How long a personal link is known after it has expired, so that its page can send a new one. */
const KEPT_MS = 90 * 24 * 60 * 60_000
const CODE_TRIES = 5
const CODE = /^\d{6}$/

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

interface ConfirmationDeps extends Pick<Services, 'database' | 'clock' | 'secrets'> {
  /** Counts wrong codes; see `CodeGuard` of the throttles. */
  wrongCodes: {
    count(tried: { address: string; email: string | null }): Promise<(() => Promise<void>) | null>
  }
}

interface MailedAt {
  at: string
  bounced_at: string | null
}

/** Records that the mail with a link was given up, or null where it was sent after all. */
export async function recordRefusal(
  tx: Tx,
  [id, at]: [id: string, at: Timestamp | null, mailedAt: Timestamp],
): Promise<void> {
  const [row] = await store.findById(tx, [id])
  if (row === undefined) return
  const { bounced_at: _, ...details } = JSON.parse(row.details ?? '{}')
  const changes = { details: JSON.stringify(at ? { ...details, bounced_at: at } : details) }
  await store.update(tx, [id], changes)
}

/** One-time links and codes. What they confirm is stored here and is never part of the link. */
export function createConfirmations(deps: ConfirmationDeps) {
  const { database, clock, secrets } = deps
  return {
    ...createCodes(deps),
    /**
     * Starts a confirmation in the transaction that puts its mail into the outbox.
     *
     * @returns the token for the link, of which only a hash is stored, and a code of six digits,
     *   which is accepted from the browser that asked alone
     */
    async start(tx: Tx, options: StartOptions) {
      const { purpose, email, page_id = null, details, browser, isDecoy = false } = options
      const id = newId('cnf')
      const token = newToken()
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const expiresAt = clock.after(options.ttlMs ?? TTL_MS)
      const row = {
        ...{ id, purpose, email, page_id, tries: 0, used_at: null },
        details: details ? JSON.stringify(details) : null,
        browser_hash: browser ? sha256(browser) : null,
        token_hash: sha256(isDecoy ? newToken() : token),
        // A plain hash of six digits could be reversed by trying all of them.
        code_hash: secrets.sign('confirmation-code', isDecoy ? newId('cnf') : id, code),
        ...{ created_at: clock.now(), expires_at: expiresAt },
      }
      await store.insert(tx, [row])
      return { id, token, code, expires_at: expiresAt }
    },
    /** Returns what a link would confirm, without using it. */
    async peek(token: string): Promise<Confirmation | null> {
      return first(await store.findUnexpired(database.read, [sha256(token), clock.now()]))
    },
    /** Returns what a link confirms or has confirmed, also where it was used or has expired. */
    async recall(token: string): Promise<Confirmation | null> {
      return first(await store.findAny(database.read, [sha256(token)]))
    },
    /** Whatever became of its link. */
    find: async (db: Db, id: string) => first(await store.findById(db, [id])),
    /** Ends the unused links of a purpose to one address of a page. */
    async endLinks(tx: Tx, link: { page_id: string; purpose: string; email: string }) {
      await store.endLinks(tx, [link.page_id, link.purpose, link.email, clock.now()])
    },
    /** When the newest link of a purpose was mailed to each address of a page, and was refused. */
    async newestByEmail(pageId: string, purpose: string): Promise<Map<string, MailedAt>> {
      const rows = await store.listLinks(database.read, [pageId, purpose])
      return new Map(
        rows.map(({ email, created_at: at, details }) => {
          const { bounced_at = null } = JSON.parse(details ?? '{}') as Partial<MailedAt>
          return [email, { at, bounced_at }]
        }),
      )
    },
    /** Uses a link. @returns null where it is unknown, used or expired */
    async redeem(tx: Tx, token: string): Promise<Confirmation | null> {
      return first(await store.markUsed(tx, [sha256(token), clock.now()]))
    },
    /** Returns what a link confirmed a moment ago, for the second click of a double click. */
    async findJustUsed(token: string): Promise<Confirmation | null> {
      const since = clock.after(-DOUBLE_CLICK_MS)
      return first(await store.findUsedSince(database.read, [sha256(token), since]))
    },
    /** Closes all open links with these details, whatever their purpose. */
    async close(tx: Tx, pageId: string, details: Record<string, unknown>): Promise<void> {
      await store.closeAll(tx, [pageId, JSON.stringify(details), clock.now()])
    },
    /** Deletes expired confirmations. @returns how many */
    sweep: () => store.deleteExpired(database, [clock.now(), clock.after(-KEPT_MS)]),
  }
}
export type Confirmations = ReturnType<typeof createConfirmations>

/** Codes that people type in the browser that asked. */
function createCodes({ database, clock, secrets, wrongCodes }: ConfirmationDeps) {
  function isCodeOf(row: store.Row, input: string): boolean {
    const code = input.replace(/[\s-]/g, '')
    return CODE.test(code) && secrets.verify(row.code_hash, 'confirmation-code', row.id, code)
  }

  return {
    /**
     * Checks a code against the newest confirmation of this browser, purpose and page, and counts
     * a try. It is wrong, too, where that confirmation is used, expired or out of tries.
     *
     * @param act runs in the transaction that redeems a right code
     */
    async redeemCode<T>(
      { browser, address, purpose, page_id, code }: CodeInput,
      act: (tx: Tx, confirmation: Confirmation) => Promise<T>,
    ): Promise<CodeOutcome<T>> {
      const now = clock.now()
      const query = [sha256(browser), purpose, page_id ?? '', clock.after(CLOCKS_APART_MS)]
      const [newest] =
        browser === '' ? [] : await store.findForCode(database.read, [...query, CODE_TRIES, now])
      const takeBack = await wrongCodes.count({ address, email: newest?.email ?? null })
      if (takeBack === null) return { outcome: 'off' }
      if (newest === undefined) return { outcome: 'wrong' }
      const used = await database.write(async (tx) => {
        const [row] = await store.countTry(tx, [newest.id, CODE_TRIES, now])
        if (row === undefined || !isCodeOf(row, code)) return null
        const confirmation = first(await store.markUsed(tx, [row.token_hash, now]))
        return confirmation && { result: await act(tx, confirmation) }
      }, 'freeing')
      if (used === null) return { outcome: 'wrong' }
      await takeBack()
      return { outcome: 'right', ...used }
    },
  }
}

function newToken(): string {
  return randomBytes(32).toString('base64url')
}

function first([row]: store.Row[]): Confirmation | null {
  if (row === undefined) return null
  const { id, purpose, email, page_id, created_at, expires_at } = row
  const details = row.details && JSON.parse(row.details)
  return { id, purpose, email, page_id, details, created_at, expires_at }
}
