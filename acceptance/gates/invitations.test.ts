/** Invitations: the owner has invited people mailed their link. */
import { expect } from 'bun:test'
import { dataOf, other } from '../client.ts'
import { expectBadParam, expectRefusal } from '../expect.ts'
import { html, word } from '../material.ts'
import { sharedOutbox } from './mail.ts'
import { newEmail, newOwner, own, waitForMails } from './setup.ts'

interface Invited {
  readonly mailed: string[]
  readonly not_admitted: string[]
  readonly mailed_before: string[]
  readonly sends_mails: boolean
}

own(
  'invited people are mailed their link, naming owner and page, with the message as text',
  async () => {
    const by = await newOwner()
    const [ann, bob, title] = [newEmail('ann'), newEmail('bob'), word('title')]
    const page = await by.publish({
      html: html('x'),
      title,
      access: 'people',
      allowed_emails: [ann, bob],
    })
    const invite = (body: object) => by.call('POST', `/pages/${page.id}/invitations`, body)
    const message = 'Look at <b>this</b>\nbefore Friday'
    const answer = await invite({ emails: [ann], message })
    expect(dataOf<Invited>(answer, 202)).toEqual({
      mailed: [ann],
      not_admitted: [],
      mailed_before: [],
      sends_mails: false,
    })
    const { links, text, subject } = await sharedOutbox().last(ann)
    expect(links[0]).toContain('/app/confirm/')
    expect(links).toContain(page.url)
    for (const words of [by.email, title]) expect(subject + text).toContain(words)
    expect(text).toContain('Look at <b>this</b>')
    await waitForMails()
    expect(sharedOutbox().sentTo(bob)).toHaveLength(0)
    expect(dataOf<Invited>(await invite({}), 202).mailed).toEqual([ann, bob])
    await sharedOutbox().last(bob)
  },
)

own(
  'nobody who is not invited can be mailed, and nothing is sent for a page that is closed',
  async () => {
    const by = await newOwner()
    const [ann, stranger] = [newEmail('ann'), newEmail('stranger')]
    const settings = { access: 'people', allowed_emails: [ann] }
    const page = await by.publish({ html: html('x'), ...settings })
    const path = `/pages/${page.id}/invitations`
    expectBadParam(await by.call('POST', path, { emails: [ann, stranger] }), 'emails')
    expectBadParam(await by.call('POST', path, { emails: ['no address'] }), 'emails')
    expectBadParam(await by.call('POST', path, { message: 'x'.repeat(2001) }), 'message')
    expectRefusal(await other.call('POST', path, {}), 404, 'page_not_found')
    await by.update(page.id, { access: 'private' })
    const answer = dataOf<Invited>(await by.call('POST', path, {}), 202)
    expect(answer).toEqual({
      ...{ mailed: [], not_admitted: [ann], mailed_before: [] },
      sends_mails: false,
    })
    await by.unpublish(page.id)
    expectRefusal(await by.call('POST', path, {}), 409, 'nothing_published')
    const open = await by.publish({ html: html('x') })
    expectRefusal(await by.call('POST', `/pages/${open.id}/invitations`, {}), 409, 'nobody_invited')
    await waitForMails()
    for (const email of [ann, stranger]) expect(sharedOutbox().sentTo(email)).toHaveLength(0)
  },
)
