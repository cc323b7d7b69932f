import { expect, test } from 'bun:test'
import { type Answer, pro, visitor } from './client.ts'
import { everyCase, expectRefusal } from './expect.ts'
import { html, word } from './material.ts'

function together<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)))
}

test('of concurrent creates with one title exactly one succeeds', async () => {
  const title = word('Race')
  const answers = await together(20, (i) => pro.create({ html: html(`${i}`), title }))
  const created = answers.filter(({ status }) => status === 201)
  expect(created).toHaveLength(1)
  for (const answer of answers) {
    if (answer.status !== 201) expectRefusal(answer, 409, 'duplicate_title')
  }
  expect((await pro.everyPage()).filter((page) => page.title === title)).toHaveLength(1)
})

test('of concurrent creates with one slug exactly one succeeds', async () => {
  const slug = word('race')
  const answers = await together(20, (i) => pro.create({ html: html(`${i}`), slug }))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const answer of answers) {
    if (answer.status !== 201) expectRefusal(answer, 409, 'slug_taken')
  }
})

test('concurrent creates with one derived title all succeed, under different titles', async () => {
  const title = word('Derived')
  const pages = await together(10, (i) => pro.publish({ html: html(`${i}`, title) }))
  expect(new Set(pages.map((page) => page.title)).size).toBe(10)
})

test('concurrent edits are applied whole or answered 409, and no answered one is lost', async () => {
  const words = Array.from({ length: 20 }, (_, i) => `w${i};`)
  const page = await pro.publish({ html: html(words.join(' ')) })
  const answers = await together(20, (i) =>
    pro.patchHtml(page.id, { edits: [{ find: `w${i};`, replace: `done${i};` }] }),
  )
  const draft = await pro.draft(page.id)
  let done = 0
  answers.forEach((answer, i) => {
    if (answer.status === 200) {
      done += 1
      expect(draft).toContain(`done${i};`)
    } else {
      expectRefusal(answer, 409, 'conflict')
      expect(draft).toContain(` w${i};`.slice(i === 0 ? 1 : 0))
      expect(draft).not.toContain(`done${i};`)
    }
  })
  expect(done).toBeGreaterThan(0)
  const versions = await pro.versions(page.id)
  expect(versions).toHaveLength(1 + done)
  expect((await pro.version(page.id, versions[0]!.version_no)).html).toBe(draft)
})

test('after concurrent replacements the draft is one of them, whole', async () => {
  const page = await pro.publish({ html: html('start') })
  const answers = await together(10, (i) => pro.patch(page.id, { html: html(`replacement ${i}`) }))
  for (const answer of answers) {
    if (answer.status !== 200) expectRefusal(answer, 409, 'conflict')
  }
  expect(await pro.draft(page.id)).toMatch(/<p>replacement \d<\/p>/)
  const numbers = (await pro.versions(page.id)).map(({ version_no: versionNo }) => versionNo)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('visitors see one version or the other while pages are published', async () => {
  const page = await pro.publish({ html: html('round 0') })
  const seen: string[] = []
  let going = true
  const watching = (async () => {
    while (going) seen.push((await visitor.open(page.slug)).text)
  })()
  for (let round = 1; round <= 15; round += 1) {
    await pro.update(page.id, { html: html(`round ${round}`) })
    await pro.goLive(page.id)
  }
  going = false
  await watching
  const rounds = seen.map((text) => Number(/<p>round (\d+)<\/p>/.exec(text)?.[1]))
  expect(rounds.every((round) => Number.isInteger(round))).toBe(true)
  expect(
    [...rounds].sort((a, b) => a - b),
    'never back',
  ).toEqual(rounds)
})

test('concurrent requests of any kind succeed or are refused, never with a 500', async () => {
  const pages = await together(4, (i) => pro.publish({ html: html(`start ${i}`) }))
  const asks = (id: string, slug: string, i: number) => [
    () => pro.patch(id, { html: html(`content ${i}`), title: word('Busy') }),
    () =>
      pro.patchHtml(id, { edits: [{ find: '</p>', replace: `${i}</p>` }], publish: i % 2 === 0 }),
    () => pro.call('POST', `/pages/${id}/publish`),
    () => pro.call('DELETE', `/pages/${id}/publish`),
    () => pro.call('POST', `/pages/${id}/versions/1/restore`, { publish: true }),
    () => pro.label(id, 1, { label: `label ${i}` }),
    () => pro.call('GET', `/pages/${id}/html`),
    () => pro.call('GET', `/pages/${id}/versions`),
    () => visitor.open(slug),
    () => (i === 9 ? pro.remove(id) : pro.call('GET', `/pages/${id}`)),
  ]
  const work = pages.flatMap(({ id, slug }) =>
    Array.from({ length: 10 }, (_, i) => asks(id, slug, i)).flat(),
  )
  const answers = await Promise.all(work.map((ask) => ask()))
  for (const answer of answers) {
    expect([200, 204, 404, 409, 410, 422], answer.text.slice(0, 200)).toContain(answer.status)
  }
  for (const { id, slug } of pages) {
    expectRefusal(await pro.call('GET', `/pages/${id}`), 404)
    expect((await visitor.open(slug)).status).toBe(404)
  }
}, 240_000)

test('a write during a delete of the same page succeeds or is refused, never with a 500', async () => {
  const writes: [string, (id: string) => Promise<Answer>][] = [
    ['publish', (id) => pro.call('POST', `/pages/${id}/publish`)],
    ['unpublish', (id) => pro.call('DELETE', `/pages/${id}/publish`)],
    ['update', (id) => pro.patch(id, { html: html('changed') })],
    ['edit', (id) => pro.patchHtml(id, { edits: [{ find: '<p>', replace: '<p>a' }] })],
    ['restore', (id) => pro.call('POST', `/pages/${id}/versions/1/restore`, { publish: true })],
    ['name', (id) => pro.label(id, 1, { label: 'x' })],
    ['delete', (id) => pro.remove(id)],
  ]
  await everyCase(writes, async (write) => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await pro.publish({ html: html('x') })
      const [answer, removed] = await Promise.all([write(id), pro.remove(id)])
      expect([200, 204, 404, 409], answer.text.slice(0, 200)).toContain(answer.status)
      expect([204, 404]).toContain(removed.status)
      expectRefusal(await pro.call('GET', `/pages/${id}`), 404)
    }
  })
})

test('a visit during a delete gets the page or the notice of an unknown one', async () => {
  for (let round = 0; round < 10; round += 1) {
    const page = await pro.publish({ html: html('x') })
    const [removed, ...opens] = await Promise.all([
      pro.remove(page.id),
      ...Array.from({ length: 8 }, () => visitor.open(page.slug)),
    ])
    expect(removed.status).toBe(204)
    for (const { status } of opens) expect([200, 404]).toContain(status)
  }
})

test('of concurrent writes with one If-Match exactly one succeeds', async () => {
  const page = await pro.publish({ html: html('one') })
  const etag = (await pro.call('GET', `/pages/${page.id}`)).headers.get('etag')!
  const answers = await together(10, (i) =>
    pro.patch(page.id, { html: html(`writer ${i}`) }, { 'if-match': etag }),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (const { status } of answers) expect([200, 409, 412]).toContain(status)
  const winner = answers.findIndex(({ status }) => status === 200)
  expect(await pro.draft(page.id)).toBe(html(`writer ${winner}`))
  expect(await pro.versions(page.id)).toHaveLength(2)
})

test('of concurrent renames to one title or slug exactly one succeeds', async () => {
  const pages = await together(10, () => pro.publish({ html: html('x') }))
  const title = word('Wanted')
  const slug = word('wanted')
  for (const [fields, code] of [
    [{ title }, 'duplicate_title'],
    [{ slug }, 'slug_taken'],
  ] as const) {
    const answers = await Promise.all(pages.map(({ id }) => pro.patch(id, fields)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 200) expectRefusal(answer, 409, code)
  }
})

test('concurrent large changes to many pages are each applied whole', async () => {
  const sources = Array.from({ length: 8 }, (_, i) => html(`${i}`.repeat(300_000)))
  const pages = await together(8, (i) => pro.publish({ html: sources[i]! }))
  for (const [i, page] of pages.entries()) {
    expect((await visitor.open(page.slug)).text).toBe(sources[i]!)
  }
})

test('If-Match is checked on every write: an old ETag is 412, and nothing is written', async () => {
  const page = await pro.publish({ html: html('one') })
  const old = (await pro.call('GET', `/pages/${page.id}`)).headers.get('etag')!
  await pro.update(page.id, { html: html('two'), title: word('Two') })
  const before = await pro.page(page.id)
  const writes: [string, string, unknown?][] = [
    ['PATCH', '', { title: word('Three') }],
    ['PATCH', '/html', { edits: [{ find: 'two', replace: 'three' }] }],
    ['POST', '/publish'],
    ['POST', '/versions/1/restore', {}],
    ['PATCH', '/versions/1', { label: 'x' }],
    ['DELETE', '/publish'],
    ['DELETE', ''],
  ]
  await everyCase(
    writes.map((write) => [`${write[0]} ${write[1]}`, write] as const),
    async ([method, path, body]) => {
      const answer = await pro.call(method, `/pages/${page.id}${path}`, body, { 'if-match': old })
      expectRefusal(answer, 412)
      expect(await pro.page(page.id)).toEqual(before)
    },
  )
})

test('an ETag is sent with what writes change alone: lists of what viewers do have none', async () => {
  const { id } = await pro.publish({ html: html('one') })
  const tagOf = async (path: string) =>
    (await pro.call('GET', `/pages/${id}${path}`)).headers.get('etag')
  const tag = await tagOf('')
  expect(tag).toMatch(/^"[^"]+"$/)
  // The name of a version is part of no page.
  const named = await pro.call('PATCH', `/pages/${id}/versions/1`, { label: word('named') })
  expect(named.status).toBe(200)
  for (const path of ['', '/html', '/files']) {
    expect([path, await tagOf(path)]).toEqual([path, tag])
  }
  for (const path of ['/versions', '/versions/1', '/changes']) {
    expect([path, await tagOf(path)]).toEqual([path, null])
  }
  for (const path of ['/counts', '/comments', '/responses', '/analytics', '/people', '/links']) {
    expect([path, await tagOf(path)]).toEqual([path, null])
  }
})

test('If-Match may name several ETags, or any', async () => {
  const page = await pro.publish({ html: html('one') })
  const etag = (await pro.call('GET', `/pages/${page.id}`)).headers.get('etag')!
  const several = { 'if-match': `"other", ${etag}` }
  expect((await pro.patch(page.id, { indexed: true }, several)).status).toBe(200)
  expect((await pro.patch(page.id, { indexed: false }, { 'if-match': '*' })).status).toBe(200)
  expectRefusal(await pro.patch(page.id, { indexed: true }, { 'if-match': '"other"' }), 412)
})

test('If-Match with the current ETag allows a write', async () => {
  const page = await pro.publish({ html: html('one') })
  const etag = async () => (await pro.call('GET', `/pages/${page.id}`)).headers.get('etag')!
  const first = await etag()
  const title = word('New')
  const answer = await pro.patch(page.id, { title }, { 'if-match': first })
  expect(answer.status).toBe(200)
  expect(await etag()).not.toBe(first)
  const fresh = await etag()
  const removed = await pro.call('DELETE', `/pages/${page.id}`, undefined, { 'if-match': fresh })
  expect(removed.status).toBe(204)
})
