import type { Clock, Timestamp } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { Rejected, type Transport } from '../../platform/mail/index.ts'
import type { Mail } from './compose.ts'
import * as store from './store.ts'

const CHANNEL = 'outbox'
/** Longer than any transport takes: what a node had in hand when it died goes to others then. */
const LEASE_MS = 5 * 60_000
const FIRST_RETRY_MS = 30_000
const LONGEST_RETRY_MS = 6 * 60 * 60_000
/** About three days of tries. */
const ATTEMPTS = 24
/** Mails on their way at once: one that takes long must not hold up somebody's sign-in. */
const LANES = 4
const STOP_MS = 5000
const LOOK_EVERY_MS = 30_000
const KEPT_MS = 30 * 24 * 60 * 60_000
const NEVER = '9999-12-31T00:00:00.000000Z'

export interface PutOptions {
  /** While a mail with this key waits, another takes its place instead of joining it. */
  dedupe_key?: string
  not_before?: Timestamp
}

export interface Outbox {
  /** In the transaction of what causes the mail: there is the one if and only if the other. */
  put(tx: Tx, mail: Mail, options?: PutOptions): Promise<void>
  start(): Promise<void>
  /** Sends nothing new; what is in hand has a few seconds, and is tried again by who comes next. */
  stop(): Promise<void>
  /** Sends all that is due. @returns how many went out */
  flush(): Promise<number>
  /** Forgets what was sent, or given up, a month ago. */
  sweep(): Promise<number>
}

export interface OutboxDeps {
  database: Database
  clock: Clock
  transport: Transport
  log: Log
}

export function createOutbox({ database, clock, transport, log }: OutboxDeps): Outbox {
  const workers = new Set<Promise<void>>()
  let isWoken = false
  let isStopped = true
  let timer: Timer | undefined

  async function sendNext(): Promise<'sent' | 'failed' | 'none'> {
    const row = await database.write((tx) =>
      store.claim(tx, {
        engine: database.engine,
        now: clock.now(),
        leaseEnds: clock.after(LEASE_MS),
      }),
    )
    if (row === undefined) return 'none'
    startWorker()
    const { id, to_address: to, subject, text_body: text, html_body: html, attempts } = row
    const headers = JSON.parse(row.headers) as Record<string, string>
    try {
      await transport.send({ id, to, subject, text, html, headers })
    } catch (err) {
      await recordFailure({ id, attempts }, err as Error)
      return 'failed'
    }
    await database.write((tx) => store.markSent(tx, id, clock.now()))
    return 'sent'
  }

  async function recordFailure(mail: { id: string; attempts: number }, err: Error): Promise<void> {
    const givesUp = mail.attempts >= ATTEMPTS || err instanceof Rejected
    const notBefore = givesUp ? NEVER : clock.after(retryAfter(mail.attempts))
    const lastError = err.message.slice(0, 500)
    await database.write((tx) =>
      store.markFailed(tx, { ...mail, last_error: lastError, not_before: notBefore }),
    )
    const fields = { mailId: mail.id, attempts: mail.attempts, err }
    if (givesUp) log.error('a mail was given up', fields)
    else log.warn('a mail could not be sent yet', fields)
  }

  /** Until nothing is due, or `goesOn` says no. @returns how many went out */
  async function sendDue(goesOn: () => boolean): Promise<number> {
    let sent = 0
    while (goesOn()) {
      const outcome = await sendNext()
      if (outcome === 'none') break
      if (outcome === 'sent') sent += 1
    }
    return sent
  }

  function wake(): void {
    isWoken = true
    startWorker()
  }

  /** Whoever wakes opens one, and whoever finds a mail: there may be more. */
  function startWorker(): void {
    if (isStopped || workers.size >= LANES) return
    const worker = runWorker().finally(() => {
      workers.delete(worker)
      // A wish that came when this lane had looked for the last time, and all others were taken.
      if (isWoken) startWorker()
    })
    workers.add(worker)
  }

  async function runWorker(): Promise<void> {
    isWoken = false
    try {
      await sendDue(() => !isStopped)
    } catch (err) {
      log.error('the outbox failed', { err })
    }
  }

  return {
    async put(tx, mail, { dedupe_key: dedupeKey, not_before: notBefore } = {}) {
      const now = clock.now()
      await store.insertMail(tx, {
        id: newId('mail'),
        to_address: mail.to,
        subject: mail.subject,
        text_body: mail.text,
        html_body: mail.html,
        headers: JSON.stringify(mail.headers),
        dedupe_key: dedupeKey ?? null,
        not_before: notBefore ?? now,
        attempts: 0,
        last_error: null,
        created_at: now,
        sent_at: null,
      })
      await database.notify(tx, CHANNEL, '')
    },
    async start() {
      isStopped = false
      await database.listen(CHANNEL, wake, wake)
      timer = setInterval(wake, LOOK_EVERY_MS)
      wake()
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await atMost(STOP_MS, Promise.all(workers))
      await transport.close()
      await Promise.all(workers)
    },
    flush: () => sendDue(() => true),
    sweep: () => database.write((tx) => store.deleteDone(tx, clock.after(-KEPT_MS), NEVER)),
  }
}

/** Doubling, with jitter: what failed together does not come back together. */
function retryAfter(attempts: number): number {
  const doubled = FIRST_RETRY_MS * 2 ** (attempts - 1) * (1 + Math.random() / 4)
  return Math.min(LONGEST_RETRY_MS * (1 - Math.random() / 4), doubled)
}

/** Resolves with the work, or without it when the time is over. */
async function atMost(timeMs: number, work: Promise<unknown>): Promise<void> {
  let timer: Timer | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeMs)
  })
  await Promise.race([work, over])
  clearTimeout(timer)
}
