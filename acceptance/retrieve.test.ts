import { expect, test } from 'bun:test'
import { dataOf, other, type Page, pro } from './client.ts'
import { expectJson, expectPage, expectRefusal } from './expect.ts'
import { html, word } from './material.ts'

test('GET /pages/{id} answers the page object under data, with an ETag', async () => {
  const page = await pro.publish({ html: html('x') })
  const answer = await pro.call('GET', `/pages/${page.id}`)
  expectJson(answer, 200)
  expect(Object.keys(answer.json as object)).toEqual(['data'])
  const got = dataOf<Page>(answer)
  expectPage(got)
  expect(got).toEqual(page)
  expect(answer.headers.get('etag')).toMatch(/^(W\/)?"[^"]+"$/)
})

test('the page object has no content', async () => {
  const words = word('content')
  const page = await pro.publish({ html: html(words) })
  expect((await pro.call('GET', `/pages/${page.id}`)).text).not.toContain(words)
})

test('an unknown page is 404', async () => {
  for (const id of ['pg_doesnotexist', 'x', '0', '%00', 'pg_%2e%2e%2f', 'ü']) {
    const answer = await pro.call('GET', `/pages/${id}`)
    if (id.includes('%')) expect([400, 404]).toContain(answer.status)
    else expectRefusal(answer, 404)
  }
})

test('a page of another account is the same 404 as an unknown one, never 403', async () => {
  const theirs = await other.publish({ html: html('x'), title: word('Theirs') })
  const unknown = `${theirs.id.slice(0, -6)}zzzzzz`
  const calls: [string, string, unknown?][] = [
    ['GET', ''],
    ['PATCH', '', { title: 'Mine now' }],
    ['DELETE', ''],
    ['GET', '/html'],
    ['PATCH', '/html', { edits: [{ find: 'x', replace: 'y' }] }],
    ['POST', '/publish'],
    ['DELETE', '/publish'],
    ['GET', '/versions'],
    ['GET', '/versions/1'],
    ['PATCH', '/versions/1', { label: 'mine' }],
    ['POST', '/versions/1/restore', {}],
  ]
  for (const [method, path, body] of calls) {
    const mine = await pro.call(method, `/pages/${theirs.id}${path}`, body)
    const nobodys = await pro.call(method, `/pages/${unknown}${path}`, body)
    const error = expectRefusal(mine, 404)
    const same = expectRefusal(nobodys, 404)
    expect(error.code).toBe(same.code)
    expect(error.message.replace(theirs.id, '')).toBe(same.message.replace(unknown, ''))
    expect(mine.text).not.toContain(theirs.title!)
  }
  expect(await other.page(theirs.id)).toEqual(theirs)
})
