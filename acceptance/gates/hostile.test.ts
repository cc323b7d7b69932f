import { expect } from 'bun:test'
import { send } from '../client.ts'
import { everyCase } from '../expect.ts'
import { word } from '../material.ts'
import { server } from '../server.ts'
import { sharedOutbox } from './mail.ts'
import { formTo, type Person, person } from './person.ts'
import {
  confirmEmail,
  expectContent,
  expectLocked,
  type Gated,
  newEmail,
  own,
  owner,
  pathIn,
  publishGated,
  signedIn,
  submitEmail,
  waitForMails,
} from './setup.ts'

const PASSWORD = 'abcd efgh'
const ELSEWHERE = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '../../app',
  '../../../evil',
  '/p/../../evil',
  '%2f%2fevil.example',
  '/%2f/evil.example',
  '/\t/evil.example',
  ' //evil.example',
  '/.//evil.example',
  '@evil.example',
  '.evil.example',
  '\r\nset-cookie: stolen=1',
]
const named = (texts: string[]) => texts.map((text) => [JSON.stringify(text), text] as const)

function cookieOf({ jar }: Person, name: string) {
  return [...jar.values()].find((cookie) => cookie.name.includes(`_${name}`))!
}
const withCookie = ({ path }: Gated, cookie: string) => send(path, { headers: { cookie } })
const flipped = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)

own('a path in a gate’s form redirects to the page and nowhere else', async () => {
  const page = await publishGated(await owner(), { access: 'password', password: PASSWORD })
  const who = person()
  const { action, fields } = formTo(await who.open(page.path), '/password')
  await everyCase(named(ELSEWHERE), async (path) => {
    const answer = await who.post(action, { ...fields, password: PASSWORD, path })
    expect(answer.status).toBe(303)
    const to = new URL(answer.headers.get('location')!, server.url)
    expect(to.origin).toBe(server.url)
    expect(to.pathname.startsWith(page.path)).toBe(true)
    expect(answer.headers.getSetCookie().join()).not.toContain('stolen')
  })
})

own(
  'the next parameter of a sign-in redirects to a path of the service and nowhere else',
  async () => {
    const by = await owner()
    const who = person()
    const { action, fields } = formTo(await who.open('/app/sign-in'), '/sign-in')
    const before = sharedOutbox().sentTo(by.email).length
    const all = [...ELSEWHERE, '/app/sign-out', '/p/x//evil.example', '/p/..//evil.example']
    for (const [at, next] of all.entries()) {
      const answer = await who.open(`/app/sign-in?next=${encodeURIComponent(next)}`)
      expect(formTo(answer, '/sign-in').fields.next ?? '', next).not.toContain('evil')
      await who.post(action, { ...fields, email: by.email, next })
      const { links } = await sharedOutbox().last(by.email, before + at + 1)
      const done = await who.submit(await who.open(pathIn(links[0]!)))
      expect([next, done.status, done.headers.get('location')]).toEqual([next, 303, '/app'])
      const already = await who.open(`/app/sign-in?next=${encodeURIComponent(next)}`)
      expect([next, already.headers.get('location')]).toEqual([next, '/app'])
      who.jar.delete('handbill_session /')
    }
  },
)

own('line breaks in form fields reach no header of a response or a mail', async () => {
  const by = await owner()
  const ogTitle = 'Plans\u2028Bcc: eve@evil.example'
  const refused = await by.create({ html: '<p>x', og_title: 'Plans\r\nBcc: eve@evil.example' })
  expect(refused.status).toBe(400)
  expect((await by.create({ html: '<p>x', og_title: ogTitle })).status).toBe(400)
  const page = await publishGated(by, { access: 'email_gate' })
  const who = person()
  const ann = newEmail()
  const injected = [
    `${ann}\r\nBcc: eve@evil.example`,
    `${ann}%0d%0aBcc: eve@evil.example`,
    `${ann}\nSubject: hello`,
    `"${ann}" <eve@evil.example>`,
    `${ann},eve@evil.example`,
    `${ann} eve@evil.example`,
    `${ann}\0`,
  ]
  const signIn = await who.open('/app/sign-in')
  await everyCase(named(injected), async (email) => {
    const gate = await submitEmail(who, page, email)
    expect(gate.status).toBe(403)
    expect((await who.submit(signIn, { email })).status).toBe(400)
    for (const [, value] of gate.headers) expect(value).not.toContain('evil')
  })
  await waitForMails()
  expect(sharedOutbox().sentTo(ann)).toEqual([])
  expect(sharedOutbox().sentTo('eve@evil.example')).toEqual([])
})

own('an address that only resembles an invited one has no access', async () => {
  const name = word('ann')
  const ann = `${name}@example.com`
  const page = await publishGated(await owner(), { access: 'people', allowed_emails: [ann] }, [ann])
  const who = person()
  const lookalikes = [
    name.replace('a', '\u0430'),
    name.replace('a', '\uff41'),
    `${name}\u200b`,
    `${name}\u00ad`,
    `\u202e${name}`,
    `${name}+x`,
    `${name}.`,
  ].map((local) => `${local}@example.com`)
  const domains = [
    'ex\u0430mple.com',
    'example.com.evil.test',
    'example.co',
    'example.com@evil.test',
  ]
  await everyCase(named([...lookalikes, ...domains.map((d) => `${name}@${d}`)]), async (email) => {
    const answer = await submitEmail(who, page, email)
    expect([200, 403]).toContain(answer.status)
    for (const words of page.hidden.slice(0, 2)) expect(answer.text).not.toContain(words)
  })
  await waitForMails()
  expect(sharedOutbox().sentTo(ann), 'none of them is this one').toEqual([])
  expectLocked(await who.read(page.path), page)
})

own('over-long and malformed addresses are refused by the same form', async () => {
  const page = await publishGated(await owner(), { access: 'email_gate' })
  const who = person()
  const bad = [
    '',
    'ann',
    '@example.com',
    'ann@',
    'ann@localhost',
    'ann@127.0.0.1',
    'ann@[127.0.0.1]',
    `${'a'.repeat(65)}@example.com`,
    `ann@${'a.'.repeat(200)}com`,
    `${'a'.repeat(10_000)}@example.com`,
    '<script>alert(1)</script>@example.com',
  ]
  const signIn = await who.open('/app/sign-in')
  await everyCase(named(bad), async (email) => {
    const gate = await submitEmail(who, page, email)
    expectLocked(gate, page)
    expect(gate.text).toContain('role="alert"')
    expect(gate.text).not.toContain('<script>alert')
    expect((await who.submit(signIn, { email })).status).toBe(400)
  })
})

own('a form of 10 MB or a malformed one is refused, and the server keeps running', async () => {
  const page = await publishGated(await owner(), { access: 'password', password: PASSWORD })
  const who = person()
  const gate = await who.open(page.path)
  const { action, fields } = formTo(gate, '/password')
  const big = 'x'.repeat(10 * 1024 * 1024)
  expectLocked(await who.post(action, { ...fields, password: big }), page)
  const signIn = formTo(await who.open('/app/sign-in'), '/sign-in')
  const refused = await who.post(signIn.action, { ...signIn.fields, email: big })
  expect([400, 413]).toContain(refused.status)
  const right = { ...fields, password: PASSWORD }
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', '']) {
    expectLocked(await who.post(action, right, { 'content-type': type }), page)
  }
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, 'x']))
  expectLocked(await who.post(action, { ...many, ...right }), page)
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'nothing', '']) {
    const answer = await who.post(`${page.path}/~/${name}`, right)
    expect(answer.status, name).toBeGreaterThanOrEqual(400)
    expect(answer.status, name).toBeLessThan(500)
    for (const words of page.hidden) expect(answer.text).not.toContain(words)
  }
  expectLocked(await who.read(page.path), page)
  expect((await who.submit(gate, { password: PASSWORD })).status).toBe(303)
})

own('a password cookie that is forged, truncated or of another page opens nothing', async () => {
  const by = await owner()
  const page = await publishGated(by, { access: 'password', password: PASSWORD })
  const other = await publishGated(by, { access: 'password', password: PASSWORD })
  const who = person()
  await who.submit(await who.open(page.path), { password: PASSWORD })
  const { name, value } = cookieOf(who, 'pass')
  expect((await withCookie(page, `${name}=${value}`)).status).toBe(200)
  expectLocked(await withCookie(other, `${name}=${value}`), other)
  const [version, expires, signature] = value.split('.')
  const forged = [
    value.slice(0, -2),
    `${version}.${expires}.`,
    `${version}.9999999999.${signature}`,
    `${version}.Infinity.${signature}`,
    `${version}.1e99.${signature}`,
    `v0.${expires}.${signature}`,
    `${version}.${expires}`,
    'x'.repeat(5000),
    ...[0, 5, value.length - 10, value.length - 2].map((at) => flipped(value, at)),
  ]
  await everyCase(named(forged), async (text) => {
    expectLocked(await withCookie(page, `${name}=${text}`), page)
  })
})

own('an email cookie that is forged, truncated or renamed opens nothing', async () => {
  const by = await owner()
  const [ann, eve] = [newEmail('ann'), newEmail('eve')]
  const page = await publishGated(by, { access: 'people', allowed_emails: [ann] }, [ann])
  const open = await publishGated(by, { access: 'email_gate' })
  const who = person()
  await confirmEmail(who, open, eve)
  const { name, value } = cookieOf(who, 'email')
  expectContent(await withCookie(open, `${name}=${value}`), open)
  const [version, expires, , signature] = value.split('.')
  const list = Buffer.from(JSON.stringify([ann])).toString('base64url')
  expectLocked(await withCookie(page, `${name}=${version}.${expires}.${list}.${signature}`), page)
  expectLocked(await withCookie(page, `${name}=${version}.${expires}.${list}.`), page)
  for (const as of ['handbill_pass', 'handbill_session', 'handbill_visit', 'email']) {
    expectLocked(await withCookie(open, `${as}=${value}`), open)
  }
  for (let at = 0; at < value.length - 1; at += 7) {
    expectLocked(await withCookie(open, `${name}=${flipped(value, at)}`), open)
  }
  expectLocked(await withCookie(open, `${name}=${value.slice(0, -2)}`), open)
})

own('a session cookie that is forged, truncated or sent twice is not signed in', async () => {
  const by = await owner()
  const page = await publishGated(by, { access: 'private' })
  const who = await signedIn(by.email)
  const { name, value } = cookieOf(who, 'session')
  expectContent(await withCookie(page, `${name}=${value}`), page)
  const forged = ['', 'x', 'A'.repeat(43), value.slice(0, -1), `${value}A`, `"${value}"`]
  const changed = [0, 10, 20, 30, 40].map((at) => flipped(value, at))
  await everyCase(named([...forged, ...changed]), async (text) => {
    expectLocked(await withCookie(page, `${name}=${text}`), page)
    const account = await send('/app', { headers: { cookie: `${name}=${text}` } })
    expect(account.headers.get('location')).toBe('/app/sign-in')
    expect(account.text).not.toContain(by.email)
  })
  const doubled = `${name}=${value}; ${name}=${'A'.repeat(43)}`
  expectLocked(await withCookie(page, doubled), page)
})

own('another Host header gets no form of the app, and no mail links to it', async () => {
  const by = await owner()
  const evil = { host: 'evil.example' }
  const app = await send('/app/sign-in', { headers: evil })
  expect(app.status).toBe(421)
  expect(app.text).not.toContain('<form')
  const page = await publishGated(by, { access: 'email_gate' })
  const who = person()
  const ann = newEmail()
  const forwarded = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  await who.submit(await who.open(page.path), { email: ann }, forwarded)
  const mail = await sharedOutbox().last(ann)
  expect(mail.text).not.toContain('evil.example')
  for (const link of mail.links) expect(new URL(link).origin).toBe(server.url)
})
