/** The address by which an owner’s app shows a draft or a version in a frame. */
import { expect, test } from 'bun:test'
import { type Answer, dataOf, other, type Page, pro, type Sent, send } from '../client.ts'
import { expectContentHeaders, expectJson, expectRefusal, timestamp } from '../expect.ts'
import { base64, html, pdf, word } from '../material.ts'
import { FORM, sendSubmission, submission } from '../responses/viewer.ts'

interface Preview {
  readonly url: string
  readonly expires_at: string
}

const FRAME = { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }
const OURS = { ...FRAME, 'sec-fetch-site': 'same-origin' }

async function previewOf({ id }: Page, input = {}): Promise<Preview> {
  return dataOf<Preview>(await pro.call('POST', `/pages/${id}/preview`, input), 201)
}
async function show(page: Page, input = {}, headers: Sent = OURS): Promise<Answer> {
  return send((await previewOf(page, input)).url, { headers })
}

test('POST preview answers an address that shows the draft, or a version, for an hour', async () => {
  const page = await pro.publish({ html: html('one'), access: 'private' })
  await pro.update(page.id, { html: html('two') })
  const answer = await pro.call('POST', `/pages/${page.id}/preview`, {})
  expectJson(answer, 201)
  const { url, expires_at: expiresAt } = dataOf<Preview>(answer, 201)
  expect(url).toStartWith(page.url)
  expect(expiresAt).toMatch(timestamp)
  const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000
  expect(minutes > 55 && minutes <= 60, expiresAt).toBe(true)
  const draft = await send(url, { headers: OURS })
  expect([draft.status, draft.text.includes('two')]).toEqual([200, true])
  expect((await show(page, { version_no: 1 })).text).toContain('one')
  const none = await pro.call('POST', `/pages/${page.id}/preview`, { version_no: 9 })
  expectRefusal(none, 404, 'version_not_found')
  expectRefusal(await other.call('POST', `/pages/${page.id}/preview`, {}), 404, 'page_not_found')
})

test('a preview has the sandbox of content, is not stored, and only our documents frame it', async () => {
  const page = await pro.publish({ html: html('x'), indexed: true })
  const answer = await show(page)
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toEndWith("; frame-ancestors 'self'")
  expectContentHeaders(answer, 'html')
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(answer.headers.get('x-robots-tag')).toBe('noindex')
  expect(answer.headers.getSetCookie()).toEqual([])
})

test('in a window nobody but the signed-in owner sees a preview', async () => {
  const page = await pro.publish({ html: html('live') })
  await pro.update(page.id, { html: html('the draft') })
  const opened = await show(page, {}, { ...FRAME, 'sec-fetch-dest': 'document' })
  expect([opened.status, opened.headers.get('cache-control')]).toEqual([403, 'no-store'])
  expect(opened.text).toContain('This is a preview')
  expect(opened.text).not.toMatch(/live|the draft/)
  expect((await pro.page(page.id)).views).toBe(0)
})

test('a preview counts no view, and nothing is sent from it', async () => {
  const page = await pro.publish({ html: FORM, max_views: 1 })
  for (let time = 0; time < 3; time += 1) expect((await show(page)).status).toBe(200)
  const { text } = await show(page)
  expect(text).toContain('data-preview')
  expect(text).not.toContain('data-token')
  const sent = await sendSubmission({
    ...submission({ age: 1 }),
    token: '',
    stamp: '',
    controls: [],
  })
  expect(sent.status).toBe(403)
  expect((await pro.page(page.id)).views).toBe(0)
  const report = await pro.call('GET', `/pages/${page.id}/responses`)
  expect(dataOf<{ total: number }>(report).total).toBe(0)
})

test('an expired, foreign or altered preview address answers like a missing file', async () => {
  const [page, another] = [
    await pro.publish({ html: html(word('secret')) }),
    await pro.publish({ html: html('x') }),
  ]
  const missing = await send('/p/no-such-page')
  const { url } = await previewOf(page)
  const [, token = ''] = /~([^/]+)\//.exec(url) ?? []
  const other = (text: string) => text.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
  const parts = token.split('.')
  const altered = [
    ...parts.map((part, at) => parts.with(at, other(part))),
    [...parts, 'x'],
    parts.slice(0, -1),
  ].map((changed) => url.replace(token, changed.join('.')))
  for (const bad of [...altered, url.replace(page.slug, another.slug), `${url}.bak`]) {
    const answer = await send(bad, { headers: OURS })
    expect([answer.status, answer.text]).toEqual([404, missing.text])
  }
  await pro.remove(page.id)
  expect((await send(url, { headers: OURS })).text).toBe(missing.text)
})

test('a preview shows decks with their files, and PDFs and images in the viewer', async () => {
  const deck = await pro.publish({
    files: [
      { path: 'index.html', html: '<a href="/two.html">two</a>' },
      { path: 'two.html', html: html('second') },
    ],
    publish: false,
  })
  const { url } = await previewOf(deck)
  expect(url).toEndWith('/index.html')
  const [, link = ''] = /<a href="([^"]+)"/.exec((await send(url, { headers: OURS })).text) ?? []
  expect((await send(new URL(link, url).href)).text).toContain('second')
  const bytes = pdf()
  const file = await pro.publish({ file_base64: base64(bytes), filename: 'a.pdf' })
  const viewer = await show(file)
  expect(viewer.headers.get('content-security-policy')).toEndWith("; frame-ancestors 'self'")
  const [, path = ''] = /data-file="([^"]+)"/.exec(viewer.text) ?? []
  expect(Buffer.from((await send(path)).bytes).equals(Buffer.from(bytes))).toBe(true)
})
