import { expect } from 'bun:test'
import { dataOf, type Page } from '../client.ts'
import { sharedOutbox } from './mail.ts'
import { person } from './person.ts'
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
  submitEmail,
  waitForMails,
} from './setup.ts'

own('an invitee confirms the address by mail, and the page opens in that browser', async () => {
  const [ann, bob] = [newEmail('ann'), newEmail('bob')]
  const page = await publishGated(await owner(), { access: 'people', allowed_emails: [ann, bob] }, [
    ann,
    bob,
  ])
  const who = person()
  const gate = await who.open(page.path)
  expectLocked(gate, page)
  expect(gate.text).toMatch(/<label[^>]*>Email\s*<input[^>]*type="email"/)
  const done = await confirmEmail(who, page, ann)
  expect([done.status, done.headers.get('location')]).toEqual([303, page.path])
  expectContent(await who.read(page.path), page)
  expect((await who.open(page.path)).status).toBe(200)
  expectLocked(await person().read(page.path), page)
  const [mail] = await sharedOutbox().all(ann, 1)
  expect(mail!.subject).toContain('Confirm your email')
  for (const words of [page.content, bob]) {
    expect(mail!.text + mail!.subject).not.toContain(words)
  }
})

own('the mail to an invitee names the owner and the page', async () => {
  const [by, ann] = [await owner(), newEmail()]
  const page = await publishGated(by, { access: 'people', allowed_emails: [ann] })
  await submitEmail(person(), page, ann)
  const { subject, text } = await sharedOutbox().last(ann)
  expect(subject).toContain(`“${page.page.title}”`)
  expect(text).toContain(`${by.email} invites you to open “${page.page.title}”.`)
})

own('the mail of an email gate names neither the owner nor the page', async () => {
  const [by, ann] = [await owner(), newEmail()]
  const page = await publishGated(by, { access: 'email_gate' })
  await submitEmail(person(), page, ann)
  const { subject, text } = await sharedOutbox().last(ann)
  for (const words of [by.email, ...page.hidden]) expect(subject + text).not.toContain(words)
})

own('the gate speaks of “if” only where it hides who is invited', async () => {
  const ann = newEmail()
  const people = await publishGated(await owner(), { access: 'people', allowed_emails: [ann] })
  const anybody = await publishGated(await owner(), { access: 'email_gate' })
  const hidden = await submitEmail(person(), people, ann)
  expect(hidden.text).toContain(`If ${ann} may open this page, a mail with a link and a code waits`)
  const open = await submitEmail(person(), anybody, ann)
  expect(open.text).toContain('A mail with a link and a code waits for whoever runs this server')
})

own('one confirmation opens every page that the address has access to, and no other', async () => {
  const by = await owner()
  const ann = newEmail()
  const first = await publishGated(by, { access: 'people', allowed_emails: [ann] })
  const second = await publishGated(await otherOwner(), { access: 'people', allowed_emails: [ann] })
  const open = await publishGated(by, { access: 'email_gate' })
  const closed = await publishGated(by, { access: 'people', allowed_emails: [newEmail('bob')] })
  const nobodys = await publishGated(by, { access: 'private' })
  const locked = await publishGated(by, { access: 'password', password: 'abcd efgh' })
  const who = person()
  await confirmEmail(who, first, ann)
  for (const page of [first, second, open]) expectContent(await who.read(page.path), page)
  for (const page of [closed, nobodys, locked]) expectLocked(await who.read(page.path), page)
  expect(sharedOutbox().sentTo(ann)).toHaveLength(1)
})

own('an address matches in upper and lower case', async () => {
  const ann = newEmail('mixed')
  const page = await publishGated(await owner(), {
    access: 'people',
    allowed_emails: [ann.toUpperCase()],
  })
  const who = person()
  const gate = await submitEmail(who, page, ` ${ann.replace('mixed', 'MiXeD')} `)
  expect(gate.status).toBe(200)
  const mail = await sharedOutbox().last(ann)
  await who.submit(await who.open(pathIn(mail.links[0]!)))
  expectContent(await who.read(page.path), page)
})

own(
  'an address that is not invited gets the same response, but no mail and no access',
  async () => {
    const [ann, eve] = [newEmail('ann'), newEmail('eve')]
    const page = await publishGated(await owner(), { access: 'people', allowed_emails: [ann] }, [
      ann,
    ])
    const who = person()
    const invited = await submitEmail(who, page, ann)
    const stranger = await submitEmail(who, page, eve)
    expect(stranger.status).toBe(invited.status)
    expect(stranger.text.replaceAll(eve, ann)).toBe(invited.text)
    const names = ({ headers }: typeof invited) => [...headers.keys()].filter((n) => n !== 'date')
    expect(names(stranger)).toEqual(names(invited))
    for (const words of page.hidden) expect(stranger.text).not.toContain(words)
    await sharedOutbox().all(ann, 1)
    await waitForMails()
    expect(sharedOutbox().sentTo(eve)).toHaveLength(0)
    expectLocked(await who.read(page.path), page)
  },
)

own('a confirmed address that is not invited is asked for another one', async () => {
  const by = await owner()
  const [ann, eve] = [newEmail('ann'), newEmail('eve')]
  const page = await publishGated(by, { access: 'people', allowed_emails: [ann] }, [ann])
  const open = await publishGated(by, { access: 'email_gate' })
  const who = person()
  await confirmEmail(who, open, eve)
  const gate = await who.open(page.path)
  expectLocked(gate, page)
  expect(gate.text).toContain('This address may not open the page')
  await confirmEmail(who, page, ann)
  expectContent(await who.read(page.path), page)
  expectContent(await who.read(open.path), open)
})

own('require_signin: needs an account with the address, a confirmation is not enough', async () => {
  const invitee = await otherOwner()
  const settings = { access: 'people', allowed_emails: [invitee.email], require_signin: true }
  const page = await publishGated(await owner(), settings, [invitee.email])
  const open = await publishGated(await owner(), { access: 'email_gate' })
  const who = person()
  await confirmEmail(who, open, invitee.email)
  expectContent(await who.read(open.path), open)
  const gate = await who.open(page.path)
  expectLocked(gate, page)
  expect(gate.text).not.toContain('name="email"')
  const link = /href="(\/app\/sign-in[^"]*)"/.exec(gate.text)![1]!
  const before = sharedOutbox().sentTo(invitee.email).length
  await who.submit(await who.open(link), { email: invitee.email })
  const mail = await sharedOutbox().last(invitee.email, before + 1)
  const done = await who.submit(await who.open(pathIn(mail.links[0]!)))
  expect([done.status, done.headers.get('location')]).toEqual([303, page.path])
  expectContent(await who.read(page.path), page)
})

own('require_signin: an invited address without an account signs in as a guest', async () => {
  const ann = newEmail()
  const settings = { access: 'people', allowed_emails: [ann], require_signin: true }
  const page = await publishGated(await owner(), settings, [ann])
  const who = await signedIn(ann)
  expectContent(await who.read(page.path), page)
  expect((await who.open('/app')).text).toContain('"is_guest":true')
})

own('an address that is not invited gets no guest account', async () => {
  const settings = { access: 'people', allowed_emails: [newEmail()], require_signin: true }
  await publishGated(await owner(), settings)
  const eve = newEmail('eve')
  const who = person()
  await who.submit(await who.open('/app/sign-in'), { email: eve })
  expect((await sharedOutbox().last(eve)).subject).toContain('No account')
})

own('require_signin: an account whose address is not invited has no access', async () => {
  const [invitee, other] = [newEmail(), await otherOwner()]
  const settings = { access: 'people', allowed_emails: [invitee], require_signin: true }
  const page = await publishGated(await owner(), settings, [invitee])
  const who = person()
  await confirmEmail(who, await publishGated(await owner(), { access: 'email_gate' }), invitee)
  await signedIn(other.email, who)
  expectLocked(await who.read(page.path), page)
})

own('only the owner can see who is invited', async () => {
  const by = await owner()
  const ann = newEmail()
  const page = await publishGated(by, { access: 'people', allowed_emails: [ann] })
  const stored = dataOf<Page>(await by.call('GET', `/pages/${page.page.id}`))
  expect(stored.people).toEqual([{ email: ann, role: 'view' }])
  const who = person()
  await confirmEmail(who, page, ann)
  expect((await who.open(page.path)).text).not.toContain(ann)
})
