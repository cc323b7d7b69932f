/** The first minutes on a new server: the set-up link, the first key, and signing in. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Answer } from './client.ts'
import { person } from './gates/person.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

const env = freshEnvironment()
let server: Awaited<ReturnType<typeof start>>
let link = ''
beforeAll(async () => {
  server = await start(env)
  const linkIn = () => /http:\S+(\/setup\/[\w-]{43})/.exec(server.output())?.[1]
  while (linkIn() === undefined) await Bun.sleep(10)
  link = linkIn()!
})
afterAll(cleanUp)

const owner = person(env.BASE_URL)
const keyIn = (text: string) => /sm_[0-9A-Za-z]{40}/.exec(text)?.[0]

function ask(method: string, path: string, key: string, body?: unknown): Promise<Response> {
  return fetch(`${env.BASE_URL}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** Opens where a form leads to. */
function follow({ status, headers }: Answer): Promise<Answer> {
  expect(status).toBe(303)
  return owner.open(headers.get('location')!)
}

let key = ''

test('the set-up link signs in the first account and leads to its key', async () => {
  expect((await owner.open(link)).text).toContain('name="email"')
  const answer = await follow(await owner.post(link, { email: 'first@handbill.example' }))
  expect(answer.text).toContain('first@handbill.example')
  key = keyIn(answer.text)!
  expect(key).toBeDefined()
  // The length of a compressed body could tell something about the key.
  expect(answer.headers.get('content-encoding')).toBeNull()
})

test('the first account is on a plan that has every setting', async () => {
  const settings = {
    html: '<!doctype html><p>hello',
    max_views: 3,
    expires_at: '2099-01-01T00:00:00Z',
  }
  expect((await ask('POST', '/pages', key, settings)).status).toBe(201)
})

test('the key is shown once: neither a reload nor another screen shows it again', async () => {
  expect((await owner.open('/app')).text).not.toContain(key)
  expect((await owner.open('/app/developer')).text).not.toContain(key)
})

test('the set-up link is closed for everybody once there is an account', async () => {
  const other = person(env.BASE_URL)
  const closed = await other.open(link)
  expect([closed.status, closed.text.includes('<form')]).toEqual([410, false])
  const again = await other.post(link, { email: 'second@handbill.example' })
  expect(again.status).toBe(410)
})

test('the first page of the server leads to signing in', async () => {
  expect((await person(env.BASE_URL).open('/')).text).toContain('href="/app/sign-in"')
})

test('the set-up link of the listening address makes the account, and leads to the public address', async () => {
  const fresh = freshEnvironment()
  const listening = fresh.BASE_URL!
  const publicUrl = listening.replace('127.0.0.1', 'localhost')
  const env = { ...fresh, BASE_URL: publicUrl }
  const { output } = await start(env)
  const pattern = /http:\S+(\/setup\/[\w-]{43})/
  while (!pattern.test(output())) await Bun.sleep(10)
  const link = pattern.exec(output())![1]!
  const [here, there, stranger] = [person(listening), person(publicUrl), person(listening)]
  const input = { email: 'first@handbill.example' }
  for (const headers of [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    const refused = await stranger.post(link, input, headers)
    expect([refused.status, refused.text.includes('sm_')]).toEqual([400, false])
  }
  expect((await here.open(link)).text).toContain('name="email"')
  const done = await here.post(link, input)
  expect([done.status, done.headers.get('location')]).toEqual([303, '/setup/key'])
  for (const _ of ['shown', 'reloaded']) {
    const page = await here.open('/setup/key')
    expect(page.text).toContain('<title>Your API key</title>')
    const headers = { authorization: `Bearer ${keyIn(page.text)}` }
    expect((await fetch(`${listening}/api/v1/pages`, { headers })).status).toBe(200)
  }
  const answer = await here.open('/setup/key')
  const [signIn] = new RegExp(`${publicUrl}/app/confirm/[\\w-]{43}`).exec(answer.text)!
  await there.submit(await there.open(signIn))
  expect((await there.open('/app')).text).toContain('first@handbill.example')
  expect((await person(listening).open('/setup/key')).text).not.toContain('sm_')
  expect((await here.post(link, input)).status).toBe(410)
  expect((await here.open('/app')).status).toBe(421)
}, 240_000)
