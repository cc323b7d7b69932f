import { expect, test } from 'bun:test'
import { dataOf, other, type Page, pro, send, visitor } from './client.ts'
import { expectRefusal } from './expect.ts'
import { base64, html, word } from './material.ts'

test('DELETE /pages/{id} answers 204 without a body', async () => {
  const page = await pro.publish({ html: html('x') })
  const answer = await pro.remove(page.id)
  expect(answer.status).toBe(204)
  expect(answer.bytes).toHaveLength(0)
})

test('a deleted page is 404 on every endpoint', async () => {
  const page = await pro.publish({ html: html('x') })
  await pro.remove(page.id)
  const calls: [string, string, unknown?][] = [
    ['GET', ''],
    ['PATCH', '', { title: word('Back') }],
    ['DELETE', ''],
    ['GET', '/html'],
    ['PATCH', '/html', { edits: [{ find: 'x', replace: 'y' }] }],
    ['POST', '/publish'],
    ['DELETE', '/publish'],
    ['GET', '/versions'],
    ['GET', '/versions/1'],
    ['PATCH', '/versions/1', { label: 'x' }],
    ['POST', '/versions/1/restore', {}],
  ]
  for (const [method, path, body] of calls) {
    expectRefusal(await pro.call(method, `/pages/${page.id}${path}`, body), 404)
  }
})

test('a deleted page is unknown to visitors, with all its files', async () => {
  const words = word('gone')
  const page = await pro.publish({
    files: [{ path: 'index.html', html: html(words) }],
    assets: [{ path: 'a.css', data_base64: base64(`/* ${words} */`) }],
  })
  expect((await visitor.follow(page.slug)).status).toBe(200)
  await pro.remove(page.id)
  for (const path of ['', '/index.html', '/a.css']) {
    const answer = await send(`/p/${page.slug}${path}`)
    expect(answer.status).toBe(404)
    expect(answer.text).not.toContain(words)
  }
})

test('the title of a deleted page can be used again', async () => {
  const title = word('Reborn')
  const page = await pro.publish({ html: html('x'), title })
  await pro.remove(page.id)
  expect((await pro.publish({ html: html('x'), title })).title).toBe(title)
})

test('a page of another account cannot be deleted', async () => {
  const page = await other.publish({ html: html('stays') })
  expectRefusal(await pro.remove(page.id), 404)
  expect((await visitor.open(page.slug)).text).toContain('stays')
})

test('deleting one page does not affect pages with the same content', async () => {
  const source = html(word('twin'))
  const [a, b] = [await pro.publish({ html: source }), await pro.publish({ html: source })]
  await pro.remove(a.id)
  expect((await visitor.open(b.slug)).text).toBe(source)
  expect((await pro.version(b.id, 1)).html).toBe(source)
})

test('a page in the trash is as one that is not published, and comes back whole', async () => {
  const words = word('trashed')
  const page = await pro.publish({
    files: [{ path: 'index.html', html: html(words) }],
    assets: [{ path: 'a.css', data_base64: base64(`/* ${words} */`) }],
  })
  const draft = await pro.publish({ html: html('x'), publish: false })
  const before = await pro.page(page.id)
  const moved = dataOf<Page>(await pro.call('POST', `/pages/${page.id}/trash`))
  expect(moved).toMatchObject({ state: 'trash', is_published: false })
  const unpublished = (await send(`/p/${draft.slug}`)).text
  for (const path of ['', '/index.html', '/a.css']) {
    const answer = await send(`/p/${page.slug}${path}`)
    expect([answer.status, answer.text]).toEqual([404, unpublished])
  }
  expectRefusal(await pro.call('POST', `/pages/${page.id}/publish`), 409, 'in_trash')
  const trash = dataOf<Page[]>(await pro.call('GET', '/pages?state=trash'))
  expect(trash.map(({ id }) => id)).toContain(page.id)
  const counts = dataOf<object>(await pro.call('GET', `/pages/${page.id}/counts`))
  expect(counts).toMatchObject({ versions: 1, responses: 0, comments: 0, decisions: 0 })
  const back = dataOf<Page>(await pro.call('DELETE', `/pages/${page.id}/trash`))
  expect(back).toMatchObject({ ...before, updated_at: expect.any(String) })
  expect((await visitor.follow(page.slug)).text).toContain(words)
})
