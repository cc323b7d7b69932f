import { expect } from 'bun:test'
import { appOf } from '../app-session.ts'
import { send } from '../client.ts'
import { html, isoIn, word } from '../material.ts'
import { sharedOutbox } from './mail.ts'
import { formsIn, person } from './person.ts'
import {
  confirmEmail,
  expectContent,
  expectLocked,
  newEmail,
  otherOwner,
  own,
  owner,
  pathIn,
  publishGated,
  signedIn,
} from './setup.ts'

own('private: the owner, signed in by mail, opens the page, and nobody else can', async () => {
  const by = await owner()
  const page = await publishGated(by, { access: 'private' }, [by.email])
  const who = person()
  const gate = await who.open(page.path)
  expectLocked(gate, page)
  expect(formsIn(gate)).toHaveLength(0)
  const link = /href="(\/app\/sign-in\?[^"]*)"/.exec(gate.text)![1]!
  const before = sharedOutbox().sentTo(by.email).length
  await who.submit(await who.open(link), { email: by.email })
  const mail = await sharedOutbox().last(by.email, before + 1)
  expect(mail.subject).toContain('Sign in to')
  const done = await who.submit(await who.open(pathIn(mail.links[0]!)))
  expect([done.status, done.headers.get('location')]).toEqual([303, page.path])
  expectContent(await who.read(page.path), page)
  expectLocked(await person().read(page.path), page)
  const other = await signedIn((await otherOwner()).email)
  expectLocked(await other.read(page.path), page)
  const confirmed = person()
  await confirmEmail(
    confirmed,
    await publishGated(await owner(), { access: 'email_gate' }),
    by.email,
  )
  expectLocked(await confirmed.read(page.path), page)
})

own('the session cookie is HttpOnly, SameSite=Lax and for the whole host', async () => {
  const by = await owner()
  const who = person()
  const before = sharedOutbox().sentTo(by.email).length
  await who.submit(await who.open('/app/sign-in'), { email: by.email })
  const { links } = await sharedOutbox().last(by.email, before + 1)
  const done = await who.submit(await who.open(pathIn(links[0]!)))
  const line = done.headers.getSetCookie().find((text) => text.includes('session'))!
  expect(line).toMatch(/; HttpOnly/)
  expect(line).toMatch(/; SameSite=Lax/)
  expect(line).toMatch(/; Path=\/(;|$)/)
  expect(line).toMatch(/; Max-Age=2592000/)
  expect(line).not.toMatch(/domain=/i)
})

own('the owner can open the page in every state, without counting a view', async () => {
  const by = await owner()
  const who = await signedIn(by.email)
  const states = [
    { access: 'private' },
    { access: 'password', password: 'abcd efgh' },
    { access: 'people', allowed_emails: [newEmail()] },
    { access: 'people', allowed_emails: [], require_signin: true },
    { access: 'email_gate', allowed_domains: ['acme.example'] },
    { expires_at: isoIn(-60_000) },
    { access: 'private', expires_at: isoIn(-60_000) },
    { publish: false },
    { access: 'link' },
  ]
  for (const settings of states) {
    const page = await publishGated(by, settings)
    const opened = await who.read(page.path)
    expect([JSON.stringify(settings), opened.status]).toEqual([JSON.stringify(settings), 200])
    expect(opened.text).toContain(page.content)
    expect((await who.open(page.path)).status).toBe(200)
    expect((await by.page(page.page.id)).views, JSON.stringify(settings)).toBe(0)
  }
  const limited = await publishGated(by, { max_views: 1 })
  for (let i = 0; i < 3; i += 1) expect((await who.read(limited.path)).status).toBe(200)
  expect((await by.page(limited.page.id)).views).toBe(0)
  expect((await person().read(limited.path)).status).toBe(200)
  expect((await person().read(limited.path)).status).toBe(410)
  expect((await who.read(limited.path)).text).toContain(limited.content)
  expect((await by.page(limited.page.id)).views).toBe(1)
})

own('the owner’s bar says why visitors cannot open the page', async () => {
  const by = await owner()
  const who = await signedIn(by.email)
  const states: [object, RegExp][] = [
    [{ access: 'private' }, /Only you<\/span>/],
    [{ expires_at: isoIn(-60_000) }, /expired/],
    [{ publish: false }, /Not published/],
  ]
  for (const [settings, why] of states) {
    const page = await by.publish({ html: html(word()), ...settings })
    expect((await who.open(`/p/${page.slug}`)).text).toMatch(why)
  }
})

own('signing out, also from another browser, ends access at once', async () => {
  const by = await owner()
  const page = await publishGated(by, { access: 'private' })
  const [here, there] = [await signedIn(by.email), await signedIn(by.email)]
  expectContent(await there.read(page.path), page)
  expect((await here.open('/app')).status).toBe(200)
  const app = appOf(here)
  expect((await app('DELETE', '/sessions')).status).toBe(200)
  expectLocked(await there.read(page.path), page)
  expectContent(await here.read(page.path), page)
  const held = [...here.jar.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
  expect((await app('DELETE', '/sessions/current')).status).toBe(204)
  expectLocked(await here.read(page.path), page)
  expectLocked(await send(page.path, { headers: { cookie: held } }), page)
})

own('the API accepts keys alone, and no session', async () => {
  const by = await owner()
  const who = await signedIn(by.email)
  expect((await who.read('/api/v1/pages')).status).toBe(401)
})
