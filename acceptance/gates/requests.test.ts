import { expect } from 'bun:test'
import { dataOf, type Page } from '../client.ts'
import { expectRefusal } from '../expect.ts'
import { sharedOutbox } from './mail.ts'
import { formsIn, formTo, type Person, person } from './person.ts'
import {
  confirmEmail,
  expectContent,
  expectLocked,
  type Gated,
  type MailedOwner,
  newEmail,
  otherOwner,
  own,
  owner,
  pathIn,
  publishGated,
  waitForMails,
} from './setup.ts'

interface AccessRequest {
  id: string
  email: string
  decision: string | null
}

async function ask(who: Person, page: Gated, email: string) {
  const { action, fields } = formTo(await who.open(page.path), '/request')
  return who.post(action, { ...fields, email })
}
async function requestsOf(by: MailedOwner, { page }: Gated): Promise<AccessRequest[]> {
  return dataOf<AccessRequest[]>(await by.call('GET', `/pages/${page.id}/access-requests`))
}
/** The owner's mail about an access request. */
async function mailAbout(by: MailedOwner, email: string) {
  await waitForMails()
  const mails = sharedOutbox()
    .sentTo(by.email)
    .filter(({ subject }) => subject.includes(email))
  expect(mails).toHaveLength(1)
  return mails[0]!
}
const taking = { access: 'people', allow_access_requests: true }

own(
  'an access request mails the owner, whose approval from the mail mails the viewer',
  async () => {
    const by = await owner()
    const [ann, bob] = [newEmail('ann'), newEmail('bob')]
    const page = await publishGated(by, { ...taking, allowed_emails: [bob] }, [bob, by.email])
    const who = person()
    expectLocked(await who.open(page.path), page)
    const sent = await ask(who, page, ann)
    expect(sent.status).toBe(200)
    for (const words of page.hidden) expect(sent.text).not.toContain(words)
    const mail = await mailAbout(by, ann)
    const [item] = await requestsOf(by, page)
    expect(mail.links).toHaveLength(3)
    expect(mail.text.split(/\r?\n/)).toContain('Deny the request:')
    expect(mail.links[2]).toEndWith(`/app/inbox?item=${item!.id}`)
    expect(mail.text).toMatch(/They asked on \w+ \d+ \w+ \d{4} at \d\d:\d\d UTC\./)
    expect(sharedOutbox().sentTo(ann)).toHaveLength(0)
    const manager = person()
    const answer = await manager.open(pathIn(mail.links[1]!))
    expect(answer.status).toBe(200)
    expect(answer.text).toContain(ann)
    const links = await Promise.all(mail.links.map((link) => manager.open(pathIn(link))))
    const approve = links.find(({ text }) => text.includes('Approve the request'))!
    expect((await by.page(page.page.id)).allowed_emails, 'looking decides nothing').toEqual([bob])
    const done = await manager.submit(approve)
    expect(done.status).toBe(200)
    expect(done.text).toContain('Request approved')
    expect(done.text).toContain(`${ann} may open “${page.page.title}” now`)
    expect(done.text).toContain('href="/app"')
    expect((await by.page(page.page.id)).allowed_emails).toEqual([bob, ann])
    const [approved] = await sharedOutbox().all(ann, 1)
    expect(approved!.links).toContain(page.page.url)
    expect(approved!.text).toContain(
      `${by.email} has approved your request to open “${page.page.title}”`,
    )
    expect(approved!.text).not.toContain(page.content)
    expectLocked(await who.read(page.path), page)
    await confirmEmail(who, page, ann)
    expectContent(await who.read(page.path), page)
  },
)

own('a request denied from the mail gives no access, and the viewer gets no mail', async () => {
  const by = await owner()
  const ann = newEmail()
  const page = await publishGated(by, taking)
  const who = person()
  await ask(who, page, ann)
  const mail = await mailAbout(by, ann)
  const links = await Promise.all(mail.links.map((link) => person().open(pathIn(link))))
  const at = links.findIndex(({ text }) => text.includes('Deny the request'))
  const manager = person()
  await manager.submit(await manager.open(pathIn(mail.links[at]!)))
  expect(await requestsOf(by, page)).toMatchObject([{ email: ann, decision: 'deny' }])
  expect((await by.page(page.page.id)).allowed_emails).toEqual([])
  await waitForMails()
  expect(sharedOutbox().sentTo(ann)).toHaveLength(0)
  expectLocked(await who.read(page.path), page)
})

own(
  'a decision closes both links of the mail: an Approve after a Deny invites nobody',
  async () => {
    const by = await owner()
    const ann = newEmail()
    const page = await publishGated(by, taking)
    await ask(person(), page, ann)
    const { links } = await mailAbout(by, ann)
    const manager = person()
    const answers = [await manager.open(pathIn(links[0]!)), await manager.open(pathIn(links[1]!))]
    const [approve, deny] = ['Approve the request', 'Deny the request'].map(
      (words) => answers.find(({ text }) => text.includes(words))!,
    )
    const denied = await manager.submit(deny!)
    expect([denied.status, denied.text]).toEqual([200, expect.stringContaining('Request denied')])
    expect((await manager.submit(approve!)).status).toBe(410)
    expect((await manager.open(pathIn(links[0]!))).status).toBe(410)
    expect((await by.page(page.page.id)).allowed_emails).toEqual([])
    expect(await requestsOf(by, page)).toMatchObject([{ email: ann, decision: 'deny' }])
  },
)

own('a decision over the API closes the links of the mail', async () => {
  const by = await owner()
  const ann = newEmail()
  const page = await publishGated(by, taking)
  await ask(person(), page, ann)
  const { links } = await mailAbout(by, ann)
  const [request] = await requestsOf(by, page)
  const at = `/pages/${page.page.id}/access-requests/${request!.id}`
  await by.call('POST', at, { decision: 'deny' })
  for (const link of links.slice(0, 2)) {
    expect((await person().open(pathIn(link))).status).toBe(410)
  }
})

own('the API lists, approves and denies requests, for the owner alone', async () => {
  const by = await owner()
  const [ann, eve] = [newEmail('ann'), newEmail('eve')]
  const page = await publishGated(by, taking)
  await ask(person(), page, ann)
  await ask(person(), page, eve)
  const requests = await requestsOf(by, page)
  expect(requests.map(({ email }) => email).sort()).toEqual([ann, eve].sort())
  const idOf = (email: string) => requests.find((one) => one.email === email)!.id
  const at = (email: string) => `/pages/${page.page.id}/access-requests/${idOf(email)}`
  const other = await otherOwner()
  const approve = { decision: 'approve' }
  expectRefusal(await other.call('GET', `/pages/${page.page.id}/access-requests`), 404)
  expectRefusal(await other.call('POST', at(ann), approve), 404)
  expectRefusal(await by.call('POST', at(ann), { decision: 'maybe' }), 400)
  dataOf<AccessRequest>(await by.call('POST', at(ann), approve))
  dataOf<AccessRequest>(await by.call('POST', at(eve), { decision: 'deny' }))
  const { allowed_emails: allowedEmails, people } = await by.page(page.page.id)
  expect(allowedEmails).toEqual([ann])
  expect(people).toEqual([{ email: ann, role: 'view' }] satisfies Page['people'])
  await sharedOutbox().all(ann, 1)
  await waitForMails()
  expect(sharedOutbox().sentTo(eve)).toHaveLength(0)
})

own('a repeated request sends no second mail; one by an invitee reveals nothing', async () => {
  const by = await owner()
  const [ann, bob] = [newEmail('ann'), newEmail('bob')]
  const page = await publishGated(by, { ...taking, allowed_emails: [bob] })
  const first = await ask(person(), page, ann)
  const again = await ask(person(), page, ann)
  const invited = await ask(person(), page, bob)
  expect(again.text).toBe(first.text)
  expect(invited.text).toBe(first.text)
  await mailAbout(by, ann)
  const about = sharedOutbox().sentTo(by.email)
  expect(about.filter(({ subject }) => subject.includes(bob))).toHaveLength(0)
  expect(await requestsOf(by, page)).toHaveLength(1)
})

own('requests are neither offered nor accepted when the owner has turned them off', async () => {
  const by = await owner()
  const open = await publishGated(by, taking)
  const page = await publishGated(by, { access: 'people' })
  const who = person()
  const forms = formsIn(await who.open(page.path))
  expect(forms.filter(({ action }) => action.endsWith('/request'))).toHaveLength(0)
  const { fields } = formTo(await who.open(page.path), '/email')
  const email = newEmail()
  const forced = await who.post(`${page.path}/~/request`, { ...fields, email })
  expectLocked(forced, page)
  const foreign = formTo(await who.open(open.path), '/request')
  expectLocked(await who.post(`${page.path}/~/request`, { ...foreign.fields, email }), page)
  expect(await requestsOf(by, page)).toEqual([])
  for (const access of ['private', 'password', 'email_gate']) {
    await by.update(open.page.id, { access })
    const answer = await who.post(`${open.path}/~/request`, { ...foreign.fields, email })
    expectLocked(answer, open)
  }
  expect(await requestsOf(by, open)).toEqual([])
})

own('a request also works with require_signin', async () => {
  const by = await owner()
  const page = await publishGated(by, { ...taking, require_signin: true })
  const ann = newEmail()
  expect((await ask(person(), page, ann)).status).toBe(200)
  expect(await requestsOf(by, page)).toMatchObject([{ email: ann }])
})
