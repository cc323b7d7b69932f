import type { Delivery, Webhook } from '../features/webhooks/contract.ts'
import type { Message } from '../platform/fetch/index.ts'
import type { TestApp } from './app.ts'
import { createThread } from './test-comments.ts'

export const URL_ = 'https://receiver.example/hook'
export const NO_ANSWER = new Error('connection refused')

export interface Sent {
  type: string
  timestamp: string
  data: { id: string; comment: { body: string } }
}

/** A webhook, with what its receiver took. */
export async function createHook(app: TestApp, settings: object = {}) {
  const owner = await app.owner()
  const talk = await createThread(app, owner)
  const hook = await owner.ask<Webhook & { secret: string }>('POST', '/webhooks', {
    url: URL_,
    ...settings,
  })
  const taken: (Message & { url: string })[] = []
  const state = { status: 204 as number | null, text: '' }
  app.receiver.take = async (url, message) => {
    const { status, text } = state
    if (status === null) throw NO_ANSWER
    taken.push({ url, ...message })
    return { status, text }
  }
  return {
    ...{ owner, talk, hook, taken, state },
    path: `/webhooks/${hook.id}`,
    bodies: () => taken.map(({ body }) => (JSON.parse(body) as Sent).data.comment?.body),
    read: () => owner.ask<Webhook>('GET', `/webhooks/${hook.id}`),
    deliveries: () => owner.ask<Delivery[]>('GET', `/webhooks/${hook.id}/deliveries`),
  }
}
