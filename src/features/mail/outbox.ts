import type { MailOptions } from '../../model/mail.ts'
import { CLOCKS_APART_MS, type Timestamp } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { inChunks } from '../../platform/db/rows.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { newId } from '../../platform/ids.ts'
import { MAX_SENDING, Rejected, type Transport } from '../../platform/mail/index.ts'
import { inTime, takeTurn } from '../../platform/promises.ts'
import { LONGEST_RETRIES_MS, MAX_ATTEMPTS, retryDelayMs } from '../../platform/retries.ts'
import type { Services } from '../../platform/services.ts'
import { createWorkers } from '../../platform/task-queue.ts'
import type { Mail } from './compose.ts'
import * as store from './store.ts'

/** The channel on which a write notifies every node of a mail to send. */
export const CHANNEL = 'outbox'
/**
 * Mails sent at once, besides slow ones: a mail server may be silent about one for minutes. So many
 * of all places are for mails that somebody waits for, however many others are slow.
 */
const MAX_WORKERS = 4
/** By how much a mail that somebody waits for goes before others. */
const AHEAD_MS = 60 * 60_000
const STOP_MS = 5000
/** How often to look for mails whose retry is due. New mails wake the workers themselves. */
const POLL_MS = 30_000
const RETENTION_MS = 30 * 24 * 60 * 60_000

/**
 * The mails to send, stored in the transactions that cause them. Each is sent at least once: twice
 * where a node dies after it handed the mail over and before it recorded that.
 */
export function createOutbox(deps: OutboxDeps) {
  const { database, clock, transport, sweepFiles, log, stopMs = STOP_MS } = deps
  const slow = new Set<string>()
  // A worker that finds a mail starts another one, up to the limit: there may be more mails.
  const sendDue = createSender(deps, { slow, wake: () => workers.start() })
  const most = () => Math.min(MAX_SENDING, MAX_WORKERS + slow.size)
  const workers = createWorkers(most, async (mayContinue) => {
    try {
      await sendDue(mayContinue)
    } catch (err) {
      log.error('the outbox failed', { err })
    }
  })
  let timer: Timer | undefined

  async function look(): Promise<void> {
    try {
      const { after } = clock
      const plausible = LONGEST_RETRIES_MS.map((ms) => after(ms + CLOCKS_APART_MS))
      await database.write(async (tx) => {
        await store.sendNew(tx, [after(CLOCKS_APART_MS), after(0)])
        // A mail that is being sent has its lease renewed until then.
        await store.shortenRetries(tx, plausible, after(LEASE_MS))
      })
    } catch (err) {
      log.error('the outbox failed', { err })
    }
    workers.wake()
  }

  return {
    /** Stores a mail in the transaction that causes it: both are committed, or neither. */
    async put(tx: Tx, mail: Mail, options: MailOptions = {}): Promise<void> {
      const { dedupe_key, not_before, discard = false, forgets_recipient = false } = options
      const { link_id = null } = options
      const now = clock.now()
      await store.insertMail(tx, {
        id: newId('mail'),
        to_address: mail.to,
        forgets_recipient: forgets_recipient ? 1 : 0,
        subject: mail.subject,
        text_body: discard ? '' : mail.text,
        html_body: discard ? '' : mail.html,
        headers: JSON.stringify(mail.headers),
        dedupe_key: dedupe_key ?? null,
        not_before: not_before ?? (mail.isAwaited ? clock.after(-AHEAD_MS) : now),
        attempts: 0,
        last_error: null,
        created_at: now,
        sent_at: discard ? now : null,
        link_id,
      })
      await database.notify(tx, CHANNEL, '')
    },
    /** Starts sending in the background. */
    async start(): Promise<void> {
      workers.open()
      await database.listen(CHANNEL, workers.wake, workers.wake)
      timer = setInterval(look, POLL_MS)
      await look()
    },
    /**
     * Starts no further mail. Mails that are being sent get a few seconds; what fails then is
     * retried by the next node that starts.
     */
    async stop(): Promise<void> {
      clearInterval(timer)
      const ended = workers.close()
      await inTime(ended, stopMs, () => {})
      await transport.close()
      await ended
    },
    /** Sends all mails that are due. @returns how many were sent */
    flush: () => sendDue(() => true),
    /** Deletes mails that were sent, or given up, a month ago. @returns how many */
    async sweep(): Promise<number> {
      const count = await store.deleteDone(database, [clock.after(-RETENTION_MS)])
      await sweepFiles?.(clock.ms() - RETENTION_MS)
      return count
    },
  }
}
export type Outbox = ReturnType<typeof createOutbox>

/**
 * How long a claimed mail belongs to one node, which renews its lease while it sends. When a node
 * dies, the mails that it was sending are sent after this.
 */
export const LEASE_MS = 30_000
const MAX_ERROR_LENGTH = 500

/** `later`: the page is offline. `never`: the page, its link or the invitation is gone. */
export type Reach = 'now' | 'later' | 'never'

export interface OutboxDeps extends Pick<Services, 'database' | 'clock' | 'log'> {
  transport: Transport
  /** Deletes the files of mails that were written before a time. */
  sweepFiles?(beforeMs: number): Promise<void>
  /** Shorter in tests. */
  leaseMs?: number
  stopMs?: number
  /** Whether the link of a mail that is due leads its recipient to the page. */
  reachOf?(tx: Tx, linkId: string, to: string): Promise<Reach>
  /**
   * Records that the mail of a link was given up, in the transaction that gives it up.
   *
   * @param bounce `at` is null where the mail was sent after all: an operator can send it again
   */
  recordBounce?(
    tx: Tx,
    bounce: [linkId: string, at: Timestamp | null, mailedAt: Timestamp],
  ): Promise<unknown>
}

/** A mail that is being sent, at this attempt. */
type ClaimedMail = Pick<Tables['outbox'], 'id' | 'attempts' | 'created_at' | 'link_id'>

interface Waking {
  /** Ids of mails whose lease was renewed, since they take long. */
  slow: Set<string>
  /** Called when a mail was found, and when it takes long: others may be sent meanwhile. */
  wake(): void
}

/**
 * @returns a function that sends mails until none is due or `mayContinue` returns false, and
 * resolves with how many it sent
 */
function createSender(deps: OutboxDeps, { slow, wake }: Waking) {
  const { database, clock, transport, log, leaseMs = LEASE_MS } = deps
  let sending = 0

  async function sendNext(): Promise<'sent' | 'failed' | 'none'> {
    const isForAwaited = sending > MAX_SENDING - MAX_WORKERS
    const due = isForAwaited ? clock.after(-AHEAD_MS) : clock.now()
    const lease = [clock.after(leaseMs), due]
    const claim = store.claim[database.engine]
    const [row, reach] = await database.write(async (tx) => {
      const [row] = await claim(tx, lease)
      const reach = row?.link_id && (await deps.reachOf?.(tx, row.link_id, row.to_address))
      if (reach === 'never') await store.deleteMail(tx, [row!.id])
      return [row, reach]
    }, 'freeing')
    if (row === undefined) return 'none'
    if (reach === 'never') return 'failed'
    wake()
    const { id, to_address: to, subject, text_body: text, html_body: html } = row
    const headers = JSON.parse(row.headers) as Record<string, string>
    const renewal = setInterval(() => void renew(row), leaseMs / 6)
    try {
      if (reach === 'later') throw new Error('the page is offline')
      await transport.send({ id, to, subject, text, html, headers })
    } catch (err) {
      await recordFailure(row, err as Error)
      return 'failed'
    } finally {
      clearInterval(renewal)
      slow.delete(id)
    }
    const result = { row, sentAt: clock.now(), keepsText: transport.delivers === false }
    await database.write(async (tx) => {
      await store.markSent(tx, result)
      await tellLink(tx, row, null)
    }, 'freeing')
    return 'sent'
  }

  async function tellLink(tx: Tx, { link_id, created_at }: ClaimedMail, at: Timestamp | null) {
    if (link_id !== null) await deps.recordBounce?.(tx, [link_id, at, created_at])
  }

  /** Where it fails, another node may send the mail as well. */
  async function renew({ id, attempts }: ClaimedMail): Promise<void> {
    slow.add(id)
    wake()
    await database
      .write((tx) => store.renewLease(tx, [id, attempts, clock.after(leaseMs)]), 'freeing')
      .catch((err) => log.warn('a mail that is being sent could not be kept', { mailId: id, err }))
  }

  async function recordFailure(mail: ClaimedMail, err: Error): Promise<void> {
    const { id, attempts } = mail
    const givesUp = attempts >= MAX_ATTEMPTS || err instanceof Rejected
    const retryAt = givesUp ? store.NEVER : clock.after(retryDelayMs(attempts))
    const error = err.message.slice(0, MAX_ERROR_LENGTH)
    await database.write(async (tx) => {
      const isRecorded = await store.markFailed(tx, [id, attempts, error, retryAt])
      if (isRecorded && givesUp) await tellLink(tx, mail, clock.now())
    }, 'freeing')
    const fields = { mailId: id, attempts, err }
    if (givesUp) log.error('a mail was given up', fields)
    else log.warn('a mail could not be sent yet', fields)
  }

  return async function sendDue(mayContinue: () => boolean): Promise<number> {
    let count = 0
    while (mayContinue()) {
      sending += 1
      const outcome = await sendNext().finally(() => {
        sending -= 1
      })
      if (outcome === 'none') break
      if (outcome === 'sent') count += 1
    }
    return count
  }
}

/** So many mails are written in one transaction, which holds up others for some milliseconds. */
const MAILS = 25

/** Writes a mail for each of many people, in short transactions. */
export async function sendMany<Person>(
  database: Pick<Database, 'write'>,
  people: readonly Person[],
  send: (tx: Tx, person: Person) => Promise<void>,
): Promise<void> {
  for (const some of inChunks(people, MAILS)) {
    await takeTurn()
    await database.write(async (tx) => {
      for (const person of some) await send(tx, person)
    })
  }
}
