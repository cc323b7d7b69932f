import { expect, test } from 'bun:test'
import { dataOf, type Fields, other, type Page, pro, visitor } from './client.ts'
import { everyCase, expectBadParam, expectJson, expectPage } from './expect.ts'
import { base64, html, pdf, word } from './material.ts'
import { FORM, viewer } from './responses/viewer.ts'

/** What a list tells of a page besides its page object. */
const NO_COUNTS = { responses: 0, open_comments: 0 }

test('GET /pages answers an array of page objects and next_offset', async () => {
  const page = await pro.publish({ html: html('x') })
  const answer = await pro.call('GET', '/pages')
  expectJson(answer, 200)
  const body = answer.json as { data: Page[]; next_offset: number | null }
  expect(Object.keys(body).sort()).toEqual(['data', 'next_offset'])
  for (const each of body.data) expectPage(each)
  expect(body.data[0]).toEqual({ ...page, ...NO_COUNTS })
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
}, 240_000)

test('offset is 0 by default and not negative', async () => {
  const first = await pro.list('?limit=2')
  expect(await pro.list('?limit=2&offset=0')).toEqual(first)
  expect((await pro.list('?limit=1&offset=1')).data[0]).toEqual(first.data[1]!)
  await everyCase(
    ['-1', '1.5', 'many'].map((offset) => [offset, offset] as const),
    async (offset) => expectBadParam(await pro.call('GET', `/pages?offset=${offset}`), 'offset'),
  )
  const { message } = expectBadParam(await pro.call('GET', `/pages?offset=${10 ** 15}`), 'offset')
  expect(message).toBe('offset: must be at most 2,147,483,647.')
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

test('a query parameter that comes twice is 400 that names it', async () => {
  for (const query of ['limit=1&limit=2', 'limit=1&limit=1', 'offset=0&limit=1&offset=5']) {
    expectBadParam(await pro.call('GET', `/pages?${query}`), query.slice(0, query.indexOf('=')))
  }
})

test('the password field is omitted from list items', async () => {
  const password = word('hidden')
  const page = await pro.publish({ html: html('x'), access: 'password', password })
  const answer = await pro.call('GET', '/pages?limit=5')
  expect(answer.text).not.toContain(password)
  const item = (answer.json as { data: Page[] }).data.find(({ id }) => id === page.id)!
  const { password: _, ...rest } = await pro.page(page.id)
  expect(item).toEqual({ ...rest, ...NO_COUNTS })
})

test('a deleted page is no longer listed', async () => {
  const page = await pro.publish({ html: html('x') })
  await pro.remove(page.id)
  expect((await pro.everyPage()).map(({ id }) => id)).not.toContain(page.id)
})

test('search finds pages by words of their title and slug, without case and accents', async () => {
  const name = word('suche').toLowerCase()
  const page = await pro.publish({ html: html('x'), title: `Über ${name}`, slug: `plan-${name}` })
  await other.publish({ html: html('x'), title: name })
  const lookup = async (search: string) =>
    (await pro.list(`?search=${encodeURIComponent(search)}`)).data.map(({ id }) => id)
  await everyCase(
    [name, name.toUpperCase(), `UBER ${name}`, ` plan  ${name} `].map((each) => [each, each]),
    async (search) => expect(await lookup(search)).toEqual([page.id]),
  )
  await everyCase(
    [`${name} missing`, `${name}%`, `_${name.slice(1)}`, `${name}' OR '1'='1`].map((each) => [
      each,
      each,
    ]),
    async (search) => expect(await lookup(search)).toEqual([]),
  )
  expectBadParam(await pro.call('GET', `/pages?search=${'x'.repeat(201)}`), 'search')
  expectBadParam(await pro.call('GET', '/pages?search=a%00b'), 'search')
})

test('the list is sorted by update, creation, title or views, in either order', async () => {
  const name = word('sorted').toLowerCase()
  const pages = []
  for (const title of ['b', 'A', 'c']) {
    pages.push(await pro.publish({ html: html('x'), title: `${title} ${name}` }))
  }
  await visitor.open(pages[1]!.slug)
  await pro.update(pages[0]!.id, { accent: 'red' })
  await everyCase(
    [
      ['', 'b,c,A'],
      ['sort=updated&order=asc', 'A,c,b'],
      ['sort=created', 'c,A,b'],
      ['sort=created&order=asc', 'b,A,c'],
      ['sort=title', 'A,b,c'],
      ['sort=title&order=desc', 'c,b,A'],
      ['sort=views&limit=1', 'A'],
    ] as const,
    async (expected, query) => {
      const { data } = await pro.list(`?search=${name}&${query}`)
      expect(data.map(({ title }) => title?.split(' ')[0]).join()).toBe(expected)
    },
  )
  expectBadParam(await pro.call('GET', '/pages?sort=size'), 'sort')
  expectBadParam(await pro.call('GET', '/pages?order=up'), 'order')
})

test('the list is filtered by access, state and kind of content', async () => {
  const name = word('filtered').toLowerCase()
  const publish = (title: string, fields: Fields) =>
    pro.publish({ title: `${title} ${name}`, ...fields })
  await publish('pdf', { file_base64: base64(pdf()), filename: 'a.pdf', access: 'private' })
  await publish('draft', { html: html('x'), publish: false })
  await publish('deck', { files: [{ path: 'a.html', html: html('x') }] })
  const full = await publish('full', { html: html('x'), max_views: 1 })
  const changed = await publish('changed', { html: html('x') })
  await visitor.open(full.slug)
  await pro.update(changed.id, { html: html('y') })
  await everyCase(
    [
      ['access=private', 'pdf'],
      ['kind=pdf', 'pdf'],
      ['kind=image', ''],
      ['kind=bundle', 'deck'],
      ['kind=single', 'changed,draft,full'],
      ['state=draft', 'draft'],
      ['state=changes', 'changed'],
      ['state=closed', 'full'],
      ['state=live', 'deck,pdf'],
      ['state=live&access=link', 'deck'],
    ] as const,
    async (expected, query) => {
      const { data } = await pro.list(`?search=${name}&sort=title&${query}`)
      expect(data.map(({ title }) => title?.split(' ')[0]).join()).toBe(expected)
    },
  )
  const [closed] = (await pro.list(`?search=${name}&state=closed`)).data
  expect(closed).toMatchObject({ state: 'closed', closed_by: 'view_limit' })
  await everyCase(
    ['access', 'state', 'kind'].map((param) => [param, param] as const),
    async (param) => expectBadParam(await pro.call('GET', `/pages?${param}=all`), param),
  )
})

test('the list counts the responses and the open threads of each page', async () => {
  const { page } = await createThreads()
  const listed = async () => (await pro.list('?limit=5')).data.find(({ id }) => id === page.id)
  expect(await listed()).toMatchObject({ responses: 0, open_comments: 2 })
  const comments = dataOf<{ id: string }[]>(await pro.call('GET', `/pages/${page.id}/comments`))
  await pro.call('PATCH', `/pages/${page.id}/comments/${comments[0]!.id}`, { state: 'resolved' })
  expect(await listed()).toMatchObject({ open_comments: 1 })
  const form = await pro.publish({ html: FORM })
  await viewer().respond(form, { age: 1 })
  const { data } = await pro.list('?limit=1')
  expect(data).toMatchObject([{ id: form.id, responses: 1, open_comments: 0 }])
})

/** A page with two threads that its owner began. */
async function createThreads() {
  const page = await pro.publish({ html: html('x'), allow_comments: true })
  for (const body of ['one', 'two']) {
    dataOf(await pro.call('POST', `/pages/${page.id}/comments`, { body }), 201)
  }
  return { page }
}
