import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import type { OutboxTable } from '../../platform/db/tables.ts'
import type { Log } from '../../platform/log.ts'
import { Rejected, type Transport } from '../../platform/mail/index.ts'
import * as store from './store.ts'

/**
 * How long a claimed mail belongs to one node, which renews its lease while it sends. When a node
 * dies, the mails that it was sending are sent after this.
 */
export const LEASE_MS = 30_000
const FIRST_RETRY_MS = 30_000
const LONGEST_RETRY_MS = 6 * 60 * 60_000
/** With the waits between them they take about three days. */
const MAX_ATTEMPTS = 24
/** How long a mail waits at most after each attempt, the first one first. */
export const LONGEST_RETRIES_MS = Array.from({ length: MAX_ATTEMPTS }, (_, nth) =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** nth * 1.25),
)
const MAX_ERROR_LENGTH = 500

export interface SenderDeps {
  database: Database
  clock: Clock
  transport: Transport
  log: Log
  /** Shorter in tests. */
  leaseMs?: number
}

/** A mail that is being sent, at this attempt. */
type ClaimedMail = Pick<OutboxTable, 'id' | 'attempts'>

/**
 * @param onClaim called when a mail was found and claimed, before it is sent
 * @returns a function that sends mails until none is due or `mayContinue` returns false, and
 * resolves with how many it sent
 */
export function createSender(deps: SenderDeps, onClaim: () => void) {
  const { database, clock, transport, log, leaseMs = LEASE_MS } = deps

  async function sendNext(): Promise<'sent' | 'failed' | 'none'> {
    const lease = [clock.after(leaseMs), clock.now()]
    const claim = store.claim[database.engine]
    const [row] = await database.write((tx) => claim(tx, lease), 'freeing')
    if (row === undefined) return 'none'
    onClaim()
    const { id, to_address: to, subject, text_body: text, html_body: html, attempts } = row
    const headers = JSON.parse(row.headers) as Record<string, string>
    const renewal = setInterval(() => void renew({ id, attempts }), leaseMs / 3)
    try {
      await transport.send({ id, to, subject, text, html, headers })
    } catch (err) {
      await recordFailure({ id, attempts }, err as Error)
      return 'failed'
    } finally {
      clearInterval(renewal)
    }
    const sent = { row, sentAt: clock.now(), keepsText: transport.delivers === false }
    await database.write((tx) => store.markSent(tx, sent), 'freeing')
    return 'sent'
  }

  /** Where it fails, another node may send the mail as well. */
  async function renew({ id, attempts }: ClaimedMail): Promise<void> {
    await database
      .write((tx) => store.renewLease(tx, [id, attempts, clock.after(leaseMs)]), 'freeing')
      .catch((err) => log.warn('a mail that is being sent could not be kept', { mailId: id, err }))
  }

  async function recordFailure(mail: ClaimedMail, err: Error): Promise<void> {
    const { id, attempts } = mail
    const givesUp = attempts >= MAX_ATTEMPTS || err instanceof Rejected
    const retryAt = givesUp ? null : clock.after(retryDelayMs(attempts))
    const error = err.message.slice(0, MAX_ERROR_LENGTH)
    await database.write((tx) => store.markFailed(tx, mail, { error, retryAt }), 'freeing')
    const fields = { mailId: id, attempts, err }
    if (givesUp) log.error('a mail was given up', fields)
    else log.warn('a mail could not be sent yet', fields)
  }

  return async function sendDue(mayContinue: () => boolean): Promise<number> {
    let sent = 0
    while (mayContinue()) {
      const outcome = await sendNext()
      if (outcome === 'none') break
      if (outcome === 'sent') sent += 1
    }
    return sent
  }
}

/** Doubles with each attempt. The jitter spreads the retries of mails that failed together. */
function retryDelayMs(attempts: number): number {
  const doubled = FIRST_RETRY_MS * 2 ** (attempts - 1) * (1 + Math.random() / 4)
  return Math.min(LONGEST_RETRY_MS * (1 - Math.random() / 4), doubled)
}
