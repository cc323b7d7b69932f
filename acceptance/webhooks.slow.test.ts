/** Webhooks of servers that are killed, to a receiver that is down meanwhile. */
import { afterAll, expect } from 'bun:test'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { localHttpsServer } from '../src/platform/fetch/testing/index.ts'
import { freshDatabase } from '../src/testing/postgres.ts'
import { dataOf, type Owner, ownerOf, type Page } from './client.ts'
import { person } from './gates/person.ts'
import { own } from './gates/setup.ts'
import { FORM, viewer } from './responses/viewer.ts'
import { newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

const FASTER_CLOCK = join(import.meta.dir, 'fixtures', 'faster-clock.ts')
/** How many times as fast the clock of the server is. */
const FASTER = 120
const HOUR_MS = 60 * 60_000

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
interface AddedWebhook {
  id: string
  secret: string
  is_on: boolean
  waiting: number
}

/** What a receiver took, in order. */
interface Taken {
  path: string
  id: string
  age: number
}

/** Somebody opens the page, and fills in its form. */
const respond = (url: string, page: Page, age: number) =>
  viewer(person(url), url).respond(page, { age })

/** Takes each message, after a moment, unless it is down. */
async function takingReceiver({ afterMs = 0 } = {}) {
  const taken: Taken[] = []
  const state = { isDown: false, refused: 0 }
  const receiver = await localHttpsServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString()
    if (state.isDown) {
      state.refused += 1
      return void request.socket.destroy()
    }
    await Bun.sleep(afterMs)
    const { data } = JSON.parse(body) as Received
    const id = String(request.headers['webhook-id'])
    taken.push({ path: request.url!, id, age: data.response.data.age })
    response.end()
  })
  const { host: allowed, caFile } = receiver
  const env = { FETCH_ALLOWED_HOSTS: allowed, NODE_EXTRA_CA_CERTS: caFile }
  return { ...receiver, taken, state, env }
}

async function addWebhook(by: Owner, url: string, page: Page): Promise<AddedWebhook> {
  const input = { url, page_id: page.id }
  return dataOf<AddedWebhook>(await by.call('POST', '/webhooks', input), 201)
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
    const input = { url: `${receiver.url}/hook`, page_id: page.id }
    const hook = await ask<{ id: string; secret: string }>('POST', '/webhooks', input, 201)
    verifier = new Webhook(hook.secret)
    const path = `/webhooks/${hook.id}`

    const test = await ask<Delivery>('POST', `${path}/test`)
    expect(test).toMatchObject({ state: 'delivered', status: 200, answer: 'thanks' })
    expect(received).toMatchObject([{ id: test.id, event: { type: 'test' } }])

    isDown = true
    for (const age of [1, 2, 3]) await respond(env.BASE_URL!, page, age)
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
  240_000,
)

own(
  'a receiver that is down for an hour of a faster clock loses nothing',
  async () => {
    const receiver = await takingReceiver()
    const { taken, state } = receiver
    const env: Record<string, string> = {
      ...{ ...freshEnvironment(), ...receiver.env, BUN_OPTIONS: `--preload=${FASTER_CLOCK}` },
      ...{ FASTER_CLOCK_TIMES: `${FASTER}`, FASTER_CLOCK_FROM: `${Date.now()}` },
    }
    const running = await start(env)
    const by = ownerOf(await newKey(env, 'pro'), env.BASE_URL!)
    const page = await by.publish({ html: FORM })
    const { id } = await addWebhook(by, `${receiver.url}/hook`, page)
    const read = async <T>(path = '') => dataOf<T>(await by.call('GET', `/webhooks/${id}${path}`))

    state.isDown = true
    const ages = Array.from({ length: 12 }, (_, at) => at)
    for (const age of ages) {
      await respond(env.BASE_URL!, page, age)
      await Bun.sleep(HOUR_MS / FASTER / ages.length)
    }
    const deliveries = await read<{ created_at: string; last_attempt_at: string }[]>('/deliveries')
    const first = deliveries.at(-1)!
    const tried = Date.parse(first.last_attempt_at) - Date.parse(first.created_at)
    expect(tried).toBeGreaterThan(HOUR_MS / 4)
    expect(state.refused).toBeGreaterThan(4)
    expect(taken).toEqual([])
    expect((await read<AddedWebhook>()).is_on).toBe(true)

    state.isDown = false
    await until(() => new Set(taken.map(({ age }) => age)).size === ages.length)
    expect([...new Set(taken.map(({ age }) => age))]).toEqual(ages)
    expect(new Set(taken.map((each) => each.id)).size).toBe(ages.length)
    await until(async () => (await read<AddedWebhook>()).waiting === 0)
    expect(await running.stop()).toBe(0)
    await receiver.close()
  },
  240_000,
)

own(
  'two servers on one PostgreSQL send each event with one id; one is killed, and nothing is lost',
  async () => {
    const receiver = await takingReceiver({ afterMs: 10 })
    const { taken } = receiver
    const fresh = await freshDatabase()
    const shared = { ...receiver.env, DATABASE_URL: fresh.url, SECRET_KEY: 'one key: '.repeat(5) }
    const nodes = [0, 1].map((): Record<string, string> => ({ ...freshEnvironment(), ...shared }))
    const [here, there] = nodes.map(({ BASE_URL }) => BASE_URL!)
    const killed = await start(nodes[0]!)
    const node = await start(nodes[1]!)
    const by = ownerOf(await newKey(nodes[1]!, 'pro'), there)
    const page = await by.publish({ html: FORM })
    const paths = ['/0', '/1', '/2']
    for (const path of paths) await addWebhook(by, receiver.url + path, page)

    const answered: number[] = []
    async function write(url: string, from: number, count: number): Promise<void> {
      for (let age = from; age < from + count; age++) {
        const receipt = await respond(url, page, age).catch(() => null)
        if (receipt !== null) answered.push(age)
      }
    }
    const writers = [write(here!, 0, 60), write(there!, 100, 60)]
    await until(() => taken.length >= 60)
    await killed.kill()
    await Promise.all(writers)
    await write(there!, 200, 10)
    expect(answered.length).toBeGreaterThan(80)

    const agesOf = (at: string) => taken.filter(({ path }) => path === at).map(({ age }) => age)
    const isTaken = (path: string) => new Set(agesOf(path)).isSupersetOf(new Set(answered))
    await until(() => paths.every(isTaken))
    const events = new Set(taken.map(({ path, age }) => `${path} ${age}`))
    expect(new Set(taken.map(({ id }) => id)).size).toBe(events.size)
    // The killed one may not have stored the answer to the last message of each webhook.
    for (const path of paths) {
      const ages = agesOf(path)
      expect(ages.length - new Set(ages).size).toBeLessThanOrEqual(1)
    }
    expect(await node.stop()).toBe(0)
    await receiver.close()
    await fresh.drop()
  },
  240_000,
)

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 90_000; !(await isSo()); await Bun.sleep(100)) {
    expect(Date.now()).toBeLessThan(end)
  }
}
