import { afterAll, expect, test } from 'bun:test'
import { type Answer, dataOf, ownerOf, send } from './client.ts'
import { expectRefusal } from './expect.ts'
import { html } from './material.ts'
import { command, newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)

/** Repeats a request, some at a time, until one is answered 429 or `most` have been sent. */
async function until429(most: number, ask: () => Promise<Answer>): Promise<Answer | undefined> {
  for (let count = 0; count < most; count += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    const refused = answers.find(({ status }) => status === 429)
    if (refused) return refused
  }
  return undefined
}

test('too many calls with the keys of an account are 429 with Retry-After, and others are not affected', async () => {
  const env: Record<string, string> = { ...freshEnvironment(), RATE_LIMITS: 'on' }
  const busy = await newKey(env, 'pro')
  const calm = await newKey(env, 'pro')
  const running = await start(env)
  const { email } = dataOf<{ email: string }>(
    await ownerOf(busy, env.BASE_URL!).call('GET', '/account'),
  )
  const more = await Promise.all(
    Array.from({ length: 9 }, async () => {
      const made = await command(env, 'key', 'create', email, '--json')
      return (JSON.parse(made.stdout) as { key: string }).key
    }),
  )
  const keys = [busy, ...more]
  const call = (key: string, path = '/pages?limit=1') =>
    send(`${env.BASE_URL}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
  let calls = 0
  const refused = await until429(900, () => call(keys[calls++ % keys.length]!))
  expect(refused, '429 after at most 900 calls of ten keys').toBeDefined()
  expect(calls).toBeGreaterThanOrEqual(600)
  for (const key of keys) expect((await call(key)).status).toBe(429)
  expectRefusal(refused!, 429)
  expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused!.headers.get('ratelimit')).not.toBeNull()
  expect(refused!.headers.get('ratelimit-policy')).not.toBeNull()
  expect((await call(calm)).status).toBe(200)
  const body = JSON.stringify({ html: html('x') })
  const headers = { authorization: `Bearer ${busy}`, 'content-type': 'application/json' }
  const create = await send(`${env.BASE_URL}/api/v1/pages`, { method: 'POST', headers, body })
  if (create.status !== 201) expectRefusal(create, 429)
  await running.stop()
}, 240_000)

test('with RATE_LIMITS off no call is refused for their number', async () => {
  const env = freshEnvironment()
  const key = await newKey(env, 'pro')
  const running = await start(env)
  const refused = await until429(1500, () =>
    send(`${env.BASE_URL}/api/v1/pages?limit=1`, { headers: { authorization: `Bearer ${key}` } }),
  )
  expect(refused).toBeUndefined()
  await running.stop()
}, 240_000)
