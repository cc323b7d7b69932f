import { expect } from 'bun:test'
import { everyCase } from '../expect.ts'
import { word } from '../material.ts'
import { FORM, viewer } from '../responses/viewer.ts'
import { sharedOutbox } from './mail.ts'
import { person } from './person.ts'
import {
  confirmEmail,
  expectContent,
  expectLocked,
  newEmail,
  newOwner,
  own,
  owner,
  pathIn,
  publishGated,
  submitEmail,
  waitForMails,
} from './setup.ts'

own('email_gate: any confirmed address opens the page', async () => {
  const page = await publishGated(await owner(), { access: 'email_gate', allowed_domains: [] })
  const who = person()
  expectLocked(await who.open(page.path), page)
  const gate = await submitEmail(who, page, newEmail('unconfirmed'))
  expect(gate.status).toBe(200)
  for (const words of page.hidden) expect(gate.text).not.toContain(words)
  expectLocked(await who.read(page.path), page)
  const done = await confirmEmail(who, page, newEmail())
  expect([done.status, done.headers.get('location')]).toEqual([303, page.path])
  expectContent(await who.read(page.path), page)
  expectLocked(await person().read(page.path), page)
})

own('business_only: addresses of every known personal mail provider are refused', async () => {
  const page = await publishGated(await owner(), { access: 'email_gate', business_only: true })
  const name = word('ann')
  const personal = [
    ...['gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'live.com', 'yahoo.com'],
    ...['icloud.com', 'me.com', 'aol.com', 'proton.me', 'protonmail.com', 'gmx.de', 'web.de'],
    ...['mail.ru', 'yandex.ru', 'qq.com', '163.com', 'GMAIL.COM', 'hey.com', 'fastmail.com'],
  ]
  const who = person()
  await everyCase(
    personal.map((domain) => [domain, domain] as const),
    async (domain) => {
      const refused = await submitEmail(who, page, `${name}@${domain}`)
      expectLocked(refused, page)
      expect(refused.text).toMatch(/role="alert"[^>]*>[^<]*work address/)
    },
  )
  await waitForMails()
  for (const domain of personal) expect(sharedOutbox().sentTo(`${name}@${domain}`)).toEqual([])
  await confirmEmail(who, page, `${name}@acme-tools.example`)
  expectContent(await who.read(page.path), page)
})

own('business_only: a personal address confirmed elsewhere does not open the page', async () => {
  const by = await owner()
  const open = await publishGated(by, { access: 'email_gate' })
  const page = await publishGated(by, { access: 'email_gate', business_only: true })
  const who = person()
  await confirmEmail(who, open, `${word('ann')}@gmail.com`)
  expectContent(await who.read(open.path), open)
  const gate = await who.open(page.path)
  expectLocked(gate, page)
  expect(gate.text).toContain('This address may not open the page')
})

own('allowed_domains: addresses of these domains open the page, others are refused', async () => {
  const settings = { access: 'email_gate', allowed_domains: ['acme.example', 'bücher.example'] }
  const page = await publishGated(await owner(), settings, [
    'acme.example',
    'xn--bcher-kva.example',
  ])
  const who = person()
  const name = word('ann')
  const outside = ['other.example', 'sub.acme.example', 'notacme.example', 'acme.example.evil.test']
  await everyCase(
    outside.map((domain) => [domain, domain] as const),
    async (domain) => {
      const refused = await submitEmail(who, page, `${name}@${domain}`)
      expect(refused.status).toBe(403)
      expect(refused.text).toMatch(/role="alert"/)
      for (const words of page.hidden.slice(0, 2)) expect(refused.text).not.toContain(words)
    },
  )
  await waitForMails()
  for (const domain of outside) expect(sharedOutbox().sentTo(`${name}@${domain}`)).toEqual([])
  await confirmEmail(who, page, `${name}@acme.example`)
  expectContent(await who.read(page.path), page)
  const other = person()
  await submitEmail(other, page, `${name}@BÜCHER.example`)
  const mail = await sharedOutbox().last(`${name}@xn--bcher-kva.example`)
  await other.submit(await other.open(new URL(mail.links[0]!).pathname))
  expectContent(await other.read(page.path), page)
})

own('allowed_domains together with business_only: an address must satisfy both', async () => {
  const settings = {
    access: 'email_gate',
    allowed_domains: ['gmail.com', 'acme.example'],
    business_only: true,
  }
  const page = await publishGated(await owner(), settings)
  const who = person()
  expectLocked(await submitEmail(who, page, `${word('ann')}@gmail.com`), page)
  await confirmEmail(who, page, `${word('ann')}@acme.example`)
  expectContent(await who.read(page.path), page)
})

own('og_title may show at the gate and in its mail; the page’s own title never does', async () => {
  const ogTitle = word('For partners')
  const page = await publishGated(await owner(), { access: 'email_gate', og_title: ogTitle })
  const ann = newEmail()
  const who = person()
  const gate = await who.open(page.path)
  expectLocked(gate, page)
  expect(gate.text).toContain(ogTitle)
  await submitEmail(who, page, ann)
  const mail = await sharedOutbox().last(ann)
  expect(mail.subject).toContain(ogTitle)
  for (const words of page.hidden) expect(mail.subject + mail.text).not.toContain(words)
})

own('an international address is accepted, shown as typed, and compared in one form', async () => {
  const name = word('jürgen')
  const typed = `${name}@Bücher.example`
  const page = await publishGated(await owner(), { access: 'people', allowed_emails: [typed] })
  expect(page.page.allowed_emails).toEqual([`${name}@bücher.example`])
  expect(page.page.people).toEqual([{ email: `${name}@bücher.example`, role: 'view' }])
  const who = person()
  const answer = await submitEmail(
    who,
    page,
    `${name.normalize('NFD').toUpperCase()}@xn--bcher-kva.example`,
  )
  expect(answer.text).toContain(`If ${name}@bücher.example may open this page`)
  expect(answer.text).not.toContain('xn--')
  const mail = await sharedOutbox().last(`${name}@bücher.example`)
  await who.submit(await who.open(pathIn(mail.links[0]!)))
  expectContent(await who.read(page.path), page)
})

own(
  'an international address is shown as typed to the owner: in responses, CSV and mails',
  async () => {
    const typed = `${word('jürgen')}@Bücher.example`
    const text = typed.replace('B', 'b')
    const by = await newOwner()
    const settings = { access: 'email_gate', notify_on_response: true }
    const page = await by.publish({ html: FORM, ...settings })
    const who = person()
    await submitEmail(who, { page, path: `/p/${page.slug}`, content: '', hidden: [] }, typed)
    const confirm = await sharedOutbox().last(text)
    await who.submit(await who.open(pathIn(confirm.links[0]!)))
    await viewer(who).respond(page, { remarks: 'hello' })
    const answer = await by.call('GET', `/pages/${page.id}/responses`)
    expect(answer.text).toContain(`"respondent":"${text}"`)
    expect(answer.text).not.toContain('xn--')
    const csv = await by.call('GET', `/pages/${page.id}/responses?format=csv`)
    expect(csv.text).toContain(text)
    expect(csv.text).not.toContain('xn--')
    const mail = await sharedOutbox().last(by.email)
    expect(mail.subject).toStartWith(`${text} `)
  },
)

own('an address with % or ! is refused, with a clear word', async () => {
  const page = await publishGated(await owner(), { access: 'email_gate' })
  for (const email of ['ann%evil.example@example.com', 'evil.example!ann@example.com']) {
    const refused = await submitEmail(person(), page, email)
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('Give an email address, such as ann@example.com.'),
    ])
  }
})

own(
  'the fragment of the link goes through the mail, and nothing else does in its place',
  async () => {
    for (const [fragment, kept] of [
      ['#~comments/cmt_1', '#~comments/cmt_1'],
      ['#part%202', '#part%202'],
      ['?a=b#c', '?a=b#c'],
      ['', ''],
      ['//evil.example/', ''],
      ['#a\r\nset-cookie: b=c', ''],
      ['#<script>', ''],
      [`#${'x'.repeat(1001)}`, ''],
    ] as const) {
      const page = await publishGated(await owner(), { access: 'email_gate' })
      const [who, email] = [person(), newEmail()]
      await who.submit(await who.open(page.path), { email, fragment })
      const { links } = await sharedOutbox().last(email)
      const done = await who.submit(await who.open(pathIn(links[0]!)))
      expect([done.status, done.headers.get('location')]).toEqual([303, page.path + kept])
    }
  },
)
