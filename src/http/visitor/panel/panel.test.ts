import { describe, expect, it } from 'bun:test'
import { TOKEN_HEADER } from '../../../model/conversation.ts'
import { ENGINES, HOUR_MS, MINUTE_MS, type TestApp, testApp } from '../../../testing/app.ts'
import { type Browser, createBrowser } from '../../../testing/browser.ts'
import { FORM, RAW, readTokens } from '../../../testing/form-page.ts'
import { base64, fileOf } from '../../../testing/material.ts'
import { openPanel, panelDataIn, sendFromPanel, withNotes } from '../../../testing/panel/server.ts'
import type { Owner } from '../../../testing/people.ts'
import { BROWSER } from '../../../testing/visitor.ts'

const COMMENTS = { allow_comments: true }
const [ANN, BOB] = ['ann@work.example', 'bob@work.example']
const PAGE = '<!doctype html><title>Plan</title><p>words'
const NAMES = /handbill|panel\.js|data-panel/

async function setUp(app: TestApp, settings: object = COMMENTS) {
  const server = withNotes(app)
  const owner = await app.owner()
  const page = await owner.publish(PAGE, settings)
  const browser = createBrowser(server)
  return { ...server, server, owner, page, path: `/p/${page.slug}`, browser }
}

async function signIn(app: TestApp, browser: Browser, { email }: Pick<Owner, 'email'>) {
  const account = (await app.accounts.list()).find((each) => each.email === email)!
  const token = await app.database.write((tx) => app.sessions.create(tx, account.id, null))
  browser.jar.set('handbill_session', token)
  return account.id
}

/** Confirms an address at the page's gate, by the link in the mail. */
async function passGate(app: TestApp, browser: Browser, path: string, email: string) {
  await browser.send(await browser.get(path, RAW), { email })
  const link = new URL(app.mails.at(-1)!.button!.url).pathname
  await browser.send(await browser.get(link))
}

async function note(browser: Browser, panel: object, more: Record<string, string> = {}) {
  const { token, stamp } = panel as { token: string; stamp: string }
  return sendFromPanel(browser, '/~/notes', { token, stamp, text: 'x' }, more)
}

describe('the document around a page', () => {
  it('has the panel’s data where a conversation is on, and only there', async () => {
    await using app = await testApp('sqlite')
    const { server, owner, browser, path, page } = await setUp(app)
    const data = (await openPanel(browser, path))!
    expect(data).toEqual({
      page_path: path,
      page_id: null,
      token: expect.stringContaining(page.id),
      stamp: expect.any(String),
      viewer: {
        kind: 'anonymous',
        emails: [],
        alias: expect.stringMatching(/^[A-Z]\w+ [A-Z]\w+$/),
      },
      conversations: [{ id: 'comments', count: 0 }],
      fonts_url: '/~/fonts.css',
      cards_url: '/~/panel.cards.js',
      sends_mails: false,
    })
    const document = await (await browser.get(path, BROWSER)).text()
    expect(document).toMatch(
      /<script nonce="[^"]+" src="\/~\/panel\.js" async fetchpriority="low">/,
    )
    expect(await (await browser.get(path, RAW)).text()).not.toMatch(NAMES)

    await owner.update(page.id, { allow_comments: false })
    const without = await (await browser.get(path, BROWSER)).text()
    expect(without).not.toMatch(NAMES)
    expect(server.counted).toEqual(['comments'])
  })

  it('names each conversation that the page has, and counts it with one query for many visitors', async () => {
    await using app = await testApp('sqlite')
    const { browser, path, counted } = await setUp(app, {
      ...COMMENTS,
      collect_votes: true,
      poll_question: 'Which?',
      poll_options: ['a', 'b'],
      collect_approvals: true,
      approver_emails: [ANN],
    })
    for (let i = 0; i < 3; i++) {
      expect((await openPanel(browser, path))?.conversations).toEqual([
        { id: 'comments', count: 0 },
        { id: 'poll', count: null },
        { id: 'approval', count: null },
      ])
    }
    expect(counted).toEqual(['comments', 'poll', 'approval'])
  })

  it('has a panel on a deck, a PDF and an image too, and names the file that is shown', async () => {
    await using app = await testApp('sqlite')
    const { owner, browser, notes } = await setUp(app)
    const files = [
      { path: 'index.html', html: PAGE },
      { path: 'more/two.html', html: PAGE },
    ]
    const deck = await owner.ask('POST', '/pages', { files, ...COMMENTS })
    const fileAs = (filename: string, type: 'pdf' | 'png') =>
      owner.ask('POST', '/pages', { file_base64: base64(fileOf(type)), filename, ...COMMENTS })
    const sheet = await fileAs('a.pdf', 'pdf')
    const image = await fileAs('b.png', 'png')
    for (const path of [
      `/p/${deck.slug}/index.html`,
      `/p/${deck.slug}/more/two.html`,
      `/p/${sheet.slug}`,
      `/p/${image.slug}`,
    ]) {
      const panel = (await openPanel(browser, path))!
      expect([path, (await note(browser, panel)).status]).toEqual([path, 201])
    }
    expect(notes.map(({ path }) => path)).toEqual(['index.html', 'more/two.html', '', ''])
    expect(notes.every(({ manifestId }) => manifestId !== null)).toBe(true)
  })

  it('has none for the owner of a page that is not published', async () => {
    await using app = await testApp('sqlite')
    const { owner, browser } = await setUp(app)
    await signIn(app, browser, owner)
    const draft = await owner.ask('POST', '/pages', { html: PAGE, publish: false, ...COMMENTS })
    const answer = await browser.get(`/p/${draft.slug}`, BROWSER)
    const text = await answer.text()
    expect(text).toContain('This is your draft')
    expect(panelDataIn(text)).toBeNull()
    expect((await browser.get(`/p/${draft.slug}/~/viewer`)).status).toBe(404)
  })

  it('lets the framed document say which file and version it is', async () => {
    await using app = await testApp('sqlite')
    const { owner, page, browser, path, notes } = await setUp(app)
    const document = await (await browser.get(path, BROWSER)).text()
    const panel = panelDataIn(document)!
    const framePath = /data-files="([^"]+)"/.exec(document)![1]!
    await owner.update(page.id, { html: PAGE.replace('words', 'other words') })
    await owner.call('POST', `/pages/${page.id}/publish`)
    const framed = await (await browser.get(`${framePath}index.html`, { ...RAW })).text()
    expect(framed).toContain('other words')
    const { token, stamp } = readTokens(framed)
    expect(token).toBe('')
    await note(browser, panel)
    await note(browser, { ...panel, stamp })
    const [before, after] = notes.map(({ manifestId }) => manifestId)
    expect(after).not.toBe(before)
  })
})

interface Who {
  settings: object
  by: 'nobody' | 'ann' | 'password' | 'account' | 'owner'
  kind: string
  email: string | null
}
const EVERYONE: Who[] = [
  { settings: {}, by: 'nobody', kind: 'anonymous', email: null },
  { settings: {}, by: 'account', kind: 'confirmed', email: BOB },
  { settings: {}, by: 'owner', kind: 'owner', email: 'owner' },
  { settings: { access: 'private' }, by: 'owner', kind: 'owner', email: 'owner' },
  {
    settings: { access: 'password', password: 'abcd' },
    by: 'password',
    kind: 'anonymous',
    email: null,
  },
  { settings: { access: 'email_gate' }, by: 'ann', kind: 'confirmed', email: ANN },
  {
    settings: { access: 'people', allowed_emails: [ANN] },
    by: 'ann',
    kind: 'confirmed',
    email: ANN,
  },
  {
    settings: { access: 'people', allowed_emails: [BOB], require_signin: true },
    by: 'account',
    kind: 'confirmed',
    email: BOB,
  },
]

for (const engine of ENGINES) {
  describe(`a participant on ${engine}`, () => {
    it('is the owner, a confirmed address or a browser, on every access level', async () => {
      await using app = await testApp(engine)
      await app.owner({ email: BOB })
      for (const { settings, by, kind, email } of EVERYONE) {
        const { owner, path, browser, notes } = await setUp(app, { ...COMMENTS, ...settings })
        if (by === 'owner') await signIn(app, browser, owner)
        if (by === 'account') await signIn(app, browser, { email: BOB })
        if (by === 'ann') await passGate(app, browser, path, ANN)
        if (by === 'password')
          await browser.send(await browser.get(path, RAW), { password: 'abcd' })
        const panel = (await openPanel(browser, path))!
        const expected = email === 'owner' ? owner.email : email
        expect(panel.viewer).toMatchObject({ kind, emails: expected === null ? [] : [expected] })
        const answer = await note(browser, panel)
        expect([settings, by, answer.data]).toEqual([
          settings,
          by,
          { by: panel.viewer.alias, kind, path: '' },
        ])
        expect(JSON.stringify(answer.data)).not.toContain('@')
        expect(notes[0]!.participant).toMatchObject({ kind, email: expected })
      }
    })

    it('keeps the key of the browser once an address is confirmed', async () => {
      await using app = await testApp(engine)
      const { path, browser, notes } = await setUp(app)
      await app.owner({ email: BOB })
      await note(browser, (await openPanel(browser, path))!)
      await signIn(app, browser, { email: BOB })
      await note(browser, (await openPanel(browser, path))!)
      const [before, after] = notes.map(({ participant }) => participant)
      expect(after!.deviceKey).toBe(before!.deviceKey)
      expect(after!.key).not.toBe(before!.key)
    })

    it('is admitted again at each write', async () => {
      await using app = await testApp(engine)
      await app.owner({ email: BOB })
      const { owner, page, path, browser, notes } = await setUp(app, {
        ...COMMENTS,
        access: 'people',
        allowed_emails: [BOB],
      })
      const accountId = await signIn(app, browser, { email: BOB })
      const panel = (await openPanel(browser, path))!
      expect((await note(browser, panel)).says).toBe(201)
      await owner.update(page.id, { allowed_emails: [ANN] })
      expect((await note(browser, panel)).says).toBe('stale')
      await owner.update(page.id, { allowed_emails: [BOB] })
      expect((await note(browser, panel)).says).toBe(201)
      await app.sessions.revokeAll(accountId)
      expect((await note(browser, panel)).says).toBe('stale')
      await owner.call('DELETE', `/pages/${page.id}/publish`)
      expect((await note(browser, panel)).says).toBe('not_published')
      expect(notes).toHaveLength(2)
    })

    it('cannot be forged', async () => {
      await using app = await testApp(engine)
      const { server, owner, path, browser, notes } = await setUp(app)
      const panel = (await openPanel(browser, path))!
      const other = createBrowser(server)
      const theirs = (await openPanel(other, path))!
      const form = await owner.publish(FORM, COMMENTS)
      const raw = readTokens(await (await browser.get(`/p/${form.slug}`, RAW)).text())
      expect(raw.token).not.toBe('')
      const elsewhere = (await openPanel(browser, `/p/${form.slug}`))!
      const none = createBrowser(server)

      const attempts: [
        what: string,
        browser: Browser,
        body: object,
        headers: object,
        says: string,
      ][] = [
        ['the token in a page’s bytes', browser, raw, {}, 'stale'],
        ['the token of another browser', browser, theirs, {}, 'stale'],
        ['a token without a browser', none, panel, {}, 'stale'],
        ['a page of another', browser, { ...panel, stamp: elsewhere.stamp }, {}, 'stale'],
        ['a source token of its own', browser, { ...panel, stamp: 'x.y' }, {}, 'stale'],
        ['a token of its own', browser, { ...panel, token: 'pg_1.x' }, {}, 'stale'],
        ['a sandboxed page', browser, panel, { origin: 'null' }, 'foreign_origin'],
        ['another site', browser, panel, { origin: 'https://evil.example' }, 'foreign_origin'],
        [
          'a request across sites',
          browser,
          panel,
          { 'sec-fetch-site': 'cross-site' },
          'foreign_origin',
        ],
        [
          'a request of the same site',
          browser,
          panel,
          { 'sec-fetch-site': 'same-site' },
          'foreign_origin',
        ],
      ]
      for (const [what, sender, body, headers, says] of attempts) {
        const answer = await note(sender, body, headers as Record<string, string>)
        expect([what, answer.says]).toEqual([what, says])
        expect(answer.answer.headers.get('access-control-allow-origin')).toBeNull()
      }
      expect(notes).toEqual([])
      expect((await note(browser, panel)).says).toBe(201)
      const { token, stamp } = panel
      const response = await app.respond({ token, stamp, id: 'x'.repeat(8), data: '{}' })
      expect(await response.json()).toMatchObject({ error: { code: 'stale' } })
    })

    it('reads a small answer while nothing has changed, and is not counted for it', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const { path, browser } = await setUp(app)
      const panel = (await openPanel(browser, path))!
      await note(browser, panel)
      const before = await app.rows('throttles')
      const read = (previous: number | null) => {
        const { token, stamp } = panel
        return sendFromPanel(browser, '/~/notes/read', { token, stamp, known: previous })
      }
      expect((await read(null)).data).toEqual({ version: 1, state: { notes: ['x'] } })
      expect((await read(1)).data).toEqual({ version: 1, state: null })
      expect(await app.rows('throttles')).toEqual(before)
    })
  })
}

describe('the panel’s viewer', () => {
  const renew = async (browser: Browser, path: string, token = '', more = {}) => {
    const answer = await browser.get(`${path}/~/viewer`, { [TOKEN_HEADER]: token, ...more })
    const text = await answer.text()
    return { answer, status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : null }
  }

  it('gets the current viewer with a new token', async () => {
    await using app = await testApp('sqlite')
    const { path, browser, notes } = await setUp(app)
    await app.owner({ email: BOB })
    const panel = (await openPanel(browser, path))!
    await signIn(app, browser, { email: BOB })
    expect((await note(browser, panel)).data.kind).toBe('anonymous')
    const { answer, body } = await renew(browser, path, panel.token)
    expect(body.viewer).toMatchObject({ kind: 'confirmed', emails: [BOB] })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect((await note(browser, { ...panel, token: body.token })).data.kind).toBe('confirmed')
    expect(notes.map(({ participant }) => participant.email)).toEqual([null, BOB])
  })

  it('has to pass the gate, and gets nothing across sites or without a conversation', async () => {
    await using app = await testApp('sqlite')
    const { owner, page, path, browser } = await setUp(app)
    expect((await renew(browser, path)).status).toBe(200)
    for (const site of ['cross-site', 'same-site', 'none']) {
      expect((await renew(browser, path, '', { 'sec-fetch-site': site })).status).toBe(404)
    }
    await owner.update(page.id, { access: 'password', password: 'abcd' })
    const refused = await renew(browser, path)
    expect([refused.status, refused.body]).toEqual([403, null])
    await owner.update(page.id, { access: 'link', allow_comments: false })
    expect((await renew(browser, path)).status).toBe(404)
  })

  it('of a page with a view limit is one whose view was counted, and lasts as long as it', async () => {
    await using app = await testApp('sqlite')
    const { path, browser, server } = await setUp(app, { ...COMMENTS, max_views: 1 })
    const panel = (await openPanel(browser, path))!
    expect((await browser.get(path, BROWSER)).status).toBe(410)
    const { body } = await renew(browser, path, panel.token)
    expect((await note(browser, { ...panel, token: body.token })).says).toBe(201)
    const stranger = createBrowser(server)
    expect((await renew(stranger, path)).status).toBe(403)
    expect((await renew(stranger, path, panel.token)).status).toBe(403)

    app.advance(31 * MINUTE_MS)
    expect((await renew(browser, path)).status).toBe(403)
    const later = await renew(browser, path, panel.token)
    expect((await note(browser, { ...panel, token: later.body.token })).says).toBe(201)
    app.advance(12 * HOUR_MS)
    expect((await renew(browser, path, later.body.token)).status).toBe(403)
    expect((await note(browser, { ...panel, token: later.body.token })).says).toBe('stale')
  })

  it('is not a view', async () => {
    await using app = await testApp('sqlite')
    const { owner, page, path, browser } = await setUp(app)
    await openPanel(browser, path)
    for (let i = 0; i < 3; i++) await renew(browser, path)
    expect((await owner.ask('GET', `/pages/${page.id}`)).views).toBe(1)
  })
})
