import { describe, expect, it } from 'bun:test'
import { BASE_URL, ENGINES, type TestApp, testApp } from '../../../testing/app.ts'
import { type Browser, createBrowser } from '../../../testing/browser.ts'
import {
  confirmAddress,
  FORM,
  listStored,
  openPage,
  publishForm,
  RAW,
  respond,
} from '../../../testing/form-page.ts'

const [ANN, _BOB, BEN] = ['ann@work.example', 'bob@gmail.com', 'ben@work.example']

/** Signs the browser in to the account of this address. */
async function signIn(app: TestApp, browser: Browser, email: string): Promise<string> {
  const account = (await app.accounts.list()).find((each) => each.email === email)!
  const token = await app.database.write((tx) => app.sessions.create(tx, account.id, null))
  browser.jar.set('handbill_session', token)
  return account.id
}
const invited = (...emails: string[]) => ({ access: 'people', allowed_emails: emails })
const LOCKED = { access: 'password', password: 'abcd' }

for (const engine of ENGINES) {
  describe(`a token on ${engine}`, () => {
    it('of a signed-in viewer has the account’s address once sign-in is required', async () => {
      await using app = await testApp(engine)
      const { owner, page, path } = await publishForm(app, invited(ANN))
      await app.owner({ email: BEN })
      const browser = await confirmAddress(app, path, ANN)
      await signIn(app, browser, BEN)
      const opened = await openPage(browser, path)
      await owner.update(page.id, { require_signin: true })
      expect((await browser.get(path, RAW)).status).toBe(403)
      expect(await respond(app, opened)).toBe('403 stale')
      await owner.update(page.id, { allowed_emails: [ANN, BEN] })
      expect(await respond(app, opened)).toBe(200)
      expect((await listStored(owner, page.id)).map(({ respondent }) => respondent)).toEqual([BEN])
    })

    it('that needs a session ends with the session', async () => {
      await using app = await testApp(engine)
      const { owner, page, path } = await publishForm(app, { access: 'private' })
      const browser = createBrowser(app)
      const accountId = await signIn(app, browser, owner.email)
      const opened = await openPage(browser, path)
      expect(await respond(app, opened)).toBe(200)
      await app.sessions.revokeAll(accountId)
      expect(await respond(app, opened)).toBe('403 stale')
      expect(await listStored(owner, page.id)).toHaveLength(1)
    })

    it('of a draft is refused until the page is published', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.ask('POST', '/pages', { html: FORM, publish: false })
      const browser = createBrowser(app)
      await signIn(app, browser, owner.email)
      const opened = await openPage(browser, `/p/${page.slug}`)
      if (opened.token !== '') expect(await respond(app, opened)).toBe('404 not_published')
      await owner.call('POST', `/pages/${page.id}/publish`)
      const live = await openPage(createBrowser(app), `/p/${page.slug}`)
      await owner.call('DELETE', `/pages/${page.id}/publish`)
      expect(await respond(app, live)).toBe('404 not_published')
      expect(await listStored(owner, page.id)).toEqual([])
      await owner.call('POST', `/pages/${page.id}/publish`)
      expect(await respond(app, live)).toBe(200)
    })

    it('is for its page, not for another page with its slug, and ends with it', async () => {
      await using app = await testApp(engine)
      const { owner, page, path } = await publishForm(app, { slug: 'survey' })
      const opened = await openPage(createBrowser(app), path)
      await owner.call('DELETE', `/pages/${page.id}`)
      const other = await owner.publish(FORM, { slug: 'survey' })
      expect(await respond(app, opened)).toBe('404 gone')
      const { stamp } = await openPage(createBrowser(app), '/p/survey')
      expect(await respond(app, { ...opened, stamp })).toBe('403 stale')
      const token = opened.token.replace(page.id, other.id)
      expect(await respond(app, { token, stamp })).toBe('403 stale')
      expect(await listStored(owner, other.id)).toEqual([])
    })

    it('needs a source token of its page, and is its own viewer with any of them', async () => {
      await using app = await testApp(engine)
      const [one, two] = [await publishForm(app), await publishForm(app)]
      const [ann, bob] = [createBrowser(app), createBrowser(app)]
      const mine = await openPage(ann, one.path)
      const theirs = await openPage(bob, one.path)
      const elsewhere = await openPage(ann, two.path)
      expect(await respond(app, { ...mine, stamp: elsewhere.stamp })).toBe('403 stale')
      expect(await respond(app, { ...elsewhere, stamp: mine.stamp })).toBe('403 stale')
      expect(await respond(app, mine, { of: 'ann' })).toBe(200)
      expect(await respond(app, { ...mine, stamp: theirs.stamp }, { of: 'ann again' })).toBe(200)
      expect((await listStored(one.owner, one.page.id)).map(({ data }) => data)).toEqual([
        { of: 'ann again' },
      ])
      expect(await listStored(two.owner, two.page.id)).toEqual([])
    })

    it('reveals nothing of other viewers to one who repeats their submission id', async () => {
      await using app = await testApp(engine)
      const { path } = await publishForm(app)
      const send = async () => {
        const opened = await openPage(createBrowser(app), path)
        const answer = await app.respond({ ...opened, id: 'known-to-all', data: '{"a":1}' })
        return ((await answer.json()) as { data: { id: string; submit_count: number } }).data
      }
      const [one, two] = [await send(), await send()]
      expect(two.id).not.toBe(one.id)
      expect(two.submit_count).toBe(1)
      expect(Object.keys(two).sort()).toEqual(['id', 'submit_count', 'submitted_at'])
    })

    it('is in copies that no cache shares and that browsers revalidate', async () => {
      await using app = await testApp(engine)
      const { owner, page, path } = await publishForm(app)
      const [ann, bob] = [createBrowser(app), createBrowser(app)]
      const [hers, his] = [await ann.get(path, RAW), await bob.get(path, RAW)]
      const etag = hers.headers.get('etag')!
      expect(hers.headers.get('cache-control')).toBe('private, no-cache')
      expect(his.headers.get('etag')).not.toBe(etag)
      const again = { ...RAW, 'if-none-match': etag }
      expect((await ann.get(path, again)).status).toBe(304)
      expect((await bob.get(path, again)).status, 'somebody else’s copy').toBe(200)
      await owner.update(page.id, LOCKED)
      const locked = await ann.get(path, again)
      expect([locked.status, locked.headers.get('etag')]).toEqual([403, null])
      await ann.send(await ann.get(path, RAW), { password: 'abcd' })
      const letIn = await ann.get(path, again)
      expect(letIn.status).toBe(200)
      expect(letIn.headers.get('cache-control')).toBe('private, no-store')
    })
  })
}

/** Bodies that only a hostile client sends. */
const BODIES: [what: string, body: (opened: object) => string | Uint8Array, code: string][] = [
  ['a list', () => '[]', 'invalid_data'],
  ['nothing', () => '', 'invalid_data'],
  ['what no parser gets through', () => '['.repeat(900_000), 'invalid_data'],
  [
    'a megabyte of spaces',
    (opened) => `${' '.repeat(1024 * 1024)}${submission(opened)}`,
    'too_large',
  ],
  ['bytes that are no UTF-8', () => new Uint8Array([0x7b, 0xff, 0x7d]), 'invalid_data'],
  ['more members', (opened) => submission({ ...opened, account: 1 }), 'invalid_data'],
  [
    'another prototype',
    (opened) => `{"__proto__":{"x":1},${submission(opened).slice(1)}`,
    'invalid_data',
  ],
  [
    'controls without end',
    (opened) => submission({ ...opened, controls: Array(1001) }),
    'invalid_data',
  ],
  [
    'an id with a line in it',
    (opened) => submission({ ...opened, id: 'a\nbcdefgh' }),
    'invalid_data',
  ],
  ['data that is no text', (opened) => submission({ ...opened, data: {} }), 'invalid_data'],
]
function submission(opened: object): string {
  return JSON.stringify({ id: 'submission', data: '{"a":1}', ...opened })
}

describe('a body', () => {
  it('that is invalid is refused with a sentence, and stores nothing', async () => {
    await using app = await testApp('sqlite')
    const { owner, page, path } = await publishForm(app)
    const opened = await openPage(createBrowser(app), path)
    const running = app.listen()
    const url = `http://127.0.0.1:${running.port}/~/responses`
    for (const [what, body, code] of BODIES) {
      const answer = await fetch(url, { method: 'POST', body: body(opened) as BodyInit })
      const { error } = (await answer.json()) as { error: { code: string; message: string } }
      expect([what, error.code]).toEqual([what, code])
      expect(error.message).toMatch(/^[A-Z].{10,120}\.$/)
      expect(await listStored(owner, page.id), what).toHaveLength(0)
    }
    await running.stop()
    expect(({} as { x?: number }).x).toBeUndefined()
  })

  it('that is compressed, or sent by another method, is refused', async () => {
    await using app = await testApp('sqlite')
    const { path } = await publishForm(app)
    const opened = await openPage(createBrowser(app), path)
    const running = app.listen()
    const url = `http://127.0.0.1:${running.port}/~/responses`
    const body = Bun.gzipSync(Buffer.from(submission(opened)))
    const headers = { 'content-encoding': 'gzip' }
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(415)
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const answer = await fetch(url, { method })
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST'])
    }
    await running.stop()
    expect((await app.fetch(new Request(`${BASE_URL}/~/responses/x`))).status).toBe(404)
  })
})
