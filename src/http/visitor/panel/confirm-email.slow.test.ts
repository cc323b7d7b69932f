import { describe, expect, it } from 'bun:test'
import { type PanelData, TOKEN_HEADER } from '../../../model/conversation.ts'
import { ENGINES, type TestApp, testApp } from '../../../testing/app.ts'
import { type Browser, createBrowser } from '../../../testing/browser.ts'
import { RAW } from '../../../testing/form-page.ts'
import { openPanel, sendFromPanel, withNotes } from '../../../testing/panel/server.ts'

const COMMENTS = { allow_comments: true }
const [ANN, BOB] = ['ann@work.example', 'bob@other.example']
const PAGE = '<!doctype html><title>Plan</title><p>words'

async function setUp(app: TestApp, settings: object = {}) {
  const server = withNotes(app)
  const owner = await app.owner()
  const page = await owner.publish(PAGE, { ...COMMENTS, ...settings })
  return { server, owner, page, path: `/p/${page.slug}`, browser: createBrowser(server) }
}

type Opened = Pick<PanelData, 'token' | 'stamp'>
const own = ({ token, stamp }: Opened) => ({ token, stamp })
const mail = (browser: Browser, panel: Opened, email: unknown, more = {}) =>
  sendFromPanel(browser, '/~/confirm-email', { ...own(panel), email, reason: 'comment', ...more })
const giveCode = (browser: Browser, panel: Opened, code: unknown) =>
  sendFromPanel(browser, '/~/confirm-code', { ...own(panel), code })

async function viewerOf(browser: Browser, path: string, { token }: Opened) {
  const answer = await browser.get(`${path}/~/viewer`, { [TOKEN_HEADER]: token })
  return (await answer.json()) as { token: string; viewer: PanelData['viewer'] }
}

/** Passes the gate of each access level, as somebody whom the page admits. */
const LEVELS: [
  settings: object,
  pass: (app: TestApp, browser: Browser, path: string) => unknown,
][] = [
  [{}, () => {}],
  [
    { access: 'password', password: 'abcd' },
    async (_app, browser, path) => browser.send(await browser.get(path, RAW), { password: 'abcd' }),
  ],
  [{ access: 'people', allowed_emails: [BOB] }, confirmBob],
  [{ access: 'email_gate' }, confirmBob],
]
async function confirmBob(app: TestApp, browser: Browser, path: string) {
  await browser.send(await browser.get(path, RAW), { email: BOB })
  await browser.send(await browser.get(new URL(app.mails.at(-1)!.button!.url).pathname))
}

for (const engine of ENGINES) {
  describe(`an address that the panel confirms on ${engine}`, () => {
    it('is confirmed by the code of the mail, on every access level', async () => {
      await using app = await testApp(engine)
      for (const [settings, pass] of LEVELS) {
        const { browser, path, page } = await setUp(app, settings)
        await pass(app, browser, path)
        const panel = (await openPanel(browser, path))!
        const result = await mail(browser, panel, ' Ann@WORK.example ')
        expect(result.data).toEqual({ email: ANN, is_sent: true })
        const sent = app.mails.at(-1)!
        expect(sent.to).toBe(ANN)
        expect(sent.code).toMatch(/^\d{6}$/)
        const isNamed = JSON.stringify(sent).includes(page.title!)
        expect(isNamed).toBe(!('access' in settings))

        const confirmed = await giveCode(browser, panel, sent.code)
        expect([settings, confirmed.says, confirmed.data]).toEqual([settings, 200, { email: ANN }])
        const { viewer } = await viewerOf(browser, path, panel)
        expect(viewer.kind).toBe('confirmed')
        expect(viewer.emails).toContain(ANN)
        expect((await giveCode(browser, panel, sent.code)).says, 'again').toBe('wrong_code')
      }
    })
  })
}
