import { expect } from 'bun:test'
import type { Fields } from '../client.ts'
import { everyCase } from '../expect.ts'
import { base64, isoIn, pdf, word } from '../material.ts'
import { person } from './person.ts'
import {
  confirmEmail,
  expectClosedNotice,
  expectContent,
  expectLocked,
  newEmail,
  own,
  owner,
  publishGated,
  signedIn,
} from './setup.ts'

const GATES: [string, Fields][] = [
  ['private', { access: 'private' }],
  ['password', { access: 'password', password: 'abcd efgh' }],
  ['people', { access: 'people', allowed_emails: [newEmail()], allow_access_requests: true }],
  ['people who sign in', { access: 'people', require_signin: true }],
  ['email_gate', { access: 'email_gate' }],
]
const past = () => isoIn(-60_000)

own('a link that is not published or has expired shows its notice before any gate', async () => {
  const by = await owner()
  await everyCase(GATES, async (settings) => {
    const draft = await publishGated(by, { ...settings, publish: false })
    const expired = await publishGated(by, { ...settings, expires_at: past() })
    const both = await publishGated(by, { ...settings, expires_at: past(), publish: false })
    const who = person()
    for (const [page, status, words] of [
      [draft, 404, 'not published'],
      [expired, 410, 'expired'],
      [both, 404, 'not published'],
    ] as const) {
      for (const answer of [await who.open(page.path), await who.read(page.path)]) {
        expectClosedNotice(answer, page, status)
        expect(answer.text).toContain(words)
      }
    }
  })
})

own('a link that has reached its view limit shows its notice before any gate', async () => {
  const by = await owner()
  await everyCase(GATES, async (settings) => {
    const page = await publishGated(by, { max_views: 1 })
    expect((await person().read(page.path)).status).toBe(200)
    await by.update(page.page.id, settings)
    const answer = await person().open(page.path)
    expectClosedNotice(answer, page, 410)
    expect(answer.text).toContain('no longer available')
    await by.update(page.page.id, { max_views: 2 })
    expectLocked(await person().open(page.path), page)
    await by.update(page.page.id, { max_views: 1, expires_at: past() })
    expect((await person().open(page.path)).text).toContain('expired')
  })
})

own('expiry ends a visitor’s access at once, and null restores it', async () => {
  const by = await owner()
  const page = await publishGated(by, { access: 'password', password: 'abcd efgh' })
  const who = person()
  const gate = await who.open(page.path)
  await who.submit(gate, { password: 'abcd efgh' })
  expectContent(await who.read(page.path), page)
  await by.update(page.page.id, { expires_at: past() })
  expectClosedNotice(await who.read(page.path), page, 410)
  const late = await who.submit(gate, { password: 'abcd efgh' })
  expectClosedNotice(late, page, 410)
  await by.update(page.page.id, { expires_at: null })
  expectContent(await who.read(page.path), page)
})

own(
  'a gated page with a view limit opens that many times, and the gate counts as none',
  async () => {
    const by = await owner()
    const settings = { access: 'password', password: 'abcd efgh', max_views: 2 }
    const page = await publishGated(by, settings)
    const [ann, bob] = [person(), person()]
    for (const who of [ann, bob]) {
      await who.submit(await who.open(page.path), { password: 'wrong' })
      await who.submit(await who.open(page.path), { password: 'abcd efgh' })
    }
    expect((await by.page(page.page.id)).views).toBe(0)
    expect((await ann.read(page.path)).text).toContain(page.content)
    expect((await bob.read(page.path)).text).toContain(page.content)
    expect((await by.page(page.page.id)).views).toBe(2)
    expectClosedNotice(await person().open(page.path), page, 410)
  },
)

own('a page opened with a confirmed address expires like any other', async () => {
  const by = await owner()
  const page = await publishGated(by, { access: 'email_gate', expires_at: isoIn(60_000) })
  const who = person()
  await confirmEmail(who, page, newEmail())
  expectContent(await who.read(page.path), page)
  await by.update(page.page.id, { expires_at: past() })
  expectClosedNotice(await who.read(page.path), page, 410)
})

own('view-only hides the download from visitors, also behind a gate', async () => {
  const by = await owner()
  const file = { file_base64: base64(pdf()), access: 'password', password: 'abcd efgh' }
  const publish = (downloadDisabled: boolean) =>
    by.publish({ ...file, filename: `${word('file')}.pdf`, download_disabled: downloadDisabled })
  for (const downloadDisabled of [true, false]) {
    const page = await publish(downloadDisabled)
    const who = person()
    await who.submit(await who.open(`/p/${page.slug}`), { password: 'abcd efgh' })
    const viewer = await who.open(`/p/${page.slug}`)
    expect(viewer.status).toBe(200)
    expect(/<a[^>]*\bdownload\b/.test(viewer.text)).toBe(!downloadDisabled)
    const raw = await who.read(`/p/${page.slug}`, { accept: 'application/pdf' })
    expect(raw.status).toBe(200)
    expect(raw.headers.get('content-disposition')).toMatch(/^inline/)
  }
})

own('the signed-in owner can open and manage a closed link', async () => {
  const by = await owner()
  const who = await signedIn(by.email)
  const page = await publishGated(by, { max_views: 1 })
  await person().read(page.path)
  expectClosedNotice(await person().read(page.path), page, 410)
  await by.update(page.page.id, { expires_at: past() })
  expectClosedNotice(await person().read(page.path), page, 410)
  expect((await who.read(page.path)).text).toContain(page.content)
  expect((await who.open(page.path)).text).toMatch(/expired: visitors see a notice/)
  await by.update(page.page.id, { expires_at: null, max_views: null })
  expect((await person().read(page.path)).text).toContain(page.content)
})
