/** Cookies of pages on a server whose visitors come over https. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { browser, dataOf, type Fields, type Page, send } from './client.ts'
import { type Person, person } from './gates/person.ts'
import { newKey, server } from './server.ts'
import { behindProxy, cleanUp, freshEnvironment, start } from './start.ts'

const ADDRESS = 'https://pages.example'
const BEHIND = { host: 'pages.example', origin: ADDRESS }
const DECK = {
  files: ['index.html', 'team.html'].map((path) => ({
    path,
    html: `<p>words of ${path}<script></script>`,
  })),
}

afterAll(cleanUp)

const own = test.skipIf(!server.own)

interface Service {
  base: string
  key: string
}

async function startService(settings: Record<string, string> = {}): Promise<Service> {
  const env = { ...freshEnvironment(), ...settings }
  await start(env, behindProxy(env, ADDRESS))
  return { base: env.BASE_URL!, key: await newKey(env, 'pro') }
}

let service: Service
let base: string
beforeAll(async () => {
  if (!server.own) return
  service = await startService()
  base = service.base
}, 240_000)

async function publish(settings: Fields, { base, key }: Service = service): Promise<Page> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ ...DECK, ...settings })
  return dataOf<Page>(await send(`${base}/api/v1/pages`, { method: 'POST', headers, body }), 201)
}
const cookiesOf = (headers: Headers) => headers.getSetCookie().filter((line) => /_v|_p/.test(line))
const reads = async (who: Person, { slug }: Page) =>
  (await who.read(`/p/${slug}/team.html`, BEHIND)).status

own('the cookies of a visit and of a password have the __Host- prefix, for one page', async () => {
  const [limited, other] = [await publish({ max_views: 1 }), await publish({ max_views: 1 })]
  const who = person(base)
  const entry = await who.read(`/p/${limited.slug}/index.html`, BEHIND)
  expect(cookiesOf(entry.headers)).toEqual([
    expect.stringMatching(
      /^__Host-handbill_visit_[\w-]{11}=v1\.[\w.-]+; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax; Secure$/,
    ),
  ])
  await person(base).read(`/p/${other.slug}/index.html`, BEHIND)
  expect([await reads(who, limited), await reads(who, other)]).toEqual([200, 410])
  expect(await reads(person(base), limited)).toBe(410)

  const locked = await publish({ access: 'password', password: 'open sesame' })
  const gate = await who.open(`/p/${locked.slug}`, BEHIND)
  const opened = await who.submit(gate, { password: 'open sesame' }, BEHIND)
  expect(cookiesOf(opened.headers)).toEqual([
    expect.stringMatching(
      /^__Host-handbill_pass_[\w-]{11}=v1\.[\w.-]+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure$/,
    ),
  ])
  expect([await reads(who, locked), await reads(person(base), locked)]).toEqual([200, 403])
})

own('a browser keeps the newest twenty of them', async () => {
  const { slug } = await publish({})
  const names = Array.from(
    { length: 25 },
    (_, n) => `__Host-handbill_visit_${`${n}`.padEnd(11, 'a')}`,
  )
  const cookie = names.map((name, n) => `${name}=v1.${9_000_000_000 - n}.x`).join('; ')
  const { headers } = await send(`${base}/p/${slug}/index.html`, {
    headers: { ...BEHIND, cookie, 'sec-fetch-dest': 'empty' },
  })
  const [visit, ...expired] = cookiesOf(headers)
  expect(visit).toContain('Max-Age=1800')
  expect(expired.map((line) => line.split('=')[0]!)).toEqual(names.slice(19).reverse())
  const flags = 'Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure'
  for (const line of expired) expect(line).toEndWith(`=; ${flags}`)
})

own('so has the cookie on a page’s own host, and none of another name counts', async () => {
  const apart = await startService({ CONTENT_URL: 'https://{page}.content.test' })
  const { slug } = await publish({}, apart)
  const window = { ...browser, ...BEHIND }
  const sent = await send(`${apart.base}/p/${slug}/index.html`, {
    headers: window,
    redirect: 'manual',
  })
  const { host, pathname, search } = new URL(sent.headers.get('location')!)
  const ask = (path: string, headers: Record<string, string>) =>
    send(apart.base + path, { headers: { ...headers, host }, redirect: 'manual' })
  const taken = await ask(pathname + search, window)
  const [line = '', ...more] = taken.headers.getSetCookie()
  expect(more).toEqual([])
  const [, cookie, value] =
    /^(__Host-handbill_own=([^;]+)); Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax; Secure$/.exec(
      line,
    )!
  const asset = async (sent: string) =>
    (await ask('/team.html', { cookie: sent, 'sec-fetch-dest': 'empty' })).status
  expect(await asset(cookie!)).toBe(200)
  expect(await asset(`handbill_own=${value}`)).toBe(403)
  expect(await asset(`__Host-handbill_own=v1.a.b.c; ${cookie}`)).toBe(200)
})
