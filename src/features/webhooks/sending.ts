import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { EventType } from '../../model/event-types.ts'
import { CLOCKS_APART_MS } from '../../platform/clock.ts'
import { isForeignKeyViolation } from '../../platform/db/errors.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { GuardedFetch } from '../../platform/fetch/index.ts'
import { newId } from '../../platform/ids.ts'
import { LONGEST_RETRIES_MS, MAX_ATTEMPTS, retryDelayMs } from '../../platform/retries.ts'
import type { Services } from '../../platform/services.ts'
import { createWorkers } from '../../platform/task-queue.ts'
import type { Feedback } from '../feedback/index.ts'
import { formatted } from './formats.ts'
import { offMail } from './mails.ts'
import { signedHeaders } from './signature.ts'
import * as store from './store.ts'

export interface SendingDeps
  extends Pick<Services, 'database' | 'clock' | 'secrets' | 'log' | 'baseUrl' | 'sendMail'> {
  fetch: Pick<GuardedFetch, 'post' | 'mayPost'>
  feedback: Pick<Feedback, 'readAfter' | 'pageNamed' | 'withPageNamed'>
  findAccount(id: string, db?: Db): Promise<Account | null>
  /** @returns whether it is there */
  lockAccount(tx: Tx, id: string): Promise<boolean>
}

/** Webhooks that are sent to at once: by one node, of one account, at one host. */
const MAX_WORKERS = 16
const MAX_OF_ACCOUNT = 3
const MAX_OF_HOST = 4
/** Longer than an attempt takes. It is renewed after each. */
const LEASE_MS = 30_000
const POLL_MS = 1000
/** One webhook sends this many before others have their turn. */
const MAX_OF_RUN = 20
const READ_AT_ONCE = 50
/** With more that waits, the sequence keeps the rest. */
const MAX_WAITING = { count: 1000, bytes: 4 * 1024 * 1024 }
const MAX_DONE = { count: 200, bytes: 2 * 1024 * 1024 }
/** Of a webhook that cannot send, or has no room for more events. */
const PAUSE_MS = 60_000
const DAY_MS = 24 * 60 * 60_000
const DONE_MS = 30 * DAY_MS
const WAITING_MS = 90 * DAY_MS
const LONGEST_PAUSE_MS = Math.max(...LONGEST_RETRIES_MS) + CLOCKS_APART_MS

const GONE = 410
const SECRET_LOST =
  'The server has another key than when this webhook was made: delete it, and add it again.'
/** The whole receiver cannot take anything, so that nothing else is tried before the pause ends. */
const IS_DOWN: readonly (number | null)[] = [null, 429, 502, 503, 504]

export const isTaken = (status: number | null) => status !== null && status >= 200 && status < 300

/**
 * Sends events to webhooks. Each webhook has read the sequence of events up to a number: deliveries
 * are stored, and the number moves on, in one transaction, so that each event has one delivery.
 */
export function createSending(deps: SendingDeps) {
  const { database, clock, log, findAccount } = deps
  const implausible = () => clock.after(LONGEST_PAUSE_MS)
  const workers = createWorkers(
    () => MAX_WORKERS,
    async (mayContinue) => {
      try {
        while (mayContinue() && (await sendNext(mayContinue)));
      } catch (err) {
        log.error('sending to webhooks failed', { err })
      }
    },
  )
  let timer: Timer | undefined

  async function sendNext(mayContinue: () => boolean): Promise<boolean> {
    const [until, now] = [clock.after(LEASE_MS), clock.now()]
    const limits = [MAX_OF_ACCOUNT, MAX_OF_HOST] as const
    const take = store.claim[database.engine]
    const [hook] = await database.write(
      (tx) => take(tx, [until, now, implausible(), ...limits]),
      'freeing',
    )
    if (hook === undefined) return false
    // There may be more of them.
    workers.start()
    const lease = { id: hook.id, until }
    const pauseMs = await run(hook, lease, mayContinue)
    await database.write(async (tx) => {
      const due = clock.after(pauseMs)
      await store.release(tx, [lease.id, lease.until, due, clock.now()])
      await store.prune(tx, [hook.id, MAX_DONE.count, MAX_DONE.bytes])
    }, 'freeing')
    return true
  }

  /** @returns how long the webhook pauses */
  async function run(
    hook: store.WebhooksTable,
    lease: { id: string; until: string },
    mayContinue: () => boolean,
  ): Promise<number> {
    const account = await findAccount(hook.account_id)
    if (account === null || account.suspended_at !== null) return PAUSE_MS
    if (secretOf(deps, hook) === null) {
      log.warn('the key of this server does not open the secret of a webhook', {
        webhookId: hook.id,
      })
      return PAUSE_MS
    }
    const hasRoom = await addDeliveries(deps, hook)
    for (let count = 0; count < MAX_OF_RUN && mayContinue(); count += 1) {
      const [due] = await store.nextDue(database.read, [hook.id, clock.now(), implausible()])
      if (due === undefined) return hasRoom ? 0 : PAUSE_MS
      const result = await attempt(deps, hook, due)
      const retryMs = retryDelayMs(due.attempts + 1)
      const isHeld = await database.write(async (tx) => {
        await record(deps, tx, { hook, account, due, result, retryMs })
        const until = clock.after(LEASE_MS)
        const isRenewed = await store.renew(tx, [lease.id, clock.now(), lease.until, until])
        if (isRenewed) lease.until = until
        return isRenewed
      }, 'freeing')
      if (!isHeld) return 0
      if (IS_DOWN.includes(result.status)) return retryMs
    }
    return 0
  }

  return {
    /** Sends all that is due. */
    async flush(): Promise<void> {
      while (await sendNext(() => true));
    },
    /** Sends in the background. Numbers that other nodes gave are seen as well. */
    start(): void {
      workers.open()
      timer = setInterval(workers.wake, POLL_MS)
    },
    /** Ends once the attempts that are under way have ended. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await workers.close()
    },
    sweep: () => store.deleteOld(database, [clock.after(-DONE_MS), clock.after(-WAITING_MS)]),
  }
}

/** Makes deliveries of the next events. @returns whether there was room for any */
async function addDeliveries(
  { database, clock, feedback, baseUrl }: SendingDeps,
  hook: store.WebhooksTable,
): Promise<boolean> {
  const waiting = await store.waitingOf(database.read, [hook.id])
  if (waiting.count >= MAX_WAITING.count || waiting.bytes >= MAX_WAITING.bytes) return false
  const after = hook.last_number
  const { items, last } = await feedback.readAfter({
    ...{ accountId: hook.account_id, pageId: hook.page_id, after, limit: READ_AT_ONCE },
    types: JSON.parse(hook.types) as EventType[],
    hasOwn: false,
  })
  if (last === after) return true
  const now = clock.now()
  const rows = items.map(({ event, row }) => {
    const path = row.item_id === null ? `pages/${row.page_id}` : `inbox?item=${row.item_id}`
    const body = formatted(hook.format, { at: row.at, event, link: `${baseUrl}/app/${path}` })
    return newDelivery(hook, { body, now, type: row.type, event: row })
  })
  const stored = database.write(async (tx) => {
    if (await store.advance(tx, [hook.id, after, last])) await store.insertDeliveries(tx, rows)
  })
  await stored.catch((err) => {
    // A page was deleted meanwhile: they are read again, without its events.
    if (!isForeignKeyViolation(err)) throw err
  })
  return true
}

/** Sends one delivery, once. */
export async function attempt(
  deps: SendingDeps,
  hook: store.WebhooksTable,
  { id, body }: Pick<store.WebhookDeliveriesTable, 'id' | 'body'>,
): Promise<Result> {
  const attempted_at = deps.clock.now()
  const headers = headersOf(deps, hook, { id, body, at: attempted_at })
  try {
    const { status, text } = await deps.fetch.post(hook.url, { headers, body })
    return { attempted_at, status, answer: text.toWellFormed().replaceAll('\0', '') }
  } catch (err) {
    // Neither the address nor the payload is logged: both may be secrets.
    deps.log.debug('a webhook was not reached', { webhookId: hook.id, deliveryId: id, err })
    return { attempted_at, status: null, answer: null }
  }
}

/** Null where the server has another key than when the webhook was made. */
export function secretOf({ secrets }: Pick<SendingDeps, 'secrets'>, hook: store.WebhooksTable) {
  return secrets.openOrNull('webhook', hook.id, hook.secret)
}

export function headersOf(
  deps: SendingDeps,
  hook: store.WebhooksTable,
  { id, body, at }: { id: string; body: string; at: string },
) {
  const secret = secretOf(deps, hook)
  if (secret === null) throw refuse.conflict('webhook_secret_lost', SECRET_LOST)
  return signedHeaders(secret, { id, body, ms: Date.parse(at) })
}

async function record(
  { clock, sendMail, log, baseUrl }: SendingDeps,
  tx: Tx,
  { hook, account, due, result, retryMs }: Attempted,
): Promise<void> {
  const { status } = result
  const attempts = due.attempts + 1
  const isOver = attempts >= MAX_ATTEMPTS
  // One message that a receiver cannot take says nothing of others.
  const tookLater = hook.delivered_at !== null && hook.delivered_at > due.created_at
  const off = status === GONE ? 'gone' : isOver && !tookLater ? 'failing' : null
  const state = isTaken(status) ? 'delivered' : isOver && off === null ? 'failed' : 'waiting'
  const key = [due.id, due.attempts] as const
  await store.record(tx, key, { ...result, attempts, state, due_at: clock.after(retryMs) })
  if (state === 'delivered') {
    hook.delivered_at = result.attempted_at
    await store.update(tx, [hook.id], { delivered_at: hook.delivered_at })
  } else if (off !== null && (await store.switchOff(tx, [hook.id, hook.url, off]))) {
    await sendMail(tx, offMail(account.email, { host: hook.host, off, baseUrl }))
    log.warn('a webhook was switched off', { webhookId: hook.id, reason: off })
  }
}

interface Result {
  attempted_at: string
  status: number | null
  answer: string | null
}

interface Attempted {
  hook: store.WebhooksTable
  account: Account
  due: store.WebhookDeliveriesTable
  result: Result
  retryMs: number
}

interface NewDelivery {
  body: string
  now: string
  type: string
  event: { page_id: string; number: number } | null
}

export function newDelivery(
  hook: Pick<store.WebhooksTable, 'id'>,
  { body, now, type, event }: NewDelivery,
): store.WebhookDeliveriesTable {
  return {
    ...{ id: newId('msg'), webhook_id: hook.id, type, body, state: 'waiting', attempts: 0 },
    page_id: event?.page_id ?? null,
    number: event?.number ?? null,
    size_bytes: Buffer.byteLength(body),
    ...{ due_at: now, created_at: now, attempted_at: null, status: null, answer: null },
  }
}
