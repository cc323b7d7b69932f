import { describe, expect, it } from 'bun:test'
import { DAY_MS, ENGINES, HOUR_MS, testApp } from '../../../testing/app.ts'
import { createBrowser } from '../../../testing/browser.ts'
import {
  confirmAddress,
  FORM,
  listStored,
  openPage,
  publishForm,
  RAW,
  readTokens,
  respond,
} from '../../../testing/form-page.ts'

const [ANN, BOB] = ['ann@example.com', 'bob@example.com']

for (const engine of ENGINES) {
  describe(`a response on ${engine}`, () => {
    it('has the confirmed address as respondent where the gate asks for one', async () => {
      await using app = await testApp(engine)
      const settings = { access: 'people', allowed_emails: [ANN] }
      const { owner, page, path } = await publishForm(app, settings)
      const browser = await confirmAddress(app, path, ANN)
      const opened = await openPage(browser, path)
      expect(await respond(app, opened)).toBe(200)
      expect((await listStored(owner, page.id)).map(({ respondent }) => respondent)).toEqual([ANN])
    })

    it('has the address that the page admits, of several in one browser', async () => {
      await using app = await testApp(engine)
      const first = await publishForm(app, { access: 'email_gate' })
      const browser = await confirmAddress(app, first.path, BOB)
      const settings = { access: 'people', allowed_emails: [ANN] }
      const page = await first.owner.publish(FORM, settings)
      const path = `/p/${page.slug}`
      await browser.send(await browser.get(path, RAW), { email: ANN })
      await browser.send(await browser.get(new URL(app.mails.at(-1)!.button!.url).pathname))
      expect(await respond(app, await openPage(browser, path))).toBe(200)
      expect((await listStored(first.owner, page.id))[0]!.respondent).toBe(ANN)
    })

    it('is accepted only from viewers who may still open the page', async () => {
      await using app = await testApp(engine)
      const settings = { access: 'people', allowed_emails: [ANN] }
      const { owner, page, path } = await publishForm(app, settings)
      const opened = await openPage(await confirmAddress(app, path, ANN), path)
      await owner.update(page.id, { allowed_emails: [ANN, BOB] })
      expect(await respond(app, opened)).toBe(200)
      await owner.update(page.id, { allowed_emails: [BOB] })
      expect(await respond(app, opened, { a: 2 })).toBe('403 stale')
      expect((await listStored(owner, page.id)).map(({ data }) => data)).toEqual([{ a: 1 }])
    })

    it('is refused where its page is deleted before it is stored', async () => {
      await using app = await testApp(engine)
      const { owner, page, path } = await publishForm(app)
      const opened = await openPage(createBrowser(app), path)
      const hold = app.holdWrite()
      const sent = respond(app, opened)
      await hold.reached
      expect((await owner.call('DELETE', `/pages/${page.id}`)).status).toBe(204)
      hold.release()
      expect(await sent).toBe('404 gone')
      expect(await app.rows('responses')).toEqual([])
    })

    it('is refused from a viewer who gave an earlier password', async () => {
      await using app = await testApp(engine)
      const settings = { access: 'password', password: 'abcd' }
      const { owner, page, path } = await publishForm(app, settings)
      const browser = createBrowser(app)
      await browser.send(await browser.get(path, RAW), { password: 'abcd' })
      const opened = await openPage(browser, path)
      expect(await respond(app, opened)).toBe(200)
      await owner.update(page.id, { password: 'wxyz' })
      expect(await respond(app, opened)).toBe('403 stale')
      await owner.update(page.id, { access: 'link' })
      expect(await respond(app, opened)).toBe(200)
    })

    it('is refused once the view limit is reached, 12 hours after the viewer’s view', async () => {
      await using app = await testApp(engine)
      const { page, path } = await publishForm(app, { max_views: 1 })
      const opened = await openPage(createBrowser(app), path)
      expect((await app.open(`/p/${page.slug}`)).status).toBe(410)
      expect(await respond(app, opened)).toBe(200)
      app.advance(12 * HOUR_MS)
      expect(await respond(app, opened)).toBe('404 view_limit')
    })

    it('is accepted for 30 days after the page was opened', async () => {
      await using app = await testApp(engine)
      const { path } = await publishForm(app)
      const opened = await openPage(createBrowser(app), path)
      app.advance(30 * DAY_MS - HOUR_MS)
      expect(await respond(app, opened)).toBe(200)
      app.advance(HOUR_MS)
      expect(await respond(app, opened)).toBe('403 stale')
    })

    it('is rate-limited by viewer and by address', async () => {
      await using app = await testApp(engine, { rateLimits: true })
      const { owner, page, path } = await publishForm(app)
      const mine = await openPage(createBrowser(app), path)
      const own: unknown[] = []
      for (let n = 0; n < 22; n++) own.push(await respond(app, mine, { n }))
      expect(own.filter((each) => each === 200)).toHaveLength(20)
      expect(own.at(-1)).toBe('429 rate_limited')
      const theirs: unknown[] = []
      for (let n = 0; n < 120; n++) {
        theirs.push(await respond(app, readTokens(await (await app.open(path)).text()), { n }))
      }
      expect(theirs.filter((each) => each === 200)).toHaveLength(98)
      const answer = await app.respond({ ...mine, id: 'submission', data: '{}' })
      expect(answer.status).toBe(429)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(answer.headers.get('access-control-expose-headers')).toBe('retry-after')
      expect(await listStored(owner, page.id)).toHaveLength(99)
    })
  })
}

describe('a viewer token', () => {
  it('with any character changed, removed or added is refused', async () => {
    await using app = await testApp('sqlite')
    const { owner, page, path } = await publishForm(app)
    const opened = await openPage(createBrowser(app), path)
    for (const member of ['token', 'stamp'] as const) {
      for (const forged of brokenVariants(opened[member])) {
        const status = await respond(app, { ...opened, [member]: forged })
        expect([forged, status]).toEqual([forged, '403 stale'])
      }
    }
    expect(await listStored(owner, page.id)).toEqual([])
    expect(await respond(app, opened)).toBe(200)
  })

  it('does not reveal the id of the browser to pages', async () => {
    await using app = await testApp('sqlite')
    const [one, two] = [await publishForm(app), await publishForm(app)]
    const browser = createBrowser(app)
    const text = await (await browser.get(one.path, RAW)).text()
    const { token } = readTokens(text)
    expect(readTokens(await (await browser.get(two.path, RAW)).text()).token).not.toBe(token)
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('device')
    await respond(app, readTokens(text))
    await respond(app, await openPage(browser, two.path))
    const [first, second] = await app.rows('responses')
    expect(first!.viewer).not.toBe(second!.viewer)
  })

  it('is in the shell, if there is one, and not in the framed page', async () => {
    await using app = await testApp('sqlite')
    const owner = await app.owner()
    const { slug } = await owner.publish(FORM, { allow_comments: true })
    const shell = await (
      await app.open(`/p/${slug}`, {
        'sec-fetch-dest': 'document',
        'sec-fetch-mode': 'navigate',
        accept: 'text/html',
        'user-agent': 'Mozilla/5.0',
      })
    ).text()
    const { token } = readTokens(shell)
    expect(token).not.toBe('')
    const [framed = ''] = /\/p\/[\w-]+\/~v1[\w.-]+\//.exec(shell) ?? []
    const page = await (await app.open(`${framed}index.html`)).text()
    expect(page).toContain('data-stamp=')
    expect(page).not.toContain('data-token')
    expect(await respond(app, { token, stamp: readTokens(page).stamp })).toBe(200)
  })

  it('is in one viewer’s copy only, of short and long pages', async () => {
    await using app = await testApp('sqlite')
    for (const length of [10, 200_000]) {
      const owner = await app.owner()
      const html = `${FORM}<p>${'x'.repeat(length)}</p>`
      const { slug } = await owner.publish(html)
      await (await app.open(`/p/${slug}`)).text()
      const opened = await Promise.all([app.open(`/p/${slug}`), app.open(`/p/${slug}`)])
      const texts = await Promise.all(opened.reverse().map((each) => each.text()))
      const tokens = texts.map((text) => readTokens(text).token)
      expect(new Set(tokens).size).toBe(2)
      for (const [at, token] of tokens.entries()) {
        expect(token).toMatch(/^pg_[\w.-]{100,}$/)
        expect(texts[at]!.split(token)).toHaveLength(2)
        const own = texts[at]!.replace(token, '')
        expect(own).toBe(texts[1 - at]!.replace(tokens[1 - at]!, ''))
        expect(own).toEndWith(html.slice(-length))
      }
    }
  })

  it('is only in files that collect responses', async () => {
    await using app = await testApp('sqlite')
    const owner = await app.owner()
    const files = [
      { path: 'index.html', html: '<!doctype html><p>none' },
      { path: 'form.html', html: FORM },
    ]
    const assets = [{ path: 'a.json', data_base64: btoa('{}') }]
    const { slug } = await owner.publish({ files, assets })
    for (const path of ['index.html', 'a.json']) {
      const answer = await app.open(`/p/${slug}/${path}`)
      expect(answer.headers.get('set-cookie') ?? '').not.toContain('handbill_browser')
      expect(await answer.text()).not.toContain('data-')
    }
    expect(await (await app.open(`/p/${slug}/form.html`)).text()).toContain('data-token=')
  })
})

/** Variants with one character changed, one less or one more. */
function brokenVariants(text: string): string[] {
  const changed = [...text].map((character, at) => {
    const other = character === 'A' ? 'B' : 'A'
    return text.slice(0, at) + other + text.slice(at + 1)
  })
  return [...changed, text.slice(1), text.slice(0, -1), `${text}A`, `${text}.`, '', '.']
}
