/** What visitors of a suspended account meet, wherever they come from. */
import { describe, expect, it } from 'bun:test'
import { ENGINES, type Engine, type TestApp, testApp } from '../../testing/app.ts'
import { createBrowser } from '../../testing/browser.ts'
import { FORM, openPage, RAW, respond } from '../../testing/form-page.ts'
import { base64, fileOf } from '../../testing/material.ts'
import { CONTENT_URL, enter } from '../../testing/own-host.ts'
import { openPanel, sendFromPanel } from '../../testing/panel/server.ts'
import type { Owner } from '../../testing/people.ts'
import { BROWSER, framePathIn } from '../../testing/visitor.ts'

const WORDS = 'words of the page'
const TITLE = 'Title of the page'
const OG_TITLE = 'Title of the preview'
const HIDDEN = [WORDS, TITLE, OG_TITLE, '%PDF', 'report.pdf']
const HTML = `<!doctype html><title>${TITLE}</title><p>${WORDS}</p><script></script>`
const FRAMED = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }
const STUB = { 'user-agent': 'Slackbot 1.0' }
const PUBLIC = { og_title: OG_TITLE, indexed: true }
const DECK = {
  files: [
    { path: 'index.html', html: `${HTML}<script>localStorage.a = 1</script>` },
    { path: 'more/two.html', html: HTML },
  ],
  assets: [{ path: 'notes.txt', data_base64: base64(WORDS) }],
}

type Ask = () => Promise<Response>

async function suspensionOf(app: TestApp, { email }: Owner) {
  const account = await app.accounts.getByEmail(email)
  return {
    suspend: () => app.accountSuspension.suspend(account, null),
    end: () => app.accountSuspension.end(account, null),
  }
}

/** Requests that each get something of a page, by what they ask for. */
async function openRequests(app: TestApp, owner: Owner): Promise<Map<string, Ask>> {
  const asks = new Map<string, Ask>()
  const single = `/p/${(await owner.publish(HTML, { ...PUBLIC, title: TITLE })).slug}`
  asks.set('a page', () => app.open(single, RAW))
  asks.set('a page in a window', () => app.open(single, BROWSER))
  asks.set('a link preview', () => app.open(single, STUB))

  const limited = await owner.publish(HTML, { ...PUBLIC, max_views: 100 })
  asks.set('a preview stub', () => app.open(`/p/${limited.slug}`, STUB))
  asks.set('the sitemap', async () => {
    const list = await app.open('/sitemap.xml')
    return (await list.clone().text()).includes(single) ? list : new Response('', { status: 404 })
  })

  const locked = await owner.publish(DECK, { access: 'password', password: 'open sesame' })
  const visitor = app.visitor(BROWSER)
  await visitor.givePassword(`/p/${locked.slug}`, 'open sesame')
  const shell = `/p/${locked.slug}/index.html`
  const frame = await framePathIn(await visitor.open(shell))
  asks.set('a shell', () => visitor.open(shell))
  asks.set('a document in its frame', () => visitor.open(`${frame}more/two.html`, FRAMED))
  asks.set('a file by a frame address', () => app.open(`${frame}notes.txt`, RAW))
  asks.set('a file by the cookie of a gate', () => visitor.open(`/p/${locked.slug}/notes.txt`, RAW))
  asks.set('a file to save', () =>
    visitor.open(`/p/${locked.slug}/notes.txt?~download=notes.txt`, RAW),
  )

  const report = await owner.publish({ file_base64: base64(fileOf('pdf')), filename: 'report.pdf' })
  asks.set('a PDF', () => app.open(`/p/${report.slug}`, RAW))
  asks.set('a part of it', () => app.open(`/p/${report.slug}`, { ...RAW, range: 'bytes=0-9' }))
  asks.set('its viewer', () => app.open(`/p/${report.slug}`, BROWSER))

  const { url } = await owner.ask<{ url: string }>('POST', `/pages/${locked.id}/preview`, {})
  asks.set('a preview', () => app.open(new URL(url).pathname, FRAMED))
  const owners = await app.signedIn(owner, BROWSER)
  const draft = await owner.publish(HTML, { publish: false })
  asks.set('the owner’s own draft', () => owners.open(`/p/${draft.slug}`))
  return asks
}

async function outcomeOf(ask: Ask) {
  const answer = await ask()
  const text = await answer.text()
  return { status: answer.status, text, hidden: HIDDEN.filter((words) => text.includes(words)) }
}

for (const engine of ENGINES) {
  describe(`a suspended account on ${engine}`, () => {
    it('shows a notice at every address, with nothing of its own, and all of it afterwards', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { suspend, end } = await suspensionOf(app, owner)
      const asks = await openRequests(app, owner)
      for (const [what, ask] of asks) {
        const { status } = await outcomeOf(ask)
        expect([what, status]).toEqual([what, what === 'a part of it' ? 206 : 200])
      }
      await suspend()
      for (const [what, ask] of asks) {
        const { status, text, hidden } = await outcomeOf(ask)
        expect([what, status, hidden]).toEqual([what, what === 'the sitemap' ? 404 : 410, []])
        if (what === 'the sitemap') continue
        expect(text).toContain('<h1>This page is not available</h1>')
        expect(text).toContain('suspended the account that it belongs to.')
      }
      await end()
      // The owner signs in again.
      asks.delete('the owner’s own draft')
      for (const [what, ask] of asks) {
        const { status } = await outcomeOf(ask)
        expect([what, status]).toEqual([what, what === 'a part of it' ? 206 : 200])
      }
    })

    it('shows it on the hosts of its pages as well', async () => {
      await using app = await testApp(engine, { contentUrl: CONTENT_URL })
      const owner = await app.owner()
      const { suspend, end } = await suspensionOf(app, owner)
      const page = await owner.publish(DECK)
      const own = await enter(app, app.visitor(), `/p/${page.slug}/index.html`)
      expect((await own.open('/more/two')).status).toBe(200)
      await suspend()
      const window = await own.open('/more/two')
      expect([window.status, window.headers.get('location')]).toEqual([
        303,
        `${app.platform.config.baseUrl}/p/${page.slug}/more/two`,
      ])
      const file = await own.load('/notes.txt')
      expect([file.status, (await file.text()).includes(WORDS)]).toEqual([403, false])
      await end()
      expect(await (await own.load('/notes.txt')).text()).toBe(WORDS)
    })

    it('takes no answers, comments, votes and decisions, and keeps those that it has', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { suspend, end } = await suspensionOf(app, owner)
      const form = await owner.publish(FORM)
      const opened = await openPage(createBrowser(app), `/p/${form.slug}`)
      expect(await respond(app, opened)).toBe(200)

      const page = await owner.publish(HTML, {
        ...{ allow_comments: true, collect_approvals: true, approver_emails: ['ann@example.com'] },
        ...{ collect_votes: true, poll_question: 'Which?', poll_options: ['A', 'B'] },
      })
      const browser = createBrowser(app)
      const { token, stamp } = (await openPanel(browser, `/p/${page.slug}`))!
      const send = async (path: string, body: object) =>
        (await sendFromPanel(browser, path, { token, stamp, ...body })).says
      const comment = (id: string) => send('/~/comments/post', { id, body: 'A comment' })
      expect(await comment('comment-1')).toBe(201)
      const before = await app.rows('comments')

      await suspend()
      expect(await respond(app, opened)).toBe('404 not_published')
      const requests: [string, object][] = [
        ['/~/comments', {}],
        ['/~/comments/post', { id: 'comment-2', body: 'A comment' }],
        ['/~/comments/delete', { comment_id: before[0]!.id }],
        ['/~/poll', { known: null }],
        ['/~/votes', { option: 'A', is_named: false }],
        ['/~/approval', { known: null }],
        ['/~/decisions', { decision: 'approved' }],
        ['/~/approval-changes', {}],
        ['/~/confirm-email', { email: 'ann@example.com', reason: 'comment' }],
      ]
      const mails = app.mails.length
      for (const [path, body] of requests) {
        expect([path, await send(path, body)]).toEqual([path, 'not_published'])
      }
      expect(app.mails).toHaveLength(mails)
      await end()
      expect(await app.rows('comments')).toEqual(before)
      expect(await respond(app, opened)).toBe(200)
      expect(await comment('comment-3')).toBe(201)
    })

    it('takes no requests for access, passwords and addresses at its gates, and mails nobody', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const { suspend } = await suspensionOf(app, owner)
      const people = { access: 'people', allowed_emails: ['ann@example.com'] }
      const gated = await owner.publish(HTML, { ...people, allow_access_requests: true })
      const locked = await owner.publish(HTML, { access: 'password', password: 'open sesame' })
      const browser = createBrowser(app)
      const [gate, door] = [
        await browser.get(`/p/${gated.slug}`, RAW),
        await browser.get(`/p/${locked.slug}`, RAW),
      ]
      await suspend()
      const mails = app.mails.length
      for (const [shown, typed] of [
        [gate.clone(), { email: 'ann@example.com' }],
        [gate, { email: 'eve@example.com' }],
        [door, { password: 'open sesame' }],
      ] as const) {
        const answer = await browser.send(shown, typed)
        expect([answer.status, await answer.text()]).toEqual([
          410,
          expect.stringContaining('suspended'),
        ])
      }
      expect(app.mails).toHaveLength(mails)
      expect(await app.rows('access_requests')).toEqual([])
    })
  })
}

describe('links in mails about a suspended account', () => {
  const start = async (engine: Engine) => {
    const app = await testApp(engine)
    const owner = await app.owner()
    return { app, owner, ...(await suspensionOf(app, owner)) }
  }

  it.each(ENGINES)('let nobody in on %s, and say why', async (engine) => {
    const { app, owner, suspend, end } = await start(engine)
    await using _ = app
    const people = { access: 'people', allowed_emails: ['ann@example.com'] }
    const page = await owner.publish(HTML, {
      ...{ ...people, allow_access_requests: true, title: TITLE },
      ...{ collect_approvals: true, approver_emails: ['ann@example.com'] },
    })
    const stored = (await app.pages.find(page.id))!
    const linkTo = (email: string) =>
      new URL(app.mails.findLast(({ to }) => to === email)!.button!.url).pathname
    await app.access.requestAccess(stored, 'eve@example.com')
    const approve = linkTo(owner.email)
    await app.access.askToConfirm(stored, 'ann@example.com', 'browser')
    const open = linkTo('ann@example.com')
    const emails = ['ann@example.com']
    const ann = {
      ...({ kind: 'confirmed', email: emails[0]!, emails } as const),
      alias: 'Amber Heron',
    }
    const source = { pageVersion: stored.published_at, manifestId: stored.published_id, path: '' }
    const decide = (await app.approvals.prepare(
      { page: stored, participant: { ...ann, key: 'key', deviceKey: 'device' }, source },
      { decision: 'approved', note: null },
    ))!
    const browser = createBrowser(app)
    const [shownApprove, shownOpen] = [await browser.get(approve), await browser.get(open)]
    expect([shownApprove.status, shownOpen.status]).toEqual([200, 200])
    expect(await (await browser.get(decide)).text()).toContain(TITLE)

    await suspend()
    const mails = app.mails.length
    for (const answer of [
      await browser.get(approve),
      await browser.get(decide),
      await browser.send(shownApprove),
      await browser.send(shownOpen),
    ]) {
      const text = await answer.text()
      expect([answer.status, text.includes('suspended'), text.includes(TITLE)]).toEqual([
        404,
        true,
        false,
      ])
    }
    const { id: requestId } = (await app.rows('access_requests'))[0]!
    const now = (await app.pages.find(page.id))!
    const refused = { code: 'account_suspended' }
    await expect(app.access.decide(now, requestId, 'approve')).rejects.toMatchObject(refused)
    await expect(app.access.openRequests(now.account_id)).rejects.toMatchObject(refused)
    expect(app.mails).toHaveLength(mails)
    expect(await app.rows('access_requests')).toMatchObject([{ decision: null }])
    await end()
    expect((await browser.send(await browser.get(approve))).status).toBe(200)
  })
})
