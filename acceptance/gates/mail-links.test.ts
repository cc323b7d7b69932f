import { expect } from 'bun:test'
import { send } from '../client.ts'
import { everyCase } from '../expect.ts'
import { word } from '../material.ts'
import { sharedOutbox } from './mail.ts'
import { formTo, person } from './person.ts'
import {
  expectContent,
  expectLocked,
  type Gated,
  newEmail,
  own,
  owner,
  pathIn,
  publishGated,
  submitEmail,
} from './setup.ts'

/** Publishes a page for one invitee, whose browser then requests the mail. */
async function requestLink() {
  const ann = newEmail()
  const page = await publishGated(await owner(), { access: 'people', allowed_emails: [ann] })
  const who = person()
  const answer = await submitEmail(who, page, ann)
  const mail = await sharedOutbox().last(ann)
  return { ann, page, who, shown: answer, link: pathIn(mail.links[0]!), code: mail.code! }
}
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

own('a mailed link reveals neither its action, nor the page, nor the address', async () => {
  const { ann, page, link, code } = await requestLink()
  expect(link).toMatch(/^\/app\/confirm\/[\w-]{43}$/)
  expect(code).toMatch(/^\d{6}$/)
  for (const words of [ann, page.page.slug, page.page.id]) expect(link).not.toContain(words)
})

own(
  'GET and HEAD of a mailed link change nothing, from any browser and any number of times',
  async () => {
    const { ann, page, who, link } = await requestLink()
    for (let i = 0; i < 3; i += 1) {
      const scanner = person()
      expect((await scanner.head(link)).status).toBe(200)
      const answer = await scanner.open(link)
      expect(answer.status).toBe(200)
      expect(answer.text).toContain(ann)
      expect(answer.headers.get('cache-control')).toContain('no-store')
      for (const words of page.hidden) expect(answer.text).not.toContain(words)
      expectLocked(await scanner.read(page.path), page)
    }
    await send(link)
    await send(link, { method: 'HEAD' })
    expectLocked(await who.read(page.path), page)
    const done = await who.submit(await who.open(link))
    expect([done.status, done.headers.get('location')]).toEqual([303, page.path])
    expectContent(await who.read(page.path), page)
  },
)

own('the POST of a mailed link works once', async () => {
  const { page, who, link } = await requestLink()
  const thief = person()
  const late = await thief.open(link)
  await who.submit(await who.open(link))
  expect((await thief.submit(late)).status).toBe(410)
  expect((await who.open(link)).status).toBe(410)
  expect((await thief.open(link)).text).toContain('This link is closed')
  expectLocked(await thief.read(page.path), page)
  expectContent(await who.read(page.path), page)
})

own('of concurrent POSTs of a mailed link one succeeds', async () => {
  const { link, page } = await requestLink()
  const people = Array.from({ length: 8 }, () => person())
  const responses = await Promise.all(people.map((who) => who.open(link)))
  const answers = await Promise.all(people.map((who, i) => who.submit(responses[i]!)))
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 410)).toHaveLength(7)
  const opened = await Promise.all(people.map((who) => who.read(page.path)))
  expect(opened.filter(({ status }) => status === 200)).toHaveLength(1)
})

own('a POST from another site does not use up a mailed link', async () => {
  const { page, who, link } = await requestLink()
  const answer = await who.open(link)
  const { fields } = formTo(answer, link)
  expect((await who.post(link, {})).status).toBe(403)
  expect((await who.post(link, { ...fields }, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await who.post(link, { ...fields }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await person().post(link, { ...fields })).status).toBe(403)
  expect((await send(link, { method: 'POST' })).status).toBeGreaterThanOrEqual(400)
  expectLocked(await who.read(page.path), page)
  expect((await who.submit(answer)).status).toBe(303)
})

own('the code works once, in the browser that requested it and in no other', async () => {
  const { ann, page, who, shown, code, link } = await requestLink()
  const thief = person()
  const theirs = await submitEmail(thief, page, newEmail('thief'))
  expect((await thief.submit(theirs, { code })).status).toBe(403)
  expect((await thief.submit(shown, { code })).status).toBe(403)
  expectLocked(await thief.read(page.path), page)
  const done = await who.submit(shown, { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` })
  expect([done.status, done.headers.get('location')]).toEqual([303, page.path])
  expectContent(await who.read(page.path), page)
  expect((await person().open(link)).status, 'the link is used with its code').toBe(410)
  expect(sharedOutbox().sentTo(ann)).toHaveLength(1)
})

own('a code allows five tries', async () => {
  const { page, who, shown, code } = await requestLink()
  for (let i = 0; i < 5; i += 1) {
    const refused = await who.submit(shown, { code: wrong(code) })
    expect(refused.status).toBe(403)
    expect(refused.text).toMatch(/role="alert"/)
    for (const words of page.hidden) expect(refused.text).not.toContain(words)
  }
  expect((await who.submit(shown, { code })).status).toBe(403)
  expectLocked(await who.read(page.path), page)
})

own('a code for one page does not open another', async () => {
  const ann = newEmail()
  const by = await owner()
  const one = await publishGated(by, { access: 'people', allowed_emails: [ann] })
  const two = await publishGated(by, { access: 'people', allowed_emails: [newEmail('bob')] })
  const who = person()
  await submitEmail(who, one, ann)
  const { code } = await sharedOutbox().last(ann)
  const other = await submitEmail(who, two, ann)
  expect((await who.submit(other, { code: code! })).status).toBe(403)
  expectLocked(await who.read(two.path), two)
})

own('a token that is truncated, altered or made up gets the same notice', async () => {
  const { link, who } = await requestLink()
  const token = link.split('/').at(-1)!
  const flipped = (at: number) =>
    token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
  const made = [
    token.slice(0, -1),
    `${token}A`,
    token.toLowerCase() === token ? token.toUpperCase() : token.toLowerCase(),
    'A'.repeat(43),
    'x',
    '%00',
    '..%2f..',
    `${token}%0d%0aset-cookie:a=b`,
    ...[0, 7, 21, 41].map(flipped),
  ]
  const bodies = new Set<string>()
  await everyCase(
    made.map((text) => [text, text] as const),
    async (text) => {
      const answer = await who.open(`/app/confirm/${text}`)
      expect(answer.status).toBe(410)
      bodies.add(answer.text.replace(/nonce="[^"]*"|nonce-[\w+/=-]*/g, ''))
    },
  )
  expect(bodies.size).toBe(1)
  expect((await who.open(link)).status, 'and the true one is still good').toBe(200)
})

own('signing in answers the same with and without an account', async () => {
  const by = await owner()
  const nobody = newEmail('nobody')
  const before = sharedOutbox().sentTo(by.email).length
  const who = person()
  const answer = await who.submit(await who.open('/app/sign-in'), { email: by.email })
  const unknown = await who.submit(await who.open('/app/sign-in'), { email: nobody })
  expect([answer.status, unknown.status]).toEqual([200, 200])
  const plain = (text: string) => text.replace(/nonce="[^"]*"|nonce-[\w+/=-]*/g, '')
  expect(plain(unknown.text).replaceAll(nobody, by.email)).toBe(plain(answer.text))
  const [mail] = await sharedOutbox().all(nobody, 1)
  expect(mail!.subject).toContain('No account')
  expect(mail!.code).toBeUndefined()
  expect(mail!.text).not.toContain('/app/confirm/')
  expect((await sharedOutbox().last(by.email, before + 1)).links[0]).toContain('/app/confirm/')
})

own('a mailed link for a page does not sign in to the app', async () => {
  const by = await owner()
  const page: Gated = await publishGated(by, { access: 'people', allowed_emails: [by.email] })
  const before = sharedOutbox().sentTo(by.email).length
  const who = person()
  await submitEmail(who, page, by.email)
  const { links, code } = await sharedOutbox().last(by.email, before + 1)
  const signIn = await who.submit(await who.open('/app/sign-in'), { email: newEmail() })
  const typed = await who.submit(signIn, { code: code! })
  expect(typed.status).toBe(400)
  await who.submit(await who.open(pathIn(links[0]!)))
  expectContent(await who.read(page.path), page)
  expect((await who.open('/app')).headers.get('location')).toBe('/app/sign-in')
  const secret = await publishGated(by, { access: 'private', title: word('secret') })
  expectLocked(await who.read(secret.path), secret)
})
