import { describe, expect, it } from 'bun:test'
import { DAY_MS, ENGINES, testApp } from '../../testing/app.ts'
import type { Invited } from './contract.ts'

for (const engine of ENGINES) {
  describe(`invitations on ${engine}`, () => {
    it('write the mails of many in several transactions, each to everybody once', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const emails = Array.from({ length: 120 }, (_, n) => `invited${n}@example.com`)
      const { id } = await owner.publish('<p>x', { access: 'people', allowed_emails: emails })
      const hold = app.holdWrite(2)
      const inviting = owner.ask<Invited>('POST', `/pages/${id}/invitations`, {})
      await hold.reached
      expect(app.mails.map(({ to }) => to)).toEqual(emails.slice(0, 25))
      hold.release()
      expect(await inviting).toEqual({
        mailed: emails,
        not_admitted: [],
        mailed_before: [],
        sends_mails: false,
      })
      expect(app.mails.map(({ to }) => to)).toEqual(emails)
    })

    it('mail an address about a page three times a day, and an account asks 30 times an hour', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const owner = await app.owner()
      const emails = ['ann@example.com', 'bob@example.com']
      const { id } = await owner.publish('<p>x', { access: 'people', allowed_emails: emails })
      const invite = (body = {}) => owner.ask<Invited>('POST', `/pages/${id}/invitations`, body)
      for (let time = 0; time < 3; time++) await invite({ emails: ['ann@example.com'] })
      expect(await invite()).toEqual({
        mailed: ['bob@example.com'],
        not_admitted: [],
        mailed_before: ['ann@example.com'],
        sends_mails: false,
      })
      expect(app.mails.map(({ to }) => to)).toEqual([
        ...['ann@example.com', 'ann@example.com', 'ann@example.com', 'bob@example.com'],
      ])
      app.advance(DAY_MS)
      expect((await invite()).mailed).toEqual(emails)
      for (let time = 1; time < 30; time++) await invite({ emails: [emails[0]] })
      const refused = await owner.refused('POST', `/pages/${id}/invitations`, {})
      expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited'])
    })
  })
}
