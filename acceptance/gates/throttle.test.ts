import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Answer, dataOf, type Fields, type Page, send } from '../client.ts'
import { expectNotice } from '../expect.ts'
import { html, word } from '../material.ts'
import { newKey } from '../server.ts'
import { cleanUp, freshEnvironment, start } from '../start.ts'
import { formTo, person } from './person.ts'
import { expectLocked, type Gated } from './setup.ts'

const PASSWORD = 'abcd efgh'
const COUNT = { password: 10, code: 20 }

/** A server with throttling, which is on by default. */
let base = ''
let key = ''
beforeAll(async () => {
  const { RATE_LIMITS: _, ...env } = freshEnvironment()
  base = env.BASE_URL!
  await start(env)
  key = await newKey(env, 'pro')
}, 240_000)
afterAll(cleanUp)

async function gated(settings: Fields): Promise<Gated> {
  const [content, title] = [word('content'), word('title')]
  const answer = await send(`${base}/api/v1/pages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ html: html(content, title), ...settings }),
  })
  const page = dataOf<Page>(answer, 201)
  return { page, path: `/p/${page.slug}`, content, hidden: [content, title, PASSWORD] }
}

function expectThrottled(answer: Answer, windowS: number): void {
  expect(answer.status, answer.text.slice(0, 300)).toBe(429)
  const wait = Number(answer.headers.get('retry-after'))
  expect(wait).toBeGreaterThanOrEqual(1)
  expect(wait).toBeLessThanOrEqual(windowS)
  expect(answer.headers.get('cache-control')).toContain('no-store')
}

test('a visitor has 10 password tries a minute, and then even the right one is refused', async () => {
  const page = await gated({ access: 'password', password: PASSWORD })
  const other = await gated({ access: 'password', password: PASSWORD })
  const plain = await gated({ access: 'link' })
  const who = person(base)
  const gate = await who.open(page.path)
  for (let i = 0; i < COUNT.password; i += 1) {
    expectLocked(await who.submit(gate, { password: `wrong ${i}` }), page)
  }
  const refused = await who.submit(gate, { password: 'wrong' })
  expectThrottled(refused, 60)
  expectNotice(refused, 429, page.hidden)
  expect(refused.text).toContain('Too many tries')
  expectThrottled(await who.submit(gate, { password: PASSWORD }), 60)
  const another = person(base)
  const again = await another.open(page.path)
  expectThrottled(await another.submit(again, { password: PASSWORD }), 60)
  for (const address of ['203.0.113.7', '10.0.0.1, 203.0.113.8']) {
    const forged = { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` }
    expectThrottled(await another.submit(again, { password: PASSWORD }, forged), 60)
  }
  expectLocked(await another.read(page.path), page)
  const elsewhere = await who.submit(await who.open(other.path), { password: PASSWORD })
  expect(elsewhere.status, 'the tries are of one page').toBe(303)
  expect((await person(base).read(plain.path)).status).toBe(200)
})

test('of concurrent password tries 10 are checked', async () => {
  const page = await gated({ access: 'password', password: PASSWORD })
  const who = person(base)
  const gate = await who.open(page.path)
  const tries = Array.from({ length: 30 }, (_, i) => who.submit(gate, { password: `wrong ${i}` }))
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 403)).toHaveLength(COUNT.password)
  expect(statuses.filter((status) => status === 429)).toHaveLength(30 - COUNT.password)
})

test('a visitor has 20 tries of codes in 15 minutes, over all pages', async () => {
  const page = await gated({ access: 'email_gate' })
  const who = person(base)
  const { fields } = formTo(await who.open(page.path), '/email')
  const tries = (code: string) =>
    who.post(`${page.path}/~/code`, { ...fields, email: 'ann@example.com', code })
  for (let i = 0; i < COUNT.code; i += 1) expect((await tries('000000')).status).toBe(403)
  const refused = await tries('000000')
  expectThrottled(refused, 15 * 60)
  expectNotice(refused, 429, page.hidden)
})
