import { describe, expect, it } from 'bun:test'
import { DAY_MS, ENGINES, testApp } from '../../testing/app.ts'
import { createThread } from '../../testing/test-comments.ts'
import { times } from '../../testing/test-form.ts'
import { createHook } from '../../testing/test-webhook.ts'
import type { Delivery, Webhook } from './contract.ts'

for (const engine of ENGINES) {
  describe(`webhooks on ${engine}`, () => {
    it('keep what was sent and answered, to send it again, within limits', async () => {
      await using app = await testApp(engine)
      const { owner, talk, taken, state, deliveries, path } = await createHook(app)
      state.text = 'thanks\0'
      await talk.post('one', 'hello')
      await app.webhooks.flush()
      const [sent] = (await deliveries()) as [Delivery]
      expect(sent).toMatchObject({ type: 'comment', state: 'delivered', attempts: 1, status: 204 })
      expect(sent).toMatchObject({ answer: 'thanks', next_attempt_at: null })
      expect(sent.request).toEqual({ headers: taken[0]!.headers, body: taken[0]!.body } as never)
      state.status = 500
      const again = await owner.ask<Delivery>('POST', `${path}/deliveries/${sent.id}/redeliver`)
      expect(again).toMatchObject({ id: sent.id, state: 'failed', status: 500, attempts: 2 })
      expect(taken[1]!.headers['webhook-id']).toBe(sent.id)
      state.status = 200
      const test = await owner.ask<Delivery>('POST', `${path}/test`)
      expect(test).toMatchObject({ type: 'test', state: 'delivered', status: 200, event_id: null })
      for (const at of times(230, (index) => index)) await talk.post('one', `${at}`)
      await app.webhooks.flush()
      expect(await app.rows('webhook_deliveries')).toHaveLength(200)
      app.advance(31 * DAY_MS)
      await app.webhooks.sweep()
      expect(await app.rows('webhook_deliveries')).toEqual([])
    }, 240_000)

    it('do not wait for a slow receiver of others, which has few requests at once', async () => {
      await using app = await testApp(engine)
      const { owner, talk, taken } = await createHook(app)
      const slow = 'https://slow.example/'
      for (let at = 0; at < 9; at += 1) {
        const other = await app.owner()
        await other.ask('POST', '/webhooks', { url: slow })
        await (await createThread(app, other)).post('one', 'hi')
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      let waiting = 0
      app.receiver.take = async (url, message) => {
        if (url !== slow) taken.push({ url, ...message })
        else {
          waiting += 1
          await promise
        }
        return { status: 200, text: '' }
      }
      app.webhooks.start()
      while (waiting < 4) await Bun.sleep(20)
      await talk.post('one', 'quick')
      while (taken.length === 0) await Bun.sleep(20)
      await Bun.sleep(100)
      expect([waiting, (await owner.ask<Webhook[]>('GET', '/webhooks'))[0]!.waiting]).toEqual([
        4, 0,
      ])
      resolve()
      await app.webhooks.stop()
    }, 240_000)
  })
}
