import { expect, test } from 'bun:test'
import { free, pro, send, visitor } from './client.ts'
import { expectNotice, expectRefusal } from './expect.ts'
import { base64, html, isoIn, pdf, word } from './material.ts'

test('a link stops working after expires_at, with a notice and 410', async () => {
  const words = word('expiring')
  const title = word('Expiring')
  const page = await pro.publish({ html: html(words, title), expires_at: isoIn(700) })
  expect((await visitor.open(page.slug)).text).toContain(words)
  await Bun.sleep(Math.max(0, Date.parse(page.expires_at!) - Date.now()) + 20)
  const notice = await visitor.open(page.slug)
  expectNotice(notice, 410, [words, title])
  expect(notice.text).toMatch(/this link has expired/i)
  expect(notice.text).not.toMatch(/no longer available|not published/i)
})

test('the owner can still manage an expired page, and null opens it again', async () => {
  const page = await pro.publish({ html: html('x'), expires_at: isoIn(3600_000) })
  await pro.update(page.id, { expires_at: '2020-01-01T00:00:00Z' })
  expect((await visitor.open(page.slug)).status).toBe(410)
  const mine = await pro.page(page.id)
  expect(mine).toMatchObject({ is_published: true, expires_at: '2020-01-01T00:00:00.000000Z' })
  await pro.update(page.id, { html: html('edited while closed') })
  await pro.goLive(page.id)
  expect((await visitor.open(page.slug)).status, 'publishing does not open it').toBe(410)
  await pro.update(page.id, { expires_at: null })
  expect((await visitor.open(page.slug)).text).toContain('edited while closed')
  await pro.update(page.id, { expires_at: isoIn(3600_000) })
  expect((await visitor.open(page.slug)).status, 'in the future it is open').toBe(200)
})

test('an expired deck, PDF or image shows nothing of its files', async () => {
  const expiresAt = isoIn(400)
  const deck = await pro.publish({
    files: [{ path: 'index.html', html: html('the cover') }],
    assets: [{ path: 'a.css', data_base64: base64('p{color:red}') }],
    expires_at: expiresAt,
  })
  const filename = `${word('f')}.pdf`
  const file = await pro.publish({ file_base64: base64(pdf()), filename, expires_at: expiresAt })
  await Bun.sleep(Math.max(0, Date.parse(expiresAt) - Date.now()) + 20)
  for (const path of [deck.slug, `${deck.slug}/index.html`, `${deck.slug}/a.css`, file.slug]) {
    const answer = await send(`/p/${path}`)
    expectNotice(answer, 410, ['the cover', 'color:red', '%PDF', filename])
  }
  const part = await visitor.open(file.slug, { range: 'bytes=0-9' })
  expectNotice(part, 410, ['%PDF'])
})

test('a page whose views reached max_views is no longer available: 410', async () => {
  const words = word('twice')
  const title = word('Twice')
  const page = await pro.publish({ html: html(words, title), max_views: 2 })
  for (let open = 0; open < 2; open += 1) {
    expect((await visitor.open(page.slug)).text).toContain(words)
  }
  const notice = await visitor.open(page.slug)
  expectNotice(notice, 410, [words, title])
  expect(notice.text).toMatch(/no longer available/i)
  expect(notice.text).not.toMatch(/expired|not published/i)
})

test('max_views includes the views from before it was set', async () => {
  const page = await pro.publish({ html: html('x') })
  for (let open = 0; open < 3; open += 1) await visitor.open(page.slug)
  await pro.update(page.id, { max_views: 3 })
  expect((await visitor.open(page.slug)).status).toBe(410)
  await pro.update(page.id, { max_views: 4 })
  expect((await visitor.open(page.slug)).status).toBe(200)
  expect((await visitor.open(page.slug)).status).toBe(410)
})

test('setting max_views to null removes the limit', async () => {
  const page = await pro.publish({ html: html('x'), max_views: 1 })
  await visitor.open(page.slug)
  expect((await visitor.open(page.slug)).status).toBe(410)
  const opened = await pro.update(page.id, { max_views: null })
  expect(opened.max_views).toBeNull()
  for (let open = 0; open < 3; open += 1) {
    expect((await visitor.open(page.slug)).status).toBe(200)
  }
  expect((await pro.page(page.id)).views).toBe(4)
})

test('an unpublished page shows the notice not published: 404', async () => {
  const words = word('offline')
  const page = await pro.publish({ html: html(words) })
  await pro.unpublish(page.id)
  const notice = await visitor.open(page.slug)
  expectNotice(notice, 404, [words])
  expect(notice.text).toMatch(/not published/i)
  expect(notice.text).not.toMatch(/expired|no longer available/i)
})

test('link controls are Pro settings', async () => {
  for (const fields of [
    { expires_at: isoIn(3600_000) },
    { max_views: 5 },
    { download_disabled: true },
  ]) {
    expectRefusal(await free.create({ html: html('x'), ...fields }), 402, 'plan_required')
  }
})

test('the free plan has a view count', async () => {
  const page = await free.publish({ html: html('x') })
  await visitor.open(page.slug)
  expect((await free.page(page.id)).views).toBe(1)
})
