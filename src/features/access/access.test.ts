import { describe, expect, it } from 'bun:test'
import { MAX_INVITEES } from '../../model/page/index.ts'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { createAccess, OPEN_PAGE } from './index.ts'
import type { AccessRequestDeps } from './requests.ts'

const EMAIL = 'ann@example.com'
const ASKS_FOR_ACCESS = { access: 'people', allow_access_requests: true }

/** A page that one address asked to open, and the feature with its real dependencies. */
async function requested(app: TestApp, { deps = {}, allowedEmails = [] as string[] } = {}) {
  const owner = await app.owner()
  const settings = { ...ASKS_FOR_ACCESS, allowed_emails: allowedEmails }
  const { id } = await owner.publish('<title>Plan</title>x', settings)
  const page = (await app.pages.find(id))!
  const real: Omit<AccessRequestDeps, 'mailedLink'> = {
    database: app.database,
    clock: app.clock,
    confirmations: app.confirmations,
    sendMail: app.sendMail,
    baseUrl: 'http://handbill.test',
    host: 'handbill.test',
    throttles: app.throttles,
    ownerOf: async () => ({ email: owner.email, name: null }),
    findPage: app.pages.find,
    invite: app.pages.invite,
    recordEvent: app.events.record,
  }
  const access = createAccess({ ...real, ...deps })
  await app.access.requestAccess(page, EMAIL)
  const [request] = await access.requests(page)
  return { access, page, requestId: request!.id, mails: app.mails.length }
}

/** A page for one invitee, with the links and codes that its confirmations issued. */
async function watched(app: TestApp) {
  const owner = await app.owner()
  const { id } = await owner.publish('x', { access: 'people', allowed_emails: [EMAIL] })
  const inputs: { token: string; code: string }[] = []
  const start: AccessRequestDeps['confirmations']['start'] = async (tx, options) => {
    const started = await app.confirmations.start(tx, options)
    inputs.push(started)
    return started
  }
  const access = createAccess({
    database: app.database,
    clock: app.clock,
    confirmations: { ...app.confirmations, start },
    throttles: app.throttles,
    sendMail: app.sendMail,
    baseUrl: 'http://handbill.test',
    host: 'handbill.test',
    ownerOf: app.accounts.find,
    findPage: app.pages.find,
    invite: app.pages.invite,
    recordEvent: app.events.record,
  })
  return { access, given: inputs, page: (await app.pages.find(id))! }
}

async function stateOf(app: TestApp, pageId: string) {
  const page = (await app.pages.find(pageId))!
  const [request] = await app.access.requests(page)
  return { invited: page.settings.allowed_emails, decision: request!.decision }
}

for (const engine of ENGINES) {
  describe(`a confirmation of an address that is not invited on ${engine}`, () => {
    it('stores the same rows as for an invited one, but no code or link is right', async () => {
      await using app = await testApp(engine)
      const { page, access, given } = await watched(app)
      const rows: number[] = []
      for (const [email, right] of [
        [EMAIL, 'right'],
        ['eve@example.com', 'wrong'],
      ] as const) {
        await access.askToConfirm(page, email, `browser of ${email}`)
        rows.push((await app.rows('confirmations')).length, (await app.rows('outbox')).length)
        const { code, token } = given.at(-1)!
        expect((await app.confirmations.peek(token)) === null).toBe(right === 'wrong')
        const typed = { purpose: OPEN_PAGE, page_id: page.id, address: '192.0.2.1', code }
        const browser = `browser of ${email}`
        const tried = await app.confirmations.redeemCode({ ...typed, browser }, async () => null)
        expect(tried.outcome).toBe(right)
      }
      expect(rows).toEqual([1, 1, 2, 2])
      await app.mailbox.delivered()
      expect(app.mailbox.all().map(({ to }) => to)).toEqual([EMAIL])
    })
  })

  describe(`decisions about access requests on ${engine}`, () => {
    it('invite the address, are recorded and mailed when they approve', async () => {
      await using app = await testApp(engine)
      const { access, page, requestId } = await requested(app)
      const decided = await access.decide(page, requestId, 'approve')
      expect(decided).toMatchObject({ id: requestId, email: EMAIL, decision: 'approve' })
      expect(await stateOf(app, page.id)).toEqual({ invited: [EMAIL], decision: 'approve' })
      expect(app.mails.at(-1)!.to).toBe(EMAIL)
    })

    it('invite and mail nobody when they deny', async () => {
      await using app = await testApp(engine)
      const { access, page, requestId, mails } = await requested(app)
      await access.decide(page, requestId, 'deny')
      expect(await stateOf(app, page.id)).toEqual({ invited: [], decision: 'deny' })
      expect(app.mails).toHaveLength(mails)
    })

    it('leave no trace when the invitation fails', async () => {
      await using app = await testApp(engine)
      const invite = async () => {
        throw new Error('the invitation failed')
      }
      const { access, page, requestId } = await requested(app, { deps: { invite } })
      const outbox = await app.rows('outbox')
      const deciding = access.decide(page, requestId, 'approve')
      await expect(deciding).rejects.toThrow('the invitation failed')
      expect(await stateOf(app, page.id)).toEqual({ invited: [], decision: null })
      expect(await app.rows('outbox')).toEqual(outbox)
    })

    it('leave no trace when the mail cannot be put into the outbox', async () => {
      await using app = await testApp(engine)
      const sendMail = async () => {
        throw new Error('the outbox failed')
      }
      const { access, page, requestId } = await requested(app, { deps: { sendMail } })
      await expect(access.decide(page, requestId, 'approve')).rejects.toThrow('the outbox failed')
      expect(await stateOf(app, page.id)).toEqual({ invited: [], decision: null })
    })

    it('stay undecided when the page has all the invited addresses it can have', async () => {
      await using app = await testApp(engine)
      const allowedEmails = Array.from({ length: MAX_INVITEES }, (_, n) => `p${n}@example.com`)
      const { access, page, requestId, mails } = await requested(app, { allowedEmails })
      const refusal = await access.decide(page, requestId, 'approve').catch((err) => err)
      expect(refusal).toMatchObject({ kind: 'conflict', code: 'too_many_invitees' })
      expect(await stateOf(app, page.id)).toEqual({ invited: allowedEmails, decision: null })
      expect(app.mails).toHaveLength(mails)
    })

    it('are refused for a request that the page does not have', async () => {
      await using app = await testApp(engine)
      const { access, page, requestId } = await requested(app)
      const other = await requested(app)
      for (const [at, id] of [
        [page, 'ar_none'],
        [other.page, requestId],
      ] as const) {
        const refusal = await access.decide(at, id, 'approve').catch((err) => err)
        expect(refusal).toMatchObject({ kind: 'notFound', code: 'request_not_found' })
      }
      expect(await stateOf(app, other.page.id)).toEqual({ invited: [], decision: null })
    })
  })
}
