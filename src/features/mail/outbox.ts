import { parseTimestamp } from '../../model/timestamp.ts'
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
const ATTEMPTS = 20
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
  /** Sends nothing new; what is in hand is finished. */
  stop(): Promise<void>
  /** Sends all that is due. @returns how many went out */
  flush(): Promise<number>
  sweep(): Promise<number>
}

export interface OutboxMachines {
  database: Database
  clock: Clock
  transport: Transport
  log: Log
}

export function createOutbox({ database, clock, transport, log }: OutboxMachines): Outbox {
  let running: Promise<number> | undefined
  let is_wanted = false
  let is_stopped = true
  let timer: Timer | undefined
  const at = (ms: number) => parseTimestamp(new Date(clock.ms() + ms).toISOString())!

  async function sendNext(): Promise<'sent' | 'failed' | 'none'> {
    const row = await database.write((tx) =>
      store.claim(tx, { now: clock.now(), lease_ends: at(LEASE_MS) }),
    )
    if (row === undefined) return 'none'
    const { id, to_address: to, subject, text_body: text, html_body: html, attempts } = row
    const headers = JSON.parse(row.headers) as Record<string, string>
    try {
      await transport.send({ id, to, subject, text, html, headers })
    } catch (err) {
      await noteFailure({ id, attempts }, err as Error)
      return 'failed'
    }
    await database.write((tx) => store.markSent(tx, id, clock.now()))
    return 'sent'
  }

  async function noteFailure(mail: { id: string; attempts: number }, err: Error): Promise<void> {
    const gives_up = mail.attempts >= ATTEMPTS || err instanceof Rejected
    const not_before = gives_up ? NEVER : at(retryAfter(mail.attempts))
    const last_error = err.message.slice(0, 500)
    await database.write((tx) => store.markFailed(tx, mail.id, { last_error, not_before }))
    const fields = { mail_id: mail.id, attempts: mail.attempts, err }
    if (gives_up) log.error('a mail was given up', fields)
    else log.warn('a mail could not be sent yet', fields)
  }

  async function flush(): Promise<number> {
    let sent = 0
    for (;;) {
      const outcome = await sendNext()
      if (outcome === 'none') return sent
      if (outcome === 'sent') sent += 1
    }
  }

  /** One run at a time; a wish that comes during a run is one more run. */
  function wake(): void {
    if (is_stopped) return
    is_wanted = true
    running ??= run().finally(() => {
      running = undefined
    })
  }

  async function run(): Promise<number> {
    let sent = 0
    while (is_wanted && !is_stopped) {
      is_wanted = false
      try {
        while (!is_stopped && (await sendNext()) !== 'none') sent += 1
      } catch (err) {
        log.error('the outbox could not be read', { err })
      }
    }
    return sent
  }

  return {
    async put(tx, mail, { dedupe_key, not_before } = {}) {
      const now = clock.now()
      await store.insertMail(tx, {
        id: newId('mail'),
        to_address: mail.to,
        subject: mail.subject,
        text_body: mail.text,
        html_body: mail.html,
        headers: JSON.stringify(mail.headers),
        dedupe_key: dedupe_key ?? null,
        not_before: not_before ?? now,
        attempts: 0,
        last_error: null,
        created_at: now,
        sent_at: null,
      })
      await database.notify(tx, CHANNEL, '')
    },
    async start() {
      is_stopped = false
      await database.listen(CHANNEL, wake, wake)
      timer = setInterval(wake, LOOK_EVERY_MS)
      wake()
    },
    async stop() {
      is_stopped = true
      clearInterval(timer)
      await running
      await transport.close()
    },
    flush,
    sweep: () => database.write((tx) => store.deleteSent(tx, at(-KEPT_MS))),
  }
}

/** Doubling, with jitter: what failed together does not come back together. */
function retryAfter(attempts: number): number {
  const steady = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1))
  return steady * (0.75 + Math.random() / 2)
}
