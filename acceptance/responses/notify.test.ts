import { expect } from 'bun:test'
import { sharedOutbox } from '../gates/mail.ts'
import { person } from '../gates/person.ts'
import { own, owner, pathIn, waitForMails } from '../gates/setup.ts'
import { word } from '../material.ts'
import { FORM, viewer } from './viewer.ts'

/** A page of the shared owner that collects responses, and the mails about it. */
async function collecting(settings: object = {}) {
  const by = await owner()
  const title = word('survey')
  const page = await by.publish({ html: FORM, title, notify_on_response: true, ...settings })
  const mails = async () => {
    await waitForMails()
    return sharedOutbox()
      .sentTo(by.email)
      .filter(({ subject }) => subject.includes(title))
  }
  return { by, page, title, mails }
}

own('notify_on_response: the owner is mailed each response, and none of its words', async () => {
  const { page, title, mails } = await collecting()
  const someone = viewer()
  const secret = word('secret')
  await someone.respond(page, { remarks: secret })
  expect(await mails()).toHaveLength(1)
  await someone.respond(page, { remarks: secret })
  const [first, second] = await mails()
  expect(first!.text).toContain(title)
  expect(first!.text).toContain(page.url)
  expect(second!.text).not.toBe(first!.text)
  for (const { text, subject } of await mails()) expect(text + subject).not.toContain(secret)
})

own(
  'notify_on_response: what is refused sends no mail, nor does a page that wants none',
  async () => {
    const { page, mails } = await collecting()
    const silent = await collecting({ notify_on_response: false })
    await viewer().submit(page, '[]')
    await viewer().submit(page, { a: 1 }, { trap: 'x' })
    await viewer().respond(silent.page, { a: 1 })
    expect([...(await mails()), ...(await silent.mails())]).toEqual([])
  },
)

own(
  'notify_on_response: the link in the mail ends these mails, and those of views go on',
  async () => {
    const { by, page, mails } = await collecting()
    await viewer().respond(page, { a: 1 })
    const [mail] = await mails()
    const path = pathIn(mail!.headers.get('list-unsubscribe')!.slice(1, -1))
    const who = person()
    await by.update(page.id, { notify_on_view: true })
    await who.open(path)
    expect((await by.page(page.id)).notify_on_response, 'looking stops nothing').toBe(true)
    expect((await who.post(path, {})).status).toBe(200)
    expect(await by.page(page.id)).toMatchObject({
      notify_on_response: false,
      notify_on_view: true,
    })
  },
)
