import { describe, expect, it } from 'bun:test'
import type { MailContent } from '../../../model/mail.ts'
import { ENGINES, HOUR_MS, MINUTE_MS, type TestApp, testApp } from '../../../testing/app.ts'
import { type Browser, createBrowser, formsIn } from '../../../testing/browser.ts'

const SINGLE_MAILS = 10

/** An owner whose page many people ask to open: ten mails, and a digest. */
async function manyRequests(app: TestApp, count: number) {
  const owner = await app.owner()
  const page = await owner.publish('<title>Plan</title>x', {
    access: 'people',
    allow_access_requests: true,
  })
  const stored = (await app.pages.find(page.id))!
  const emails = Array.from({ length: count }, (_, n) => `p${n}@example.com`)
  for (const email of emails) await app.access.requestAccess(stored, email)
  return { owner, page, emails }
}
async function digestTo(app: TestApp, email: string) {
  await app.mailbox.delivered()
  app.advance(HOUR_MS)
  await app.mailbox.delivered()
  return app.mailbox.all().filter(({ to }) => to === email)
}
/** The path of the link in the newest digest mail to an owner. */
function linkTo(app: TestApp, email: string): string {
  const isDigest = (mail: MailContent) => mail.heading === 'Many people ask for access'
  return new URL(app.mails.findLast((mail) => mail.to === email && isDigest(mail))!.button!.url)
    .pathname
}
/** Follows redirects, as a browser does. */
async function follow(browser: Browser, path: string): Promise<{ path: string; answer: Response }> {
  const answer = await browser.get(path)
  const location = answer.headers.get('location')
  return location === null ? { path, answer } : follow(browser, location)
}
/** Opens the link of the mail and presses its button. @returns the page with the requests */
async function pressed(browser: Browser, link: string): Promise<string> {
  const { answer } = await follow(browser, link)
  const { headers } = await browser.send(answer)
  expect(headers.get('location')).toBe(REVIEW)
  return (await browser.get(REVIEW)).text()
}
const REVIEW = '/app/requests'
const TO_SIGN_IN = '/app/sign-in?next=%2Fapp%2Frequests'

for (const engine of ENGINES) {
  describe(`many access requests on ${engine}`, () => {
    it('are ten mails an hour, and then one that lists them all', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const { owner, emails } = await manyRequests(app, SINGLE_MAILS + 4)
      const mails = await digestTo(app, owner.email)
      expect(mails).toHaveLength(SINGLE_MAILS + 1)
      const digest = mails.at(-1)!
      expect(digest.subject).toContain('14 people ask to open your pages')
      for (const email of emails) expect(digest.text).toContain(`${email} asks to open “Plan”.`)
    })

    it('are decided on the page that the link of that mail leads to', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const { owner, page } = await manyRequests(app, SINGLE_MAILS + 2)
      const browser = createBrowser(app)
      const output = await pressed(browser, linkTo(app, owner.email))
      const forms = formsIn(output)
      expect(forms).toHaveLength(2 * (SINGLE_MAILS + 2))
      expect(output).toContain('aria-label="Approve p11@example.com"')
      const [approve, deny] = [forms[0]!, forms[3]!]
      expect(approve.action).toBe(REVIEW)
      expect((await browser.post(REVIEW, approve.fields)).status).toBe(303)
      expect((await browser.post(REVIEW, deny.fields)).status).toBe(303)
      expect((await owner.page(page.id)).allowed_emails).toEqual(['p11@example.com'])
      expect(formsIn(await (await browser.get(REVIEW)).text())).toHaveLength(2 * SINGLE_MAILS)
    })

    it('are not decided for pages of another account, nor without the form', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const { owner, page } = await manyRequests(app, SINGLE_MAILS + 1)
      const theirs = await manyRequests(app, SINGLE_MAILS + 1)
      const browser = createBrowser(app)
      const content = await pressed(browser, linkTo(app, theirs.owner.email))
      const { fields } = formsIn(content)[0]!
      expect(content).not.toContain(page.id)
      const requests = await app.access.openRequests((await app.pages.find(page.id))!.account_id)
      const stolen = { ...fields, page_id: page.id, request_id: requests[0]!.id }
      expect((await browser.post(REVIEW, stolen)).status).toBe(410)
      const { token: _, ...unsigned } = fields
      expect((await browser.post(REVIEW, unsigned)).status).toBe(403)
      expect((await owner.page(page.id)).allowed_emails).toEqual([])
      expect((await theirs.owner.page(theirs.page.id)).allowed_emails).toEqual([])
    })
  })

  describe(`the link to many access requests on ${engine}`, () => {
    it('only shows a button when it is opened, by however many programs and however often', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const { owner, emails } = await manyRequests(app, SINGLE_MAILS + 1)
      const link = linkTo(app, owner.email)
      for (let n = 0; n < 3; n++) {
        const { path, answer } = await follow(createBrowser(app), link)
        const text = await answer.text()
        expect([answer.status, path.startsWith('/app/confirm/')]).toEqual([200, true])
        for (const email of emails) expect(text).not.toContain(email)
        await createBrowser(app).ask(link, { method: 'HEAD' })
        const scanner = createBrowser(app)
        await scanner.get(link)
        expect((await scanner.get(REVIEW)).headers.get('location')).toBe(TO_SIGN_IN)
      }
      expect(await pressed(createBrowser(app), link)).toContain(emails[0]!)
    })

    it('opens nothing to who reads it in a log or a history once it was used', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const { owner, page } = await manyRequests(app, SINGLE_MAILS + 1)
      const browser = createBrowser(app)
      const link = linkTo(app, owner.email)
      const before = await follow(browser, link)
      const { fields } = formsIn(await pressed(browser, link))[0]!
      const eve = createBrowser(app)
      expect((await follow(eve, link)).answer.status).toBe(410)
      const pressedAgain = formsIn(await before.answer.text())[0]!.fields
      expect((await eve.post(before.path, pressedAgain)).status).toBe(410)
      const answer = await eve.post(REVIEW, fields)
      expect(answer.headers.get('location')).toBe(TO_SIGN_IN)
      expect((await owner.page(page.id)).allowed_emails).toEqual([])
    })

    it('gives its browser half an hour, in a cookie that no script reads', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const { owner } = await manyRequests(app, SINGLE_MAILS + 1)
      const browser = createBrowser(app)
      const { answer } = await follow(browser, linkTo(app, owner.email))
      const lines = (await browser.send(answer)).headers.getSetCookie()
      const line = lines.find((each) => each.startsWith('handbill_review='))!
      expect(line).toMatch(/; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax$/)
      expect(line).not.toContain(linkTo(app, owner.email).split('/').at(-1)!)
      expect((await browser.get(REVIEW)).status).toBe(200)
      app.advance(31 * MINUTE_MS)
      expect((await browser.get(REVIEW)).headers.get('location')).toBe(TO_SIGN_IN)
    })

    it('works in the session of the owner, before and after its use, and in no other', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const { owner, emails } = await manyRequests(app, SINGLE_MAILS + 1)
      const stranger = await app.owner()
      const link = linkTo(app, owner.email)
      const sessionOf = async ({ email }: { email: string }) => {
        const account = (await app.accounts.findByEmail(email))!
        const token = await app.database.write((tx) => app.sessions.create(tx, account.id, null))
        const browser = createBrowser(app)
        browser.jar.set('handbill_session', token)
        return browser
      }
      const own = await sessionOf(owner)
      const other = await sessionOf(stranger)
      const shownTo = async (browser: Browser) => (await follow(browser, link)).answer.text()
      expect(await shownTo(own)).toContain(emails[0]!)
      expect(await shownTo(other)).not.toContain(emails[0]!)
      await pressed(createBrowser(app), link)
      const { fields } = formsIn(await shownTo(own))[0]!
      expect((await own.post(REVIEW, fields)).headers.get('location')).toBe(REVIEW)
      expect(await shownTo(other)).not.toContain('example.com')
    })
  })
}
