import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Answer, dataOf, type Fields, type Page, type Sent, send } from '../client.ts'
import { html, word } from '../material.ts'
import { command } from '../server.ts'
import { cleanUp, freshEnvironment, start } from '../start.ts'
import { type Outbox, outboxOf } from './mail.ts'
import { formTo, type Person, person } from './person.ts'
import type { Gated } from './setup.ts'

const COUNT = { mails_from_network: 5, mails: 10, mail_from_address: 20, requests: 10 }
const OWNER = 'owner@handbill.example'

/** A server with throttling behind a proxy, so that each test has client addresses of its own. */
let base = ''
let key = ''
let outbox: Outbox
beforeAll(async () => {
  const { RATE_LIMITS: _, ...fresh } = freshEnvironment()
  const env = { ...fresh, TRUST_PROXY: '1' } as Record<string, string>
  base = env.BASE_URL!
  await start(env)
  await command(env, 'account', 'add', OWNER, '--plan', 'pro')
  key = (await command(env, 'key', 'create', OWNER)).stdout.trim()
  outbox = outboxOf(env.DATA_DIR!)
}, 240_000)
afterAll(cleanUp)

function call(method: string, path: string, body?: Fields): Promise<Answer> {
  return send(`${base}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}
async function gated(settings: Fields): Promise<Gated> {
  const [content, title] = [word('content'), word('title')]
  const page = dataOf<Page>(
    await call('POST', '/pages', { html: html(content, title), ...settings }),
    201,
  )
  return { page, path: `/p/${page.slug}`, content, hidden: [content, title] }
}

function expectThrottled(answer: Answer, windowS: number): void {
  expect(answer.status, answer.text.slice(0, 300)).toBe(429)
  const wait = Number(answer.headers.get('retry-after'))
  expect(wait).toBeGreaterThanOrEqual(1)
  expect(wait).toBeLessThanOrEqual(windowS)
}

/** A browser in another network: the server trusts one proxy. */
function elsewhere(network: number): { who: Person; from: Sent } {
  return { who: person(base), from: { 'x-forwarded-for': `198.51.${network}.7` } }
}
async function giveEmail(
  { who, from }: { who: Person; from: Sent },
  { path }: Gated,
  email: string,
) {
  return who.submit(await who.open(path), { email }, from)
}

test('a network can request 5 mails to an address, and then is told to use the newest', async () => {
  const [ann, eve] = [`${word('ann')}@example.com`, `${word('eve')}@example.com`]
  const page = await gated({ access: 'people', allowed_emails: [ann] })
  const at = elsewhere(1)
  const answers: string[] = []
  for (const email of [ann, eve]) {
    for (let i = 0; i < COUNT.mails_from_network; i += 1) {
      expect((await giveEmail(at, page, email)).status).toBe(200)
    }
    const more = await giveEmail(at, page, email)
    expect([more.status, more.text]).toEqual([
      200,
      expect.stringContaining('the link of the newest'),
    ])
    answers.push(more.text.replaceAll(email, 'EMAIL'))
  }
  expect(answers[0]).toBe(answers[1]!)
  const mails = await outbox.all(ann, COUNT.mails_from_network)
  expect(outbox.sentTo(eve)).toHaveLength(0)
  const newest = await at.who.open(new URL(mails.at(-1)!.links[0]!).pathname)
  expect((await at.who.submit(newest)).status, 'the newest link works').toBe(303)
})

test('mails that strangers request do not block an address for others, nor for sign-in', async () => {
  const ann = `${word('ann')}@example.com`
  const page = await gated({ access: 'people', allowed_emails: [ann] })
  const contact = elsewhere(2)
  await giveEmail(contact, page, ann)
  const { code } = await outbox.last(ann)
  const answer = await giveEmail(contact, page, ann)
  expect(answer.status).toBe(200)
  const second = await outbox.last(ann, 2)
  expect(code).toBeDefined()
  expect((await contact.who.submit(answer, { code: second.code! }, contact.from)).status).toBe(303)
  const stranger = elsewhere(3)
  for (let i = 0; i < 8; i += 1) await giveEmail(stranger, page, ann)
  await outbox.all(ann, 2 + COUNT.mails_from_network)
  await giveEmail(elsewhere(4), page, ann)
  const before = (await outbox.all(ann, 3 + COUNT.mails_from_network)).length
  for (let network = 5; network < 12; network += 1) await giveEmail(elsewhere(network), page, ann)
  await outbox.all(ann, COUNT.mails)
  expect(before).toBeLessThan(COUNT.mails)
  const other = await gated({ access: 'people', allowed_emails: [ann], title: word('other') })
  const fresh = { who: person(base), from: contact.from }
  for (const [name, cookie] of contact.who.jar) {
    if (!name.includes('handbill_email')) fresh.who.jar.set(name, cookie)
  }
  await giveEmail(fresh, other, ann)
  await outbox.all(ann, COUNT.mails + 1)
  const signIn = elsewhere(12)
  await signIn.who.submit(await signIn.who.open('/app/sign-in'), { email: ann }, signIn.from)
  const mails = await outbox.all(ann, COUNT.mails + 2)
  expect(mails.at(-1)!.subject).toContain('account')
})

test('a visitor can request 20 mails in 15 minutes, and as many for sign-in', async () => {
  const page = await gated({ access: 'email_gate' })
  const at = elsewhere(20)
  const { action, fields } = formTo(await at.who.open(page.path), '/email')
  const give = () =>
    at.who.post(action, { ...fields, email: `${word('fresh')}@example.com` }, at.from)
  for (let i = 0; i < COUNT.mail_from_address; i += 1) expect((await give()).status).toBe(200)
  expectThrottled(await give(), 15 * 60)
  const signIn = await at.who.open('/app/sign-in')
  const email = `${word('fresh')}@example.com`
  expect((await at.who.submit(signIn, { email }, at.from)).status).toBe(200)
})

const wrong = (code: string, by: number) => String((Number(code) + by) % 1_000_000).padStart(6, '0')

/** Asks for a mail, and then tries five wrong codes. */
async function guess(network: number, page: Gated, email: string) {
  const at = elsewhere(network)
  const before = outbox.sentTo(email).length
  const answer = await giveEmail(at, page, email)
  const mail = await outbox.last(email, before + 1)
  for (let by = 1; by <= 5; by += 1) {
    const refused = await at.who.submit(answer, { code: wrong(mail.code!, by) }, at.from)
    expect(refused.status).toBe(403)
  }
}

test('after 20 wrong codes for an address its codes are off, and its links still work', async () => {
  const ann = `${word('ann')}@example.com`
  const page = await gated({ access: 'email_gate' })
  for (let network = 30; network < 34; network += 1) await guess(network, page, ann)
  const at = elsewhere(34)
  const answer = await giveEmail(at, page, ann)
  const mail = await outbox.last(ann, 5)
  const off = await at.who.submit(answer, { code: mail.code! }, at.from)
  expect([off.status, off.text]).toEqual([429, expect.stringContaining('codes are off for now')])
  const link = await at.who.open(new URL(mail.links[0]!).pathname)
  expect((await at.who.submit(link, {}, at.from)).status).toBe(303)
})

test('after 60 wrong codes from a network its codes are off, and those of others work', async () => {
  const page = await gated({ access: 'email_gate' })
  const network = (i: number) => ({ 'x-forwarded-for': `203.0.113.${i}` })
  const ask = async (who: Person, from: Sent) => {
    const email = `${word('ann')}@example.com`
    const answer = await giveEmail({ who, from }, page, email)
    return { shown: answer, code: (await outbox.last(email)).code! }
  }
  for (let i = 0; i < 12; i += 1) {
    const who = person(base)
    const { shown, code } = await ask(who, network(i))
    for (let by = 1; by <= 5; by += 1) {
      await who.submit(shown, { code: wrong(code, by) }, network(i))
    }
  }
  const who = person(base)
  const { shown, code } = await ask(who, network(100))
  expect((await who.submit(shown, { code }, network(100))).status).toBe(429)
  const from = { 'x-forwarded-for': '203.0.114.1' }
  expect((await who.submit(shown, { code }, from)).status).toBe(303)
})

test('beyond 10 access requests an hour the owner gets one mail for all of them', async () => {
  const page = await gated({ access: 'people', allow_access_requests: true })
  for (let i = 0; i < COUNT.requests + 3; i += 1) {
    const { who, from } = elsewhere(60 + i)
    const { action, fields } = formTo(await who.open(page.path), '/request')
    const email = `${word('asks')}@example.com`
    expect((await who.post(action, { ...fields, email }, from)).status).toBe(200)
  }
  const mails = await outbox.all(OWNER, COUNT.requests)
  expect(mails.every(({ subject }) => subject.includes('asks to open'))).toBe(true)
  const requests = await call('GET', `/pages/${page.page.id}/access-requests`)
  expect(dataOf<object[]>(requests)).toHaveLength(COUNT.requests + 3)
})
