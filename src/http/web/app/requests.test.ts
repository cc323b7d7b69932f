import { describe, expect, it } from 'bun:test'
import { ENGINES, HOUR_MS, type TestApp, testApp } from '../../../testing/app.ts'
import { type Browser, createBrowser, formsIn } from '../../../testing/browser.ts'

const SINGLE_MAILS = 10

/** An owner whose page many people ask to open: ten mails, and a digest. */
async function manyRequests(app: TestApp, count: number) {
  const owner = await app.owner()
  const page = await owner.publish('<title>Plan</title>x', {
    access: 'people',
    allow_access_requests: true,
  })
  const found = (await app.pages.find(page.id))!
  const emails = Array.from({ length: count }, (_, n) => `p${n}@example.com`)
  for (const email of emails) await app.access.requestAccess(found, email)
  return { owner, page, emails }
}
async function digestTo(app: TestApp, email: string) {
  await app.mailbox.delivered()
  app.advance(HOUR_MS)
  await app.mailbox.delivered()
  return app.mailbox.all().filter(({ to }) => to === email)
}
async function reviewOf(app: TestApp, browser: Browser) {
  const link = app.mails.findLast(({ heading }) => heading === 'Many people ask for access')!
  const path = new URL(link.button!.url).pathname
  return { path, shown: await (await browser.get(path)).text() }
}

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

    it('are decided on the page of that mail', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const { owner, page } = await manyRequests(app, SINGLE_MAILS + 2)
      const browser = createBrowser(app)
      const { path, shown } = await reviewOf(app, browser)
      const forms = formsIn(shown)
      expect(forms).toHaveLength(2 * (SINGLE_MAILS + 2))
      expect(shown).toContain('aria-label="Approve p11@example.com"')
      const [approve, deny] = [forms[0]!, forms[3]!]
      expect((await browser.post(path, approve.fields)).status).toBe(303)
      expect((await browser.post(path, deny.fields)).status).toBe(303)
      expect((await owner.page(page.id)).allowed_emails).toEqual(['p11@example.com'])
      expect(formsIn(await (await browser.get(path)).text())).toHaveLength(2 * SINGLE_MAILS)
    })

    it('are not decided for pages of another account, nor without the form', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const { owner, page } = await manyRequests(app, SINGLE_MAILS + 1)
      const theirs = await manyRequests(app, SINGLE_MAILS + 1)
      const browser = createBrowser(app)
      const { path, shown } = await reviewOf(app, browser)
      const { fields } = formsIn(shown)[0]!
      expect(shown).not.toContain(page.id)
      const requests = await app.access.openRequests((await app.pages.find(page.id))!.account_id)
      const stolen = { ...fields, page_id: page.id, request_id: requests[0]!.id }
      expect((await browser.post(path, stolen)).status).toBe(410)
      const eve = createBrowser(app)
      expect((await eve.post(path, fields)).status).toBe(403)
      expect((await eve.get(`/app/requests/${'A'.repeat(43)}`)).status).toBe(410)
      expect((await owner.page(page.id)).allowed_emails).toEqual([])
      expect((await theirs.owner.page(theirs.page.id)).allowed_emails).toEqual([])
    })
  })
}
