import { describe, expect, it } from 'bun:test'
import { ENGINES, MINUTE_MS, type TestApp, testApp } from '../../testing/app.ts'
import type { NewLinks } from '../links/contract.ts'

const [INVITED, APPROVER, LINKED] = ['ann@example.com', 'bob@example.com', 'cid@example.com']
const MAILING = { smtpUrl: 'smtp://mail.example.com' } as const
const ALL = [INVITED, APPROVER, LINKED]

/** A page whose mails wait: an invitation, a request to approve, a named link, a link to confirm. */
async function mailedPage(app: TestApp) {
  const owner = await app.owner()
  const page = await owner.publish('<p>x', {
    ...{ access: 'people', allowed_emails: ALL },
    ...{ collect_approvals: true, approver_emails: [APPROVER] },
  })
  const path = `/pages/${page.id}`
  await owner.call('POST', `${path}/invitations`, { emails: [INVITED] })
  await owner.call('POST', `${path}/approvals/requests`, {})
  const people = [{ label: 'Cid', email: LINKED }]
  const { links } = await owner.ask<NewLinks>('POST', `${path}/links/batch`, { people })
  await app.access.askToConfirm((await app.pages.find(page.id))!, INVITED, 'browser')
  const sentTo = async () => {
    const before = app.mailbox.all().length
    await app.mailbox.delivered()
    const sent = app.mailbox.all().slice(before)
    return sent.map(({ to }) => to).toSorted()
  }
  const waiting = async () => (await app.rows('outbox')).filter((row) => row.sent_at === null)
  return { owner, path, link: links[0]!, sentTo, waiting }
}

for (const engine of ENGINES) {
  describe(`mails that wait on ${engine}`, () => {
    it('are sent as long as their page is there for whom they are for', async () => {
      await using app = await testApp(engine, MAILING)
      const { sentTo, waiting } = await mailedPage(app)
      expect(await sentTo()).toEqual([INVITED, ...ALL])
      expect(await waiting()).toEqual([])
    })

    it('are not sent once the page is deleted', async () => {
      await using app = await testApp(engine, MAILING)
      const { owner, path, sentTo, waiting } = await mailedPage(app)
      await owner.call('DELETE', path)
      expect(await sentTo()).toEqual([])
      expect(await waiting()).toEqual([])
    })

    it('wait on while the page is offline, and are sent once it is back', async () => {
      await using app = await testApp(engine, MAILING)
      const { owner, path, sentTo, waiting } = await mailedPage(app)
      await owner.call('DELETE', `${path}/publish`)
      expect(await sentTo()).toEqual([])
      expect(new Set((await waiting()).map((row) => row.last_error))).toEqual(
        new Set(['the page is offline']),
      )
      await owner.call('POST', `${path}/publish`)
      app.advance(MINUTE_MS)
      expect(await sentTo()).toEqual([INVITED, ...ALL])
    })

    it('are not sent to somebody who was removed meanwhile, and are to all others', async () => {
      await using app = await testApp(engine, MAILING)
      const { owner, path, link, sentTo, waiting } = await mailedPage(app)
      await owner.call('PATCH', path, {
        ...{ allowed_emails: [APPROVER, LINKED], approver_emails: [LINKED] },
      })
      await owner.call('PATCH', `${path}/links/${link.id}`, { state: 'off' })
      expect(await sentTo()).toEqual([])
      expect(await waiting()).toEqual([])
    })

    it('reach an owner who approves a private page', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { id } = await owner.publish('<p>x', {
        ...{ access: 'private', collect_approvals: true, approver_emails: [owner.email] },
      })
      await owner.call('POST', `/pages/${id}/approvals/requests`, {})
      await app.mailbox.delivered()
      expect(app.mailbox.lastTo(owner.email)?.subject).toContain('asks for your approval')
    })
  })
}
