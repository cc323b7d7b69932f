import { expect } from 'bun:test'
import { appOf } from '../app-session.ts'
import type { Answer, Fields } from '../client.ts'
import { everyCase } from '../expect.ts'
import { isoIn } from '../material.ts'
import { sharedOutbox } from './mail.ts'
import { type Person, person } from './person.ts'
import {
  confirmEmail,
  expectClosedNotice,
  expectContent,
  expectLocked,
  type Gated,
  newEmail,
  otherOwner,
  own,
  owner,
  pathIn,
  publishGated,
  signedIn,
  submitEmail,
} from './setup.ts'

const PASSWORD = 'abcd efgh'
/** A page with comments is framed by the shell. */
const IN_SHELL = { allow_comments: true }

async function withPassword(settings: Fields = {}) {
  const page = await publishGated(await owner(), {
    access: 'password',
    password: PASSWORD,
    ...settings,
  })
  const who = person()
  await who.submit(await who.open(page.path), { password: PASSWORD })
  expectContent(await who.read(page.path), page)
  return { page, who, id: page.page.id }
}
async function withEmail(settings: Fields, email: string) {
  const page = await publishGated(await owner(), settings, [email])
  const who = person()
  await confirmEmail(who, page, email)
  expectContent(await who.read(page.path), page)
  return { page, who, id: page.page.id }
}
/** The URL of the frame in the shell, with its token. */
function frameIn(shell: Answer, { path }: Gated): string {
  const match = shell.text.match(new RegExp(`${path}/~[\\w.-]+/[^"'\\s<]+`))
  if (match === null) throw new Error(`no frame in: ${shell.text.slice(0, 500)}`)
  return match[0]
}
async function readFrame(address: string): Promise<Answer> {
  return person().read(address, { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' })
}
async function expectGone(who: Person, page: Gated): Promise<void> {
  expectLocked(await who.read(page.path), page)
  expectLocked(await who.open(page.path), page)
}

own('a new password ends access by the old one', async () => {
  const { page, who, id } = await withPassword()
  const by = await owner()
  await by.update(id, { password: 'ijkl mnop' })
  await expectGone(who, page)
  expectLocked(await who.submit(await who.open(page.path), { password: PASSWORD }), page)
  await who.submit(await who.open(page.path), { password: 'ijkl mnop' })
  expectContent(await who.read(page.path), page)
  await by.update(id, { password: PASSWORD })
  await expectGone(who, page)
})

own('a new access level ends all access given before', async () => {
  const by = await owner()
  const levels = ['private', 'people', 'email_gate'].map((access) => [access, access] as const)
  await everyCase(levels, async (access) => {
    const { page, who, id } = await withPassword()
    await by.update(id, { access })
    await expectGone(who, page)
    await by.update(id, { access: 'password', password: PASSWORD })
    await expectGone(who, page)
  })
  const ann = newEmail()
  const { page, who, id } = await withEmail({ access: 'people', allowed_emails: [ann] }, ann)
  for (const access of ['private', 'password']) {
    await by.update(id, { access })
    await expectGone(who, page)
  }
})

own('removing an invitee ends access at once, and a new invite restores it', async () => {
  const by = await owner()
  const [ann, bob] = [newEmail('ann'), newEmail('bob')]
  const settings = { access: 'people', allowed_emails: [ann, bob] }
  const { page, who, id } = await withEmail(settings, ann)
  await by.update(id, { allowed_emails: [bob] })
  await expectGone(who, page)
  expect((await who.open(page.path)).text).not.toContain(bob)
  await by.update(id, { allowed_emails: [ann, bob] })
  expectContent(await who.read(page.path), page)
})

own('new allowed_domains end access by addresses of other domains', async () => {
  const by = await owner()
  const ann = newEmail()
  const { page, who, id } = await withEmail({ access: 'email_gate' }, ann)
  await by.update(id, { allowed_domains: ['acme.example'] })
  await expectGone(who, page)
  await by.update(id, { allowed_domains: ['acme.example', 'example.com'] })
  expectContent(await who.read(page.path), page)
  const personal = `${ann.split('@')[0]}@gmail.com`
  const business = await withEmail({ access: 'email_gate' }, personal)
  await by.update(business.id, { business_only: true })
  await expectGone(business.who, business.page)
})

own(
  'turning on require_signin asks visitors to sign in who only confirmed an address',
  async () => {
    const ann = newEmail()
    const { page, who, id } = await withEmail({ access: 'people', allowed_emails: [ann] }, ann)
    await (await owner()).update(id, { require_signin: true })
    await expectGone(who, page)
  },
)

own('an invitee who signs out loses access at once', async () => {
  const ann = (await otherOwner()).email
  const settings = { access: 'people', allowed_emails: [ann], require_signin: true }
  const page = await publishGated(await owner(), { ...settings, ...IN_SHELL })
  const who = await signedIn(ann)
  expectContent(await who.read(page.path), page)
  const frame = frameIn(await who.open(page.path), page)
  expect((await readFrame(frame)).text).toContain(page.content)
  expect((await appOf(who)('DELETE', '/sessions/current')).status).toBe(204)
  await expectGone(who, page)
  expect((await readFrame(frame)).text).not.toContain(page.content)
})

own('the frame’s URL in the shell stops working with the access that it was made for', async () => {
  const by = await owner()
  const changes: [string, Fields][] = [
    ['password', { password: 'ijkl mnop' }],
    ['private', { access: 'private' }],
    ['people', { access: 'people' }],
    ['expiry', { expires_at: isoIn(-60_000) }],
  ]
  await everyCase(changes, async (change) => {
    const { page, who, id } = await withPassword(IN_SHELL)
    const frame = frameIn(await who.open(page.path), page)
    expect((await readFrame(frame)).text).toContain(page.content)
    await by.update(id, change)
    const answer = await readFrame(frame)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    for (const words of page.hidden) expect(answer.text).not.toContain(words)
  })
  const ann = newEmail()
  const settings = { access: 'people', allowed_emails: [ann], ...IN_SHELL }
  const invited = await withEmail(settings, ann)
  const frame = frameIn(await invited.who.open(invited.page.path), invited.page)
  expect((await readFrame(frame)).text).toContain(invited.page.content)
  await by.update(invited.id, { allowed_emails: [] })
  expect((await readFrame(frame)).text).not.toContain(invited.page.content)
})

own('a link mailed before an invitee’s removal gives no access after it', async () => {
  const by = await owner()
  const ann = newEmail()
  const page = await publishGated(by, { access: 'people', allowed_emails: [ann] })
  const who = person()
  await submitEmail(who, page, ann)
  const { links } = await sharedOutbox().last(ann)
  const answer = await who.open(pathIn(links[0]!))
  await by.update(page.page.id, { allowed_emails: [] })
  await who.submit(answer)
  await expectGone(who, page)
})

own('unpublishing and deleting end access', async () => {
  const by = await owner()
  const { page, who, id } = await withPassword(IN_SHELL)
  const frame = frameIn(await who.open(page.path), page)
  await by.unpublish(id)
  expectClosedNotice(await who.read(page.path), page, 404)
  expect((await readFrame(frame)).text).not.toContain(page.content)
  await by.goLive(id)
  expectContent(await who.read(page.path), page)
  expect((await by.remove(id)).status).toBe(204)
  expectClosedNotice(await who.read(page.path), page, 404)
  expect((await readFrame(frame)).status).toBe(404)
})

own('a frame’s URL given out at level link is gated as soon as the level changes', async () => {
  const by = await owner()
  const page = await publishGated(by, { access: 'link', ...IN_SHELL })
  const who = person()
  const frame = frameIn(await who.open(page.path), page)
  const { headers } = await who.read(page.path)
  await by.update(page.page.id, { access: 'private' })
  expectLocked(await who.read(page.path, { 'if-none-match': headers.get('etag') ?? '"x"' }), page)
  const answer = await readFrame(frame)
  expect(answer.text).not.toContain(page.content)
  expect(answer.status).toBeGreaterThanOrEqual(400)
})
