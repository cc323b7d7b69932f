import { expect } from 'bun:test'
import { becomes } from '../browser.ts'
import { sharedOutbox } from '../gates/mail.ts'
import { person } from '../gates/person.ts'
import { own, owner, pathIn, waitForMails } from '../gates/setup.ts'
import { word } from '../material.ts'
import { FORM, viewer } from './viewer.ts'

/** Publishes a page with a form, as the shared owner. `mails` reads the mails about it. */
async function publishForm(settings: object = {}) {
  const by = await owner()
  const title = word('survey')
  const page = await by.publish({ html: FORM, title, notify_on_response: true, ...settings })
  const sent = () =>
    sharedOutbox()
      .sentTo(by.email)
      .filter(({ subject }) => subject.includes(title))
  /** Waits for this many mails, and then for any that should not be there. */
  const mails = async (count: number) => {
    await becomes(() => sent().length >= count, true)
    await waitForMails()
    return sent()
  }
  return { by, page, title, mails }
}

own(
  'notify_on_response: the owner gets a mail for each response, without its content',
  async () => {
    const { page, title, mails } = await publishForm()
    const respondent = viewer()
    const secret = word('secret')
    await respondent.respond(page, { remarks: secret })
    expect(await mails(1)).toHaveLength(1)
    await respondent.respond(page, { remarks: secret })
    const [first, second] = await mails(2)
    expect(first!.text).toContain(title)
    expect(first!.text).toContain(page.url)
    expect(second!.text).not.toBe(first!.text)
    for (const { text, subject } of await mails(2)) expect(text + subject).not.toContain(secret)
  },
)

own(
  'notify_on_response: refused submissions and pages without the setting send no mail',
  async () => {
    const { page, mails } = await publishForm()
    const withoutSetting = await publishForm({ notify_on_response: false })
    await viewer().submit(page, '[]')
    await viewer().submit(page, { a: 1 }, { trap: 'x' })
    await viewer().respond(withoutSetting.page, { a: 1 })
    expect([...(await mails(0)), ...(await withoutSetting.mails(0))]).toEqual([])
  },
)

own(
  'notify_on_response: the link in the mail ends these mails, but not those of views',
  async () => {
    const { by, page, mails } = await publishForm()
    await viewer().respond(page, { a: 1 })
    const [mail] = await mails(1)
    const path = pathIn(mail!.headers.get('list-unsubscribe')!.slice(1, -1))
    const who = person()
    await by.update(page.id, { notify_on_view: true })
    await who.open(path)
    expect((await by.page(page.id)).notify_on_response, 'opening the link changes nothing').toBe(
      true,
    )
    expect((await who.post(path, {})).status).toBe(200)
    expect(await by.page(page.id)).toMatchObject({
      notify_on_response: false,
      notify_on_view: true,
    })
  },
)
