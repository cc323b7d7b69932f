import { expect, test } from 'bun:test'
import { dataOf, type Elided, type Html, pro, visitor } from './client.ts'
import { everyCase, expectBadParam, expectJson, expectRefusal } from './expect.ts'
import { base64, dataUri, html, pdf, png, word } from './material.ts'
import { origin } from './origin.ts'
import { server } from './server.ts'

function nothingCut(elided: Elided | null): boolean {
  return elided === null || (elided.count === 0 && elided.chars === 0)
}

test('GET html of a single page answers kind, html, has_unpublished_changes and elided', async () => {
  const source = html('Grüße 🎈', word('Read'))
  const page = await pro.publish({ html: source })
  const answer = await pro.call('GET', `/pages/${page.id}/html`)
  expectJson(answer, 200)
  expect(Object.keys(answer.json as object)).toEqual(['data'])
  const data = dataOf<Html>(answer)
  expect(Object.keys(data).sort()).toEqual(['elided', 'has_unpublished_changes', 'html', 'kind'])
  expect(data).toMatchObject({ kind: 'single', html: source, has_unpublished_changes: false })
  expect(nothingCut(data.elided)).toBe(true)
  expect(answer.headers.get('etag')).toMatch(/^(W\/)?"[^"]+"$/)
})

test('one file of a deck, or the places of a text, are read alone', async () => {
  const files = [
    { path: 'index.html', html: html('start', word('Deck')) },
    { path: 'b.html', html: `<!doctype html>\n${'x'.repeat(500)}needle${'y'.repeat(500)}\nneedle` },
  ]
  const deck = await pro.publish({ html: undefined, files })
  const read = (id: string, query: string) => pro.call('GET', `/pages/${id}/html?${query}`)
  const one = dataOf<object>(await read(deck.id, 'file=b.html'))
  expect(one).toMatchObject({ kind: 'bundle', entry: 'index.html', files: [files[1]!] })
  expect(one).not.toHaveProperty('assets')
  const places = [
    { file: 'b.html', line: 2, text: `${'x'.repeat(100)}needle${'y'.repeat(100)}` },
    { file: 'b.html', line: 3, text: `${'y'.repeat(99)}\nneedle` },
  ]
  const result = { kind: 'matches', count: 2, matches: places }
  expect(dataOf<object>(await read(deck.id, 'find=needle'))).toEqual(result)
  const none = { kind: 'matches', count: 0, matches: [] }
  expect(dataOf<object>(await read(deck.id, 'find=needle&file=index.html'))).toEqual(none)
  const many = await pro.publish({ html: html('needle '.repeat(1000)) })
  const bounded = dataOf<{ count: number; matches: object[] }>(await read(many.id, 'find=needle'))
  expect([bounded.count, bounded.matches.length]).toEqual([1000, 20])
  expectRefusal(await read(deck.id, 'file=c.html'), 400, 'file_not_found')
  expectRefusal(await read(many.id, 'file=index.html'), 400, 'wrong_kind')
  expectBadParam(await read(many.id, 'find='), 'find')
})

test('GET html of a deck answers kind, entry, files, has_unpublished_changes and elided', async () => {
  const files = [
    { path: 'index.html', html: html('Cover') },
    { path: 'about/index.html', html: html('About') },
  ]
  const assets = [{ path: 'a.png', data_base64: base64(png()) }]
  const page = await pro.publish({ files, assets })
  const data = dataOf<Html>(await pro.call('GET', `/pages/${page.id}/html`))
  expect(Object.keys(data).sort()).toEqual([
    'assets',
    'elided',
    'entry',
    'files',
    'has_unpublished_changes',
    'kind',
  ])
  expect(data).toMatchObject({ kind: 'bundle', entry: 'index.html' })
  expect(data.has_unpublished_changes).toBe(false)
  expect(data.files).toHaveLength(2)
  expect(data.files).toEqual(expect.arrayContaining(files))
  expect(nothingCut(data.elided)).toBe(true)
})

test('the HTML read is the draft, not what visitors see', async () => {
  const page = await pro.publish({ html: html('published words') })
  await pro.update(page.id, { html: html('draft words') })
  const data = await pro.html(page.id)
  expect(data.html).toBe(html('draft words'))
  expect(data.has_unpublished_changes).toBe(true)
  expect((await visitor.open(page.slug)).text).toBe(html('published words'))
})

test('a PDF or image is 400', async () => {
  const files = [
    [pdf(), 'pdf'],
    [png(), 'png'],
  ] as const
  for (const [bytes, extension] of files) {
    const filename = `${word('file')}.${extension}`
    const page = await pro.publish({ file_base64: base64(bytes), filename })
    expectRefusal(await pro.call('GET', `/pages/${page.id}/html`), 400)
    expectRefusal(await pro.call('GET', `/pages/${page.id}/html?full=true`), 400)
  }
})

test('a data: URI of 1,000 characters is elided, one of 999 is not', async () => {
  const source = (uri: string) => html(`before <img src="${uri}" alt="a"> after`)
  const at = await pro.publish({ html: source(dataUri(1000)) })
  const cut = await pro.html(at.id)
  expect(cut.html).toBe(source('ELIDED-BY-SERVICE-1000-CHARS'))
  expect(cut.elided).toEqual({ count: 1, chars: 1000 })
  const below = await pro.publish({ html: source(dataUri(999)) })
  const whole = await pro.html(below.id)
  expect(whole.html).toBe(source(dataUri(999)))
  expect(nothingCut(whole.elided)).toBe(true)
})

test('elided counts every data: URI and its characters, anywhere in the document', async () => {
  const places = (a: string, b: string, c: string, d: string) =>
    [
      `<style>p{background:url(${a})} q{background:url("${b}")}</style>`,
      `<p style='background:url(${c})'>x</p><script>const image = '${d}'</script>`,
      `<img src="${dataUri(50)}">`,
    ].join('\n')
  const uris = [dataUri(1500), dataUri(2000), dataUri(40_000), dataUri(1001)] as const
  const page = await pro.publish({ html: places(...uris) })
  const data = await pro.html(page.id)
  const placeholder = (uri: string) => `ELIDED-BY-SERVICE-${uri.length}-CHARS`
  const [a, b, c, d] = uris
  expect(data.html).toBe(places(placeholder(a), placeholder(b), placeholder(c), placeholder(d)))
  expect(data.elided).toEqual({ count: 4, chars: 1500 + 2000 + 40_000 + 1001 })
})

test('a data: URI is elided whatever its type, its encoding and its quotes', async () => {
  const percent = `data:image/svg+xml,${'%3Cg%3E'.repeat(200)}`
  const plain = `data:text/plain;charset=utf-8,${'abc-_.!~*'.repeat(150)}`
  const base = dataUri(1234)
  const places = (a: string, b: string, c: string) =>
    `<img src=${a}><img srcset="${b} 1x, ${b} 2x"><object data='${c}'></object>`
  const source = html(places(base, percent, plain))
  const page = await pro.publish({ html: source })
  const data = await pro.html(page.id)
  const placeholder = (uri: string) => `ELIDED-BY-SERVICE-${uri.length}-CHARS`
  expect(data.html).toBe(html(places(placeholder(base), placeholder(percent), placeholder(plain))))
  expect(data.elided).toEqual({
    count: 4,
    chars: base.length + 2 * percent.length + plain.length,
  })
})

test('text that only resembles a data: URI is not elided', async () => {
  const source = html(
    [
      `metadata: ${'x'.repeat(1200)}`,
      `{"data": "${'y'.repeat(1200)}"}`,
      `<p title="data: ${'z '.repeat(800)}">x</p>`,
    ].join('\n'),
  )
  const page = await pro.publish({ html: source })
  const data = await pro.html(page.id)
  expect(data.html).toBe(source)
  expect(nothingCut(data.elided)).toBe(true)
})

test('full true returns raw HTML, and the stored page is untouched by eliding', async () => {
  const source = html(`<img src="${dataUri(3000)}">`)
  const page = await pro.publish({ html: source })
  await pro.html(page.id)
  const full = await pro.html(page.id, '?full=true')
  expect(full.html).toBe(source)
  expect(nothingCut(full.elided)).toBe(true)
  expect((await pro.html(page.id, '?full=false')).html).not.toBe(source)
  expect((await visitor.open(page.slug)).text).toBe(source)
  expect((await pro.version(page.id, 1)).html).toBe(source)
})

test('full must be a boolean', async () => {
  const page = await pro.publish({ html: html('x') })
  expectBadParam(await pro.call('GET', `/pages/${page.id}/html?full=perhaps`), 'full')
})

test('a deck elides in every file', async () => {
  const files = [
    { path: 'index.html', html: html(`<img src="${dataUri(1200)}">`) },
    { path: 'b.html', html: html(`<img src="${dataUri(1300)}">`) },
  ]
  const page = await pro.publish({ files })
  const data = await pro.html(page.id)
  expect(data.elided).toEqual({ count: 2, chars: 2500 })
  const text = JSON.stringify(data.files)
  expect(text).toContain('ELIDED-BY-SERVICE-1200-CHARS')
  expect(text).toContain('ELIDED-BY-SERVICE-1300-CHARS')
  expect(text).not.toContain('data:image')
  const full = await pro.html(page.id, '?full=true')
  expect(full.files).toEqual(expect.arrayContaining(files))
})

test('HTML that contains placeholders is rejected with 400 by every full-replace write', async () => {
  const source = html(`<img src="${dataUri(3000)}">`)
  const page = await pro.publish({ html: source })
  const deck = await pro.publish({ files: [{ path: 'index.html', html: source }] })
  const cut = (await pro.html(page.id)).html
  const writes: [string, [string, Record<string, unknown>]][] = [
    ['html', [page.id, { html: cut }]],
    ['html_base64', [page.id, { html_base64: base64(cut) }]],
    ['files', [deck.id, { files: [{ path: 'index.html', html: cut }] }]],
  ]
  if (server.own) {
    writes.push(['html_url', [page.id, { html_url: origin.put('x.html', { body: cut }) }]])
  }
  await everyCase(writes, async ([id, fields]) => {
    const error = expectRefusal(await pro.patch(id, fields), 400)
    expect(error.message).toMatch(/full|placeholder|elided/i)
  })
  expect(await pro.draft(page.id)).toBe(source)
  expect(await pro.versions(page.id)).toHaveLength(1)
  expect((await pro.html(deck.id, '?full=true')).files).toEqual([
    { path: 'index.html', html: source },
  ])
})

test('text that only resembles a placeholder is accepted', async () => {
  const page = await pro.publish({ html: html('x') })
  const resembling = html('ELIDED-BY-SERVICE-many-CHARS and ELIDED-BY-SERVICE-')
  await pro.update(page.id, { html: resembling })
  expect(await pro.draft(page.id)).toBe(resembling)
})

test('html of an unknown page is 404', async () => {
  expectRefusal(await pro.call('GET', '/pages/pg_nothing/html'), 404)
})
