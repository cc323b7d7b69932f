import { z } from 'zod'
import { EVENT_TYPES } from '../../model/event-types.ts'
import { component, contractsOf } from '../../model/operation.ts'
import { nextOffset, paging } from '../../model/paging.ts'
import { WEBHOOK_FORMATS } from '../../model/webhook-formats.ts'

const accountContract = contractsOf('Webhooks', 'account')
const webhookId = z.string().max(100).describe('The id of the webhook.')
const deliveryId = z.string().max(100).describe('The id of the delivery.')

const url = z
  .string()
  .max(2000)
  .describe('A public https address. Whoever knows that of a chat can write there.')
const types = z
  .array(z.enum(EVENT_TYPES))
  .min(1)
  .max(EVENT_TYPES.length)
  .transform((items) => [...new Set(items)])
  .describe('The types of events that are sent.')
const pageId = z
  .string()
  .max(2000)
  .nullable()
  .describe('Only events of this page: its id, its slug or its link. Null: of all pages.')
const format = z
  .enum(WEBHOOK_FORMATS)
  .describe('`standard` is JSON by Standard Webhooks; the others are messages of these chats.')

const webhook = component('Webhook', {
  id: z.string(),
  url: z.string().describe('As browsers write the address: with its host in lower case, say.'),
  types: z.array(z.enum(EVENT_TYPES)),
  page_id: z.string().nullable(),
  format: z.enum(WEBHOOK_FORMATS),
  is_on: z.boolean(),
  off_reason: z
    .enum(['owner', 'failing', 'gone', 'key_revoked', 'secret_lost'])
    .nullable()
    .describe(
      '`failing`: nothing arrived for three days. `gone`: it answered 410. ' +
        '`key_revoked`: the API key it came with has ended; change it in the app to keep it. ' +
        '`secret_lost`: the key of the server was changed since; delete it and add it again.',
    ),
  waiting: z.int().describe('How many deliveries have not arrived yet.'),
  last_delivered_at: z.string().nullable(),
  created_at: z.string(),
})
export type Webhook = z.output<typeof webhook>

const delivery = component('WebhookDelivery', {
  id: z.string().describe('Sent as `webhook-id`, the same with each attempt.'),
  type: z.string().describe('That of the event, or `test`.'),
  event_id: z.string().nullable(),
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.int(),
  created_at: z.string(),
  last_attempt_at: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
  request: z.object({
    headers: z.record(z.string(), z.string()).describe('As they were sent last.'),
    body: z.string().describe('At most the first 16 KB.'),
  }),
  status: z.int().nullable().describe('Of the last answer. Null: none came within 15 seconds.'),
  answer: z.string().nullable().describe('The first 2 KB of the last answer.'),
})
export type Delivery = z.output<typeof delivery>

export const createWebhook = accountContract({
  scopes: ['pages:write', 'feedback:read'],
  summary: 'Send events to an address.',
  description:
    'From now on each event is sent there with POST, signed by Standard Webhooks. The answer has ' +
    'the `secret` that verifies the signatures; it is shown once. You are mailed.',
  http: { method: 'POST', path: '/webhooks', status: 201 },
  input: z.strictObject({
    url,
    types: types.default([...EVENT_TYPES]),
    page_id: pageId.default(null),
    format: format.optional(),
  }),
  data: webhook.extend({ secret: z.string() }).meta({ id: 'NewWebhook' }),
  errors: ['invalid_url', 'too_many_webhooks'],
})

export const listWebhooks = accountContract({
  summary: 'List the webhooks of your account.',
  description: 'The oldest first, without their secrets.',
  http: { method: 'GET', path: '/webhooks', status: 200 },
  data: z.array(webhook),
})

export const getWebhook = accountContract({
  summary: 'Read a webhook.',
  description: 'Without its secret.',
  http: { method: 'GET', path: '/webhooks/{webhook_id}', status: 200 },
  input: z.strictObject({ webhook_id: webhookId }),
  data: webhook,
  errors: ['webhook_not_found'],
})

export const updateWebhook = accountContract({
  scopes: ['pages:write', 'feedback:read'],
  summary: 'Change a webhook, or switch it on or off.',
  description:
    'Its secret stays. Switched on again, it goes on where it stopped: what waits is sent at ' +
    'once, and what happened since follows.',
  http: { method: 'PATCH', path: '/webhooks/{webhook_id}', status: 200 },
  input: z.strictObject({
    webhook_id: webhookId,
    url: url.optional(),
    types: types.optional(),
    page_id: pageId.optional(),
    format: format.optional(),
    is_on: z.boolean().optional(),
  }),
  data: webhook,
  errors: ['webhook_not_found', 'invalid_url'],
})

export const deleteWebhook = accountContract({
  summary: 'Delete a webhook, with its deliveries.',
  description: 'Nothing more is sent. A request that is under way may still arrive.',
  http: { method: 'DELETE', path: '/webhooks/{webhook_id}', status: 204 },
  input: z.strictObject({ webhook_id: webhookId }),
  errors: ['webhook_not_found'],
})

export const listDeliveries = accountContract({
  summary: 'List what was sent to a webhook, and what the answers were.',
  description:
    'The newest first. Kept are those that wait, and the newest 200 of the last 30 days that do ' +
    'not, up to 2 MB.',
  http: { method: 'GET', path: '/webhooks/{webhook_id}/deliveries', status: 200 },
  input: z.strictObject({ webhook_id: webhookId, ...paging({ most: 50, usual: 20 }) }),
  output: z.object({ data: z.array(delivery), next_offset: nextOffset }),
  errors: ['webhook_not_found', 'webhook_secret_lost'],
  hasStrangersWords: true,
})

export const redeliver = accountContract({
  summary: 'Send a delivery again now.',
  description: 'With the same `webhook-id`. The result has what the receiver answered.',
  http: {
    method: 'POST',
    path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
    status: 200,
  },
  input: z.strictObject({ webhook_id: webhookId, delivery_id: deliveryId }),
  data: delivery,
  errors: ['webhook_not_found', 'webhook_secret_lost', 'delivery_not_found'],
  hasStrangersWords: true,
})

export const testWebhook = accountContract({
  summary: 'Send a test to a webhook now.',
  description: 'Of the type `test`, once. The result has what the receiver answered.',
  http: { method: 'POST', path: '/webhooks/{webhook_id}/test', status: 200 },
  input: z.strictObject({ webhook_id: webhookId }),
  data: delivery,
  errors: ['webhook_not_found', 'webhook_secret_lost'],
  hasStrangersWords: true,
})
