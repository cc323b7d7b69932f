import { expect } from 'bun:test'
import { dataOf, type Page } from '../client.ts'
import { sharedOutbox } from './mail.ts'
import { person } from './person.ts'
import {
  confirm,
  expectOpen,
  expectShut,
  gated,
  give,
  mailsAreOut,
  newEmail,
  own,
  owner,
  pathIn,
  signedIn,
  stranger,
} from './scene.ts'

own('an invitee confirms the address by mail, and the page opens in that browser', async () => {
  const [ann, bob] = [newEmail('ann'), newEmail('bob')]
  const page = await gated(await owner(), { access: 'people', allowed_emails: [ann, bob] }, [
    ann,
    bob,
  ])
  const who = person()
  const gate = await who.open(page.path)
  expectShut(gate, page)
  expect(gate.text).toMatch(/<label[^>]*>Email\s*<input[^>]*type="email"/)
  const done = await confirm(who, page, ann)
  expect([done.status, done.headers.get('location')]).toEqual([303, page.path])
  expectOpen(await who.read(page.path), page)
  expect((await who.open(page.path)).status).toBe(200)
  expectShut(await person().read(page.path), page)
  const [mail] = await sharedOutbox().all(ann, 1)
  expect(mail!.subject).toContain('Confirm your email')
  for (const words of [...page.hidden.slice(0, 2), bob]) {
    expect(mail!.text + mail!.subject).not.toContain(words)
  }
})

own('one confirmation opens every page that the address has access to, and no other', async () => {
  const by = await owner()
  const ann = newEmail()
  const first = await gated(by, { access: 'people', allowed_emails: [ann] })
  const second = await gated(await stranger(), { access: 'people', allowed_emails: [ann] })
  const gate = await gated(by, { access: 'email_gate' })
  const closed = await gated(by, { access: 'people', allowed_emails: [newEmail('bob')] })
  const nobodys = await gated(by, { access: 'private' })
  const locked = await gated(by, { access: 'password', password: 'abcd efgh' })
  const who = person()
  await confirm(who, first, ann)
  for (const page of [first, second, gate]) expectOpen(await who.read(page.path), page)
  for (const page of [closed, nobodys, locked]) expectShut(await who.read(page.path), page)
  expect(sharedOutbox().sentTo(ann)).toHaveLength(1)
})

own('an address matches in upper and lower case', async () => {
  const ann = newEmail('mixed')
  const page = await gated(await owner(), { access: 'people', allowed_emails: [ann.toUpperCase()] })
  const who = person()
  const asked = await give(who, page, ` ${ann.replace('mixed', 'MiXeD')} `)
  expect(asked.status).toBe(200)
  const mail = await sharedOutbox().last(ann)
  await who.submit(await who.open(pathIn(mail.links[0]!)))
  expectOpen(await who.read(page.path), page)
})

own(
  'an address that is not invited gets the same response, but no mail and no access',
  async () => {
    const [ann, eve] = [newEmail('ann'), newEmail('eve')]
    const page = await gated(await owner(), { access: 'people', allowed_emails: [ann] }, [ann])
    const who = person()
    const invited = await give(who, page, ann)
    const stranger = await give(who, page, eve)
    expect(stranger.status).toBe(invited.status)
    expect(stranger.text.replaceAll(eve, ann)).toBe(invited.text)
    const names = ({ headers }: typeof invited) => [...headers.keys()].filter((n) => n !== 'date')
    expect(names(stranger)).toEqual(names(invited))
    for (const words of page.hidden) expect(stranger.text).not.toContain(words)
    await sharedOutbox().all(ann, 1)
    await mailsAreOut()
    expect(sharedOutbox().sentTo(eve)).toHaveLength(0)
    expectShut(await who.read(page.path), page)
  },
)

own('a confirmed address that is not invited is asked for another one', async () => {
  const by = await owner()
  const [ann, eve] = [newEmail('ann'), newEmail('eve')]
  const page = await gated(by, { access: 'people', allowed_emails: [ann] }, [ann])
  const gate = await gated(by, { access: 'email_gate' })
  const who = person()
  await confirm(who, gate, eve)
  const asked = await who.open(page.path)
  expectShut(asked, page)
  expect(asked.text).toContain('This address may not open the page')
  await confirm(who, page, ann)
  expectOpen(await who.read(page.path), page)
  expectOpen(await who.read(gate.path), gate)
})

own('require_signin: needs an account with the address, a confirmation is not enough', async () => {
  const invitee = await stranger()
  const settings = { access: 'people', allowed_emails: [invitee.email], require_signin: true }
  const page = await gated(await owner(), settings, [invitee.email])
  const gate = await gated(await owner(), { access: 'email_gate' })
  const who = person()
  await confirm(who, gate, invitee.email)
  expectOpen(await who.read(gate.path), gate)
  const asked = await who.open(page.path)
  expectShut(asked, page)
  expect(asked.text).not.toContain('name="email"')
  const link = /href="(\/app\/sign-in[^"]*)"/.exec(asked.text)![1]!
  const before = sharedOutbox().sentTo(invitee.email).length
  await who.submit(await who.open(link), { email: invitee.email })
  const mail = await sharedOutbox().last(invitee.email, before + 1)
  const done = await who.submit(await who.open(pathIn(mail.links[0]!)))
  expect([done.status, done.headers.get('location')]).toEqual([303, page.path])
  expectOpen(await who.read(page.path), page)
})

own('require_signin: an account whose address is not invited has no access', async () => {
  const [invitee, other] = [newEmail(), await stranger()]
  const settings = { access: 'people', allowed_emails: [invitee], require_signin: true }
  const page = await gated(await owner(), settings, [invitee])
  const who = person()
  await confirm(who, await gated(await owner(), { access: 'email_gate' }), invitee)
  await signedIn(other.email, who)
  expectShut(await who.read(page.path), page)
})

own('only the owner can see who is invited', async () => {
  const by = await owner()
  const ann = newEmail()
  const page = await gated(by, { access: 'people', allowed_emails: [ann] })
  const known = dataOf<Page>(await by.call('GET', `/pages/${page.page.id}`))
  expect(known.people).toEqual([{ email: ann, role: 'view' }])
  const who = person()
  await confirm(who, page, ann)
  expect((await who.open(page.path)).text).not.toContain(ann)
})
