import { describe, expect, it } from 'bun:test'
import { type PanelData, TOKEN_HEADER } from '../../../model/conversation.ts'
import { ENGINES, MINUTE_MS, type TestApp, testApp } from '../../../testing/app.ts'
import { type Browser, createBrowser } from '../../../testing/browser.ts'
import { FORM, RAW, readTokens } from '../../../testing/form-page.ts'
import { openPanel, sendFromPanel, withNotes } from '../../../testing/panel/server.ts'

const COMMENTS = { allow_comments: true }
const [ANN, BOB] = ['ann@work.example', 'bob@other.example']
const FOREIGN: Record<string, string>[] = [{ origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]
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
async function confirmBob(app: TestApp, browser: Browser, path: string) {
  await browser.send(await browser.get(path, RAW), { email: BOB })
  await browser.send(await browser.get(new URL(app.mails.at(-1)!.button!.url).pathname))
}

for (const engine of ENGINES) {
  describe(`an address that the panel confirms on ${engine}`, () => {
    it('is confirmed by the link of the mail, which only a button uses', async () => {
      await using app = await testApp(engine)
      const { server, owner, browser, page } = await setUp(app)
      const files = ['index.html', 'more/two words.html'].map((path) => ({ path, html: PAGE }))
      const deck = await owner.ask('POST', '/pages', { files, ...COMMENTS })
      const path = `/p/${deck.slug}/more/two%20words.html`
      const panel = (await openPanel(browser, path))!
      const views = (await owner.ask('GET', `/pages/${deck.id}`)).views
      await mail(browser, panel, ANN, { reason: 'decide' })
      expect(app.mails.at(-1)!.subject).toContain('approve, or request changes')
      const link = new URL(app.mails.at(-1)!.button!.url).pathname

      const answer = await browser.get(link)
      const text = await answer.clone().text()
      expect(text).toContain(ANN)
      expect(text).toContain('approve, or request changes to,')
      expect((await viewerOf(browser, `/p/${deck.slug}`, panel)).viewer.kind).toBe('anonymous')
      const phone = createBrowser(server)
      const done = await browser.send(answer)
      expect([done.status, await done.text()]).toEqual([200, expect.stringContaining(path)])
      expect((await viewerOf(browser, `/p/${deck.slug}`, panel)).viewer).toMatchObject({
        kind: 'confirmed',
        emails: [ANN],
      })
      expect((await owner.ask('GET', `/pages/${deck.id}`)).views).toBe(views)
      expect((await phone.get(link)).status).toBe(410)
      expect(page.id).not.toBe(deck.id)
    })

    it('is confirmed only in the browser that asked, by the code, and only for the page', async () => {
      await using app = await testApp(engine)
      const { server, owner, browser, path } = await setUp(app)
      const second = await owner.publish(PAGE.replace('Plan', 'Second'), COMMENTS)
      const panel = (await openPanel(browser, path))!
      const elsewhere = (await openPanel(browser, `/p/${second.slug}`))!
      const other = createBrowser(server)
      const theirs = (await openPanel(other, path))!
      await mail(browser, panel, ANN)
      const { code } = app.mails.at(-1)!
      expect((await giveCode(other, theirs, code)).says).toBe('wrong_code')
      expect((await giveCode(browser, elsewhere, code)).says).toBe('wrong_code')
      expect((await giveCode(browser, panel, code)).says).toBe(200)
      expect((await viewerOf(other, path, theirs)).viewer.kind).toBe('anonymous')
    })
  })
}

describe('the panel’s confirmation', () => {
  it('refuses what is no address, no code or no reason, and whom the gate no longer admits', async () => {
    await using app = await testApp('sqlite')
    const { owner, page, browser, path } = await setUp(app)
    const panel = (await openPanel(browser, path))!
    const before = await app.rows('confirmations')
    const cases: [body: object, says: string][] = [
      [{ email: 'no address' }, 'bad_email'],
      [{ email: 'ann@work.example\r\nBcc: x@y.example' }, 'bad_email'],
      [{ email: '"x@a.example"@b.example' }, 'bad_email'],
      [{ email: `${'x'.repeat(2000)}@b.example` }, 'invalid_data'],
      [{ email: 7 }, 'invalid_data'],
      [{ reason: 'win a prize' }, 'invalid_data'],
      [{ trap: 'x' }, 'spam'],
      [{ more: 'x' }, 'invalid_data'],
    ]
    for (const [body, says] of cases) {
      expect([body, (await mail(browser, panel, ANN, body)).says]).toEqual([body, says])
    }
    for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６', '000000']) {
      expect([code, (await giveCode(browser, panel, code)).says]).toEqual([code, 'wrong_code'])
    }
    await owner.update(page.id, { access: 'private' })
    expect((await mail(browser, panel, ANN)).says).toBe('stale')
    expect((await giveCode(browser, panel, '000000')).says).toBe('stale')
    expect(await app.rows('confirmations')).toEqual(before)
    expect(app.mails).toEqual([])
  })

  it('is nothing that a page can use: not its token, not its origin', async () => {
    await using app = await testApp('sqlite')
    const { owner, browser, path } = await setUp(app)
    const panel = (await openPanel(browser, path))!
    const form = await owner.publish(FORM, COMMENTS)
    const raw = readTokens(await (await browser.get(`/p/${form.slug}`, RAW)).text())
    expect((await mail(browser, raw, ANN)).says).toBe('stale')
    for (const headers of FOREIGN) {
      for (const route of ['/~/confirm-email', '/~/confirm-code']) {
        const body = { ...own(panel), email: ANN, reason: 'comment', code: '000000' }
        const refused = await sendFromPanel(browser, route, body, headers)
        expect(refused.says).toBe('foreign_origin')
        expect(refused.answer.headers.getSetCookie()).toEqual([])
      }
    }
    expect(app.mails).toEqual([])
  })

  it('reveals to nobody who is invited, who owns the page or who has an account', async () => {
    await using app = await testApp('sqlite')
    const { owner, browser, path } = await setUp(app, { access: 'people', allowed_emails: [BOB] })
    await confirmBob(app, browser, path)
    const panel = (await openPanel(browser, path))!
    const answers: string[] = []
    for (const email of [BOB, owner.email, 'nobody@work.example']) {
      const { answer, data } = await mail(browser, panel, email)
      const headers = [...answer.headers].filter(([name]) => name !== 'date')
      answers.push(JSON.stringify([answer.status, headers, { ...data, email: '' }]))
      expect(app.mails.at(-1)!.to).toBe(email)
    }
    expect(new Set(answers).size).toBe(1)
  })

  it('sends no more mails to an address than a gate does, and bounds codes', async () => {
    await using app = await testApp('sqlite', { rateLimits: true })
    const { browser, path } = await setUp(app)
    const panel = (await openPanel(browser, path))!
    const answers = []
    for (let i = 0; i < 7; i++) answers.push((await mail(browser, panel, ANN)).data)
    expect(answers.map(({ is_sent: isSent }) => isSent)).toEqual([
      ...Array(5).fill(true),
      ...Array(2).fill(false),
    ])
    expect(app.mails).toHaveLength(5)
    const { code } = app.mails.at(-1)!
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    for (let i = 0; i < 5; i++) await giveCode(browser, panel, wrong)
    expect((await giveCode(browser, panel, code)).says).toBe('wrong_code')
    for (let i = 0; i < 20; i++) await giveCode(browser, panel, wrong)
    const { answer } = await giveCode(browser, panel, code)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, expect.any(String)])
    app.advance(16 * MINUTE_MS)
    expect((await giveCode(browser, panel, code)).says).toBe('wrong_code')
  })

  it('asks for an account where the page requires to sign in', async () => {
    await using app = await testApp('sqlite')
    const { browser, path } = await setUp(app, {
      access: 'people',
      allowed_emails: [BOB],
      require_signin: true,
    })
    await app.owner({ email: BOB })
    const account = (await app.accounts.list()).find(({ email }) => email === BOB)!
    const token = await app.database.write((tx) => app.sessions.create(tx, account.id, null))
    browser.jar.set('handbill_session', token)
    const panel = (await openPanel(browser, path))!
    expect((await mail(browser, panel, ANN)).says).toBe('account_address')
    expect(app.mails).toEqual([])
  })
})
