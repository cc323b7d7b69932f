import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import type { EventType } from '../../model/event-types.ts'
import { operationsOf } from '../../model/operation.ts'
import { pageOf } from '../../model/paging.ts'
import { formatOf } from '../../model/webhook-formats.ts'
import type { Db } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids.ts'
import { createLimiter } from '../../platform/task-queue.ts'
import { accountGone } from '../accounts/index.ts'
import { sequence } from '../events/index.ts'
import type { Delivery, Webhook } from './contract.ts'
import * as contract from './contract.ts'
import { formatted } from './formats.ts'
import { addedMail } from './mails.ts'
import {
  attempt,
  createSending,
  headersOf,
  isTaken,
  newDelivery,
  type SendingDeps,
  secretOf,
} from './sending.ts'
import { newSecret } from './signature.ts'
import * as store from './store.ts'

export { secretOf } from './sending.ts'
export { findAny as findWebhook, removeWebhooks } from './store.ts'

const MAX_WEBHOOKS = 10
const MAX_SHOWN = 16 * 1024
/** Tests and deliveries that people send again, at once: of all, and of one account or host. */
const MAX_BY_HAND = 16
const MAX_OF_ONE = 3

/** Sends what viewers do to addresses that the owner of the pages names. */
export function createWebhooks(deps: SendingDeps) {
  return { ...createSending(deps), operations: webhookOperations(deps) }
}

function webhookOperations(deps: SendingDeps) {
  const { database, clock, secrets, baseUrl, feedback, sendMail } = deps
  const { read } = database
  const sendNow = createSendNow(deps)

  return operationsOf(contract, {
    createWebhook: async ({ account, context }, input) => {
      const { types, format = formatOf(input.url) } = input
      const address = await addressOf(deps, input.url)
      const page_id = await pageIdOf(deps, account, input.page_id)
      const [id, secret, now] = [newId('whk'), newSecret(), clock.now()]
      const webhook = database.write(async (tx) => {
        // Two requests at once count one after the other, and a deleted account gets none.
        if (!(await deps.lockAccount(tx, account.id))) throw accountGone()
        const others = await store.listOf(tx, [account.id, clock.now()])
        if (others.length >= MAX_WEBHOOKS) throw tooMany()
        const key_id = context.key?.id ?? null
        const hook = {
          ...{ id, account_id: account.id, page_id, key_id, ...address, format },
          types: JSON.stringify(types),
          secret: secrets.seal('webhook', id, secret),
          last_number: await sequence.lastNumber(tx, account.id),
          ...{ off_reason: null, due_at: now, leased_until: now, delivered_at: null },
          created_at: now,
        }
        await store.insert(tx, [hook])
        await sendMail(tx, addedMail(account.email, { host: address.host, baseUrl }))
        return { ...(await present(deps, tx, { ...hook, has_valid_key: 1 })), secret }
      })
      return feedback.withPageNamed(account, input.page_id, webhook)
    },
    listWebhooks: async ({ account }) => {
      const hooks = await store.listOf(read, [account.id, clock.now()])
      return Promise.all(hooks.map((hook) => present(deps, read, hook)))
    },
    getWebhook: async ({ account }, { webhook_id: id }) =>
      present(deps, read, await find(deps, read, { account, id })),
    updateWebhook: async ({ account, context }, { webhook_id: id, ...change }) => {
      const { url, types, page_id, format, is_on: isOn } = change
      const address = url === undefined ? undefined : await addressOf(deps, url)
      const pageId = page_id === undefined ? undefined : await pageIdOf(deps, account, page_id)
      const now = clock.now()
      const changed = database.write(async (tx) => {
        const { off_reason: reason } = await find(deps, tx, { account, id })
        const isStarting = isOn === true && reason !== null
        await store.update(tx, [id], {
          // Without its lease, who sends to it stops: the rest is for the new address.
          ...(address && { ...address, due_at: now, leased_until: now }),
          ...{ types: types && JSON.stringify(types), page_id: pageId, format },
          ...(isOn === false && { off_reason: reason ?? 'owner' }),
          ...(isStarting && { off_reason: null, due_at: now }),
          key_id: context.key?.id ?? null,
        })
        if (isStarting) await store.retryWaiting(tx, [id, now])
        return present(deps, tx, await find(deps, tx, { account, id }))
      })
      return feedback.withPageNamed(account, page_id, changed)
    },
    deleteWebhook: ({ account }, { webhook_id: id }) =>
      database.write(async (tx) => {
        await find(deps, tx, { account, id })
        await store.remove(tx, [id])
      }, 'freeing'),
    listDeliveries: async ({ account }, { webhook_id: id, limit, offset }) => {
      const hook = await find(deps, read, { account, id })
      const rows = await store.listDeliveries(read, [id, limit + 1, offset])
      const { data, next_offset } = pageOf(rows, { limit, offset })
      return { data: data.map((row) => presentDelivery(deps, hook, row)), next_offset }
    },
    redeliver: async ({ account }, { webhook_id: id, delivery_id: deliveryId }) => {
      const hook = await find(deps, read, { account, id })
      const row = await store.findDelivery(read, [id, deliveryId])
      if (row !== undefined) return sendNow(hook, row)
      const text = 'The webhook has no such delivery: it may have been deleted since.'
      throw refuse.notFound('delivery_not_found', text)
    },
    testWebhook: async ({ account }, { webhook_id: id }) => {
      const hook = await find(deps, read, { account, id })
      const now = clock.now()
      const notice = { at: now, event: null, link: `${baseUrl}/app/developer` }
      const body = formatted(hook.format, notice)
      const delivery = newDelivery(hook, { body, now, type: 'test', event: null })
      const row = { ...delivery, state: 'failed' as const }
      await database.write((tx) => store.insertDeliveries(tx, [row]))
      return sendNow(hook, row)
    },
  })
}

async function present(deps: SendingDeps, db: Db, hook: store.ListedWebhook): Promise<Webhook> {
  const { id, url, page_id, format, delivered_at, created_at } = hook
  const lost = secretOf(deps, hook) === null ? 'secret_lost' : null
  const off_reason = hook.has_valid_key === 1 ? (hook.off_reason ?? lost) : 'key_revoked'
  return {
    ...{ id, url, page_id, format, created_at, last_delivered_at: delivered_at },
    types: JSON.parse(hook.types) as EventType[],
    ...{ is_on: off_reason === null, off_reason },
    waiting: (await store.waitingOf(db, [id])).count,
  }
}

/** @throws Refusal `invalid_url` */
async function addressOf({ fetch }: SendingDeps, text: string) {
  const url = URL.parse(text)
  if (url !== null && (await fetch.mayPost(url.href))) return { url: url.href, host: url.host }
  const message = 'A webhook needs a public https address, without a user name or password in it.'
  throw refuse.invalid('invalid_url', message, { param: 'url' })
}

async function pageIdOf({ feedback }: SendingDeps, account: Account, name: string | null) {
  return name === null ? null : (await feedback.pageNamed(account, name)).id
}

async function find(
  { clock }: SendingDeps,
  db: Db,
  { account, id }: { account: Account; id: string },
): Promise<store.ListedWebhook> {
  const hook = (await store.listOf(db, [account.id, clock.now()])).find((row) => row.id === id)
  if (hook !== undefined) return hook
  throw refuse.notFound('webhook_not_found', 'You have no such webhook: it was deleted.')
}

function presentDelivery(
  deps: SendingDeps,
  hook: store.WebhooksTable,
  row: store.WebhookDeliveriesTable,
): Delivery {
  const { id, type, number, state, attempts, body, status, answer, attempted_at } = row
  const at = attempted_at ?? row.created_at
  return {
    ...{ id, type, state, attempts, status, answer, created_at: row.created_at },
    event_id: number === null ? null : `evt_${number}`,
    last_attempt_at: attempted_at,
    next_attempt_at: state === 'waiting' && hook.off_reason === null ? row.due_at : null,
    request: { headers: headersOf(deps, hook, { id, body, at }), body: body.slice(0, MAX_SHOWN) },
  }
}

/** Returns a function that sends a delivery once, now, whatever waits. */
function createSendNow(deps: SendingDeps) {
  const [byAccount, byHost] = [newLimiter(), newLimiter()]
  return async (hook: store.WebhooksTable, row: store.WebhookDeliveriesTable) => {
    const ends = [byAccount.start(hook.account_id)]
    try {
      ends.push(byHost.start(hook.host))
      const result = await attempt(deps, hook, row)
      const failed = row.state === 'waiting' ? 'waiting' : 'failed'
      const state: typeof row.state = isTaken(result.status) ? 'delivered' : failed
      const changes = { ...result, attempts: row.attempts + 1, state }
      await deps.database.write((tx) => store.record(tx, [row.id, row.attempts], changes))
      return presentDelivery(deps, hook, { ...row, ...changes })
    } finally {
      for (const end of ends) end()
    }
  }
}

function newLimiter() {
  const text = 'Too many requests are being sent: wait for their answers.'
  const refusal = () => refuse.rateLimited('rate_limited', text, { retry_after_s: 10 })
  const most = (count: number) => ({ most: count, refusal })
  return createLimiter({ total: most(MAX_BY_HAND), perAccount: most(MAX_OF_ONE) })
}

function tooMany() {
  const text = `An account has at most ${MAX_WEBHOOKS} webhooks: delete one that is not used.`
  return refuse.conflict('too_many_webhooks', text)
}
