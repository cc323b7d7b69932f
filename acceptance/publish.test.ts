import { expect, test } from 'bun:test'
import { dataOf, type Fields, pro, send, visitor } from './client.ts'
import { expectJson, expectNotice, expectRefusal, timestamp } from './expect.ts'
import { base64, html, pdf, word } from './material.ts'

test('POST publish answers id, url, is_published and has_unpublished_changes', async () => {
  const page = await pro.publish({ html: html('draft'), publish: false })
  const answer = await pro.call('POST', `/pages/${page.id}/publish`)
  expectJson(answer, 200)
  expect(answer.json).toEqual({
    data: { id: page.id, url: page.url, is_published: true, has_unpublished_changes: false },
    page: await pro.page(page.id),
    warnings: [],
  })
})

test('publish copies the draft to the published page', async () => {
  const page = await pro.publish({ html: html('first') })
  await pro.update(page.id, { html: html('second') })
  expect((await visitor.open(page.slug)).text).toBe(html('first'))
  const before = await pro.page(page.id)
  await pro.goLive(page.id)
  const opened = await visitor.open(page.slug)
  expect(opened.text).toBe(html('second'))
  const after = await pro.page(page.id)
  expect(after).toMatchObject({ is_published: true, has_unpublished_changes: false })
  expect(after.published_at).toMatch(timestamp)
  expect(after.published_at! > before.published_at!).toBe(true)
  expect(await pro.draft(page.id)).toBe(html('second'))
})

test('publish publishes a page that was a draft only', async () => {
  const page = await pro.publish({ html: html('words'), publish: false })
  await pro.goLive(page.id)
  expect((await visitor.open(page.slug)).text).toBe(html('words'))
  const live = await pro.page(page.id)
  expect(live.is_published).toBe(true)
  expect(live.published_at).toMatch(timestamp)
})

test('publish saves a publish version', async () => {
  const page = await pro.publish({ html: html('one') })
  expect(await pro.versions(page.id)).toMatchObject([{ version_no: 1, source: 'publish' }])
})

test('publishing what the newest edit saved changes that version’s source to publish', async () => {
  const page = await pro.publish({ html: html('one') })
  await pro.update(page.id, { html: html('two') })
  const [edit] = await pro.versions(page.id)
  expect(edit).toMatchObject({ version_no: 2, source: 'edit' })
  await pro.goLive(page.id)
  const versions = await pro.versions(page.id)
  expect(versions).toHaveLength(2)
  expect(versions[0]).toEqual({ ...edit!, source: 'publish' })
})

test('a publish without changes succeeds and saves no version', async () => {
  const page = await pro.publish({ html: html('one') })
  const data = await pro.goLive(page.id)
  expect(data).toMatchObject({ is_published: true, has_unpublished_changes: false })
  expect(await pro.versions(page.id)).toHaveLength(1)
  expect((await visitor.open(page.slug)).text).toBe(html('one'))
})

test('DELETE publish takes the page offline and keeps the draft', async () => {
  const words = word('offline')
  const title = word('Offline')
  const page = await pro.publish({ html: html(words, title) })
  const answer = await pro.call('DELETE', `/pages/${page.id}/publish`)
  expectJson(answer, 200)
  expect(answer.json).toEqual({ data: { is_published: false } })
  const notice = await visitor.open(page.slug)
  expectNotice(notice, 404, [words, title])
  expect(notice.text).toMatch(/not published/i)
  expect((await pro.page(page.id)).is_published).toBe(false)
  expect(await pro.draft(page.id)).toBe(html(words, title))
})

test('an unpublished page can be published again', async () => {
  const page = await pro.publish({ html: html('one') })
  await visitor.open(page.slug)
  await pro.unpublish(page.id)
  await pro.update(page.id, { html: html('two') })
  expect((await visitor.open(page.slug)).status).toBe(404)
  await pro.goLive(page.id)
  expect((await visitor.open(page.slug)).text).toBe(html('two'))
  expect((await pro.page(page.id)).views, 'earlier views stay').toBe(2)
})

test('an unpublished deck answers not published on every path', async () => {
  const words = word('deck')
  const page = await pro.publish({
    files: [
      { path: 'index.html', html: html(words) },
      { path: 'b.html', html: html(words) },
    ],
    assets: [{ path: 'a.css', data_base64: base64(`/* ${words} */`) }],
  })
  await pro.unpublish(page.id)
  for (const path of ['', '/index.html', '/b.html', '/a.css']) {
    const notice = await send(`/p/${page.slug}${path}`)
    expectNotice(notice, 404, [words])
  }
  expect((await visitor.open(page.slug)).text).toMatch(/not published/i)
})

test('decks and files are published and unpublished in the same way', async () => {
  const filename = `${word('f')}.pdf`
  const page = await pro.publish({ file_base64: base64(pdf()), filename, publish: false })
  await pro.goLive(page.id)
  expect((await visitor.open(page.slug)).text).toContain('%PDF')
  await pro.unpublish(page.id)
  expectNotice(await visitor.open(page.slug), 404, ['%PDF', filename])
})

test('an empty body may have content type JSON', async () => {
  const page = await pro.publish({ html: html('words'), publish: false })
  const headers = { 'content-type': 'application/json' }
  const path = `/pages/${page.id}/publish`
  expect((await pro.call('POST', path, undefined, headers)).status).toBe(200)
  expect((await pro.call('DELETE', path, undefined, headers)).status).toBe(200)
  expect((await pro.call('DELETE', `/pages/${page.id}`, undefined, headers)).status).toBe(204)
})

test('a publish is visible at once', async () => {
  const page = await pro.publish({ html: html('round 0') })
  for (let round = 1; round <= 10; round += 1) {
    await pro.update(page.id, { html: html(`round ${round}`) })
    dataOf<Fields>(await pro.call('POST', `/pages/${page.id}/publish`))
    expect((await visitor.open(page.slug)).text).toBe(html(`round ${round}`))
  }
})

test('publish and unpublish of an unknown page are 404', async () => {
  expectRefusal(await pro.call('POST', '/pages/pg_nothing/publish'), 404)
  expectRefusal(await pro.call('DELETE', '/pages/pg_nothing/publish'), 404)
})
