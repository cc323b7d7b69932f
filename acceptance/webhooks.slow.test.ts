/** Webhooks of a server that is killed, to a receiver that is down meanwhile. */
import { afterAll, expect } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { localHttpsServer } from '../src/platform/fetch/testing/index.ts'
import { dataOf, ownerOf } from './client.ts'
import { person } from './gates/person.ts'
import { own } from './gates/setup.ts'
import { FORM, viewer } from './responses/viewer.ts'
import { newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)

interface Delivery {
  id: string
  state: string
  answer: string | null
}
interface Received {
  type: string
  data: { response: { data: { age: number } } }
}

own(
  'a webhook gets each event, signed, over a killed server and a receiver that is down; a test and a redelivery answer',
  async () => {
    const received: { id: string; event: Received }[] = []
    let isDown = false
    let refused = 0
    let verifier: Webhook | undefined
    const receiver = await localHttpsServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request)).toString()
      const headers = request.headers as Record<string, string>
      if (isDown) {
        refused += 1
        return void response.writeHead(500).end('down')
      }
      const event = verifier!.verify(body, headers) as Received
      received.push({ id: headers['webhook-id']!, event })
      response.end('thanks')
    })
    const { host: allowed, caFile } = receiver
    const hosts = { FETCH_ALLOWED_HOSTS: allowed, NODE_EXTRA_CA_CERTS: caFile }
    const env: Record<string, string> = { ...freshEnvironment(), ...hosts }
    let running = await start(env)
    const by = ownerOf(await newKey(env, 'pro'), env.BASE_URL!)
    const ask = async <T>(method: string, path: string, body?: object, status = 200) =>
      dataOf<T>(await by.call(method, path, body), status)
    const page = await by.publish({ html: FORM })
    const given = { url: `${receiver.url}/hook`, page_id: page.id }
    const hook = await ask<{ id: string; secret: string }>('POST', '/webhooks', given, 201)
    verifier = new Webhook(hook.secret)
    const path = `/webhooks/${hook.id}`

    const test = await ask<Delivery>('POST', `${path}/test`)
    expect(test).toMatchObject({ state: 'delivered', status: 200, answer: 'thanks' })
    expect(received).toMatchObject([{ id: test.id, event: { type: 'test' } }])

    isDown = true
    const base = env.BASE_URL!
    const respond = (age: number) => viewer(person(base), base).respond(page, { age })
    for (const age of [1, 2, 3]) await respond(age)
    while (refused === 0) await Bun.sleep(50)
    await running.kill()
    isDown = false
    running = await start(env)
    const ages = () => received.slice(1).map(({ event }) => event.data.response.data.age)
    for (const until = Date.now() + 90_000; new Set(ages()).size < 3; await Bun.sleep(100)) {
      expect(Date.now(), `received ${ages()}`).toBeLessThan(until)
    }
    const ids = new Map(
      received.slice(1).map(({ id, event }) => [event.data.response.data.age, id]),
    )
    // What comes twice has the same id.
    expect(new Set(received.slice(1).map(({ id }) => id)).size).toBe(3)

    const deliveries = await ask<Delivery[]>('GET', `${path}/deliveries`)
    expect(deliveries.map(({ id }) => id)).toContain(ids.get(1)!)
    const again = await ask<Delivery>('POST', `${path}/deliveries/${ids.get(1)}/redeliver`)
    expect(again).toMatchObject({ state: 'delivered', answer: 'thanks' })
    expect(received.at(-1)).toMatchObject({ id: ids.get(1), event: { type: 'response' } })
    expect(running.output()).not.toContain(hook.secret.slice(6))
    expect(await running.stop()).toBe(0)
    await receiver.close()
  },
  150_000,
)
