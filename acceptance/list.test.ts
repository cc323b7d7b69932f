import { expect, test } from 'bun:test'
import { other, type Page, pro } from './client.ts'
import { everyCase, expectBadParam, expectJson, expectPage } from './expect.ts'
import { html, word } from './material.ts'

test('GET /pages answers an array of page objects and next_offset', async () => {
  const page = await pro.publish({ html: html('x') })
  const answer = await pro.call('GET', '/pages')
  expectJson(answer, 200)
  const body = answer.json as { data: Page[]; next_offset: number | null }
  expect(Object.keys(body).sort()).toEqual(['data', 'next_offset'])
  for (const each of body.data) expectPage(each)
  expect(body.data[0]).toEqual(page)
})

test('the list is most recently edited first', async () => {
  const a = await pro.publish({ html: html('a') })
  const b = await pro.publish({ html: html('b') })
  const c = await pro.publish({ html: html('c') })
  const order = async () => (await pro.list('?limit=3')).data.map(({ id }) => id)
  expect(await order()).toEqual([c.id, b.id, a.id])
  await pro.update(a.id, { html: html('a, edited') })
  expect(await order()).toEqual([a.id, c.id, b.id])
  await pro.edit(b.id, [{ find: '<p>b</p>', replace: '<p>b, edited</p>' }])
  expect(await order()).toEqual([b.id, a.id, c.id])
  await pro.update(c.id, { title: word('Renamed') })
  expect(await order()).toEqual([c.id, b.id, a.id])
  const times = (await pro.list('?limit=200')).data.map(({ updated_at: updatedAt }) => updatedAt)
  expect([...times].sort().reverse()).toEqual(times)
})

test('the list has drafts and published pages of the caller, and of nobody else', async () => {
  const mine = await pro.publish({ html: html('mine'), publish: false })
  const theirs = await other.publish({ html: html('theirs') })
  const ids = (await pro.everyPage()).map(({ id }) => id)
  expect(ids).toContain(mine.id)
  expect(ids).not.toContain(theirs.id)
  expect((await other.everyPage()).map(({ id }) => id)).not.toContain(mine.id)
})

test('limit is 100 by default and 200 at most', async () => {
  const have = (await other.everyPage()).length
  const missing = Math.max(0, 203 - have)
  for (let done = 0; done < missing; done += 20) {
    const batch = Math.min(20, missing - done)
    await Promise.all(Array.from({ length: batch }, () => other.publish({ html: html('x') })))
  }
  const byDefault = await other.list()
  expect(byDefault.data).toHaveLength(100)
  expect(byDefault.next_offset).toBe(100)
  expect((await other.list('?limit=200')).data).toHaveLength(200)
  expect((await other.list('?limit=1')).data).toHaveLength(1)
  await everyCase(
    ['0', '201', '-1', '1.5', 'many', ''].map((limit) => [limit, limit] as const),
    async (limit) => expectBadParam(await other.call('GET', `/pages?limit=${limit}`), 'limit'),
  )
}, 20_000)

test('offset is 0 by default and not negative', async () => {
  const first = await pro.list('?limit=2')
  expect(await pro.list('?limit=2&offset=0')).toEqual(first)
  expect((await pro.list('?limit=1&offset=1')).data[0]).toEqual(first.data[1]!)
  await everyCase(
    ['-1', '1.5', 'many'].map((offset) => [offset, offset] as const),
    async (offset) => expectBadParam(await pro.call('GET', `/pages?offset=${offset}`), 'offset'),
  )
})

test('next_offset is the next offset when more remain, otherwise null', async () => {
  const all = (await pro.everyPage()).map(({ id }) => id)
  expect(new Set(all).size, 'no page twice').toBe(all.length)
  const walked: string[] = []
  const step = Math.max(1, Math.ceil(all.length / 7))
  let offset: number | null = 0
  while (offset !== null) {
    const list = await pro.list(`?limit=${Math.min(200, step)}&offset=${offset}`)
    walked.push(...list.data.map(({ id }) => id))
    if (list.next_offset !== null) expect(list.next_offset).toBe(walked.length)
    offset = list.next_offset
  }
  expect(walked).toEqual(all)
  const last = all.length - 1
  expect((await pro.list(`?limit=1&offset=${last}`)).next_offset, 'exactly at the end').toBeNull()
  expect(await pro.list(`?offset=${all.length}`)).toEqual({ data: [], next_offset: null })
  expect(await pro.list(`?offset=${all.length + 1000}`)).toEqual({ data: [], next_offset: null })
})

test('an unknown query parameter is 400 that names it', async () => {
  expectBadParam(await pro.call('GET', '/pages?limt=5'), 'limt')
})

test('the password field is omitted from list items', async () => {
  const password = word('hidden')
  const page = await pro.publish({ html: html('x'), access: 'password', password })
  const answer = await pro.call('GET', '/pages?limit=5')
  expect(answer.text).not.toContain(password)
  const item = (answer.json as { data: Page[] }).data.find(({ id }) => id === page.id)!
  const { password: _, ...rest } = await pro.page(page.id)
  expect(item).toEqual(rest)
})

test('a deleted page is no longer listed', async () => {
  const page = await pro.publish({ html: html('x') })
  await pro.remove(page.id)
  expect((await pro.everyPage()).map(({ id }) => id)).not.toContain(page.id)
})
