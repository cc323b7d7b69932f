import { expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { type Answer, pro, type Sent, send } from './client.ts'
import { everyCase } from './expect.ts'
import { base64, html, htmlOfSize, pdfOfSize, word } from './material.ts'
import { exchange, head } from './raw.ts'

const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync }
type Encoding = keyof typeof decoders
const encodings = Object.keys(decoders) as Encoding[]

/** The answer as it is on the wire: `fetch` does not decode it. */
function get(path: string, headers: Sent, method = 'GET'): Promise<Answer> {
  const init: BunFetchRequestInit = { method, headers, decompress: false }
  return send(path, init)
}

function encodingOf({ headers }: Answer): string | null {
  return headers.get('content-encoding')
}

function decoded(answer: Answer, encoding: Encoding): string {
  return decoders[encoding](answer.bytes).toString()
}

async function newPage(source = htmlOfSize(20_000, word())) {
  const page = await pro.publish({ html: source })
  return { ...page, source, path: `/p/${page.slug}` }
}

async function newAsset(path: string, bytes: Uint8Array | string) {
  const page = await pro.publish({
    files: [{ path: 'index.html', html: html('the cover') }],
    assets: [{ path, data_base64: base64(bytes) }],
  })
  return `/p/${page.slug}/${path}`
}

test('an HTML page is sent in the encoding that the client accepts', async () => {
  const { path, source } = await newPage()
  for (const encoding of encodings) {
    const answer = await get(path, { 'accept-encoding': encoding })
    expect(answer.status, encoding).toBe(200)
    expect(encodingOf(answer)).toBe(encoding)
    expect(answer.headers.get('content-length')).toBe(String(answer.bytes.length))
    expect(answer.bytes.length).toBeLessThan(source.length / 10)
    expect(decoded(answer, encoding)).toBe(source)
  }
})

test('a client that names no encoding gets the file as it is, and caches know', async () => {
  const { path, source } = await newPage()
  const answer = await exchange([head(`GET ${path}`, {})])
  expect(encodingOf(answer)).toBeNull()
  expect(answer.text).toBe(source)
  expect(answer.headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
})

test('the files of a deck are compressed: HTML, CSS, JS, JSON and SVG', async () => {
  const text = 'some words, '.repeat(1000)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><!--${text}--></svg>`
  const assets = {
    'a.css': `/*${text}*/`,
    'a.js': `/*${text}*/`,
    'a.json': JSON.stringify(text),
    'a.svg': svg,
  }
  const page = await pro.publish({
    files: [{ path: 'index.html', html: html(text) }],
    assets: Object.entries(assets).map(([path, data]) => ({ path, data_base64: base64(data) })),
  })
  for (const [path, source] of Object.entries({ 'index.html': html(text), ...assets })) {
    const answer = await get(`/p/${page.slug}/${path}`, { 'accept-encoding': 'br' })
    expect(encodingOf(answer), path).toBe('br')
    expect(decoded(answer, 'br'), path).toBe(source)
  }
})

test('a PDF, whose format is compressed, is sent as it is', async () => {
  const bytes = pdfOfSize(50_000)
  const page = await pro.publish({ file_base64: base64(bytes), filename: 'a.pdf' })
  const answer = await get(`/p/${page.slug}`, { 'accept-encoding': 'br', accept: '*/*' })
  expect(encodingOf(answer)).toBeNull()
  expect(answer.bytes.length).toBe(bytes.length)
  expect(answer.headers.get('vary')).toBeNull()
})

test('a page of 1.5 MB and one of 6 MB are compressed', async () => {
  for (const sizeBytes of [1_500_000, 6_000_000]) {
    const { id } = await pro.upload(htmlOfSize(sizeBytes))
    const page = await pro.publish({ html_upload: id })
    const answer = await get(`/p/${page.slug}`, { 'accept-encoding': 'gzip' })
    expect(encodingOf(answer)).toBe('gzip')
    expect(decoded(answer, 'gzip').length).toBe(sizeBytes)
  }
})

test('Accept-Encoding is honoured with its weights', async () => {
  const { path, source } = await newPage()
  await everyCase(
    [
      ['gzip, deflate', 'gzip'],
      ['br;q=0.2, gzip;q=0.9', 'gzip'],
      ['br;q=0, zstd;q=0, gzip', 'gzip'],
      ['identity;q=0, zstd', 'zstd'],
      ['br;q=0, gzip;q=0, *', 'zstd'],
      ['*;q=0, gzip;q=0.1', 'gzip'],
      ['identity', null],
      ['identity, br;q=0.5', null],
      ['*;q=0', null],
      ['deflate, unknown', null],
      ['br;q=none', null],
    ] as const,
    async (expected, accepted) => {
      const answer = await get(path, { 'accept-encoding': accepted })
      expect(answer.status).toBe(200)
      expect(encodingOf(answer)).toBe(expected)
      if (expected === null) expect(answer.text).toBe(source)
    },
  )
})

test('ETags tell encodings apart, and each of them is answered with 304', async () => {
  const { path } = await newPage()
  const etags = new Set<string>()
  for (const encoding of ['identity', ...encodings]) {
    const accepted = { 'accept-encoding': encoding }
    const etag = (await get(path, accepted)).headers.get('etag')!
    etags.add(etag)
    const again = await get(path, { ...accepted, 'if-none-match': etag })
    expect(again.status, encoding).toBe(304)
    expect(again.headers.get('etag')).toBe(etag)
    expect(again.headers.get('vary')?.toLowerCase()).toContain('accept-encoding')
    expect(again.bytes).toHaveLength(0)
  }
  expect(etags.size).toBe(4)
})

test('the ETag of one encoding does not make another one fresh', async () => {
  const { path, source } = await newPage()
  const etag = (await get(path, { 'accept-encoding': 'br' })).headers.get('etag')!
  const answer = await get(path, { 'accept-encoding': 'identity', 'if-none-match': etag })
  expect(answer.status).toBe(200)
  expect(answer.text).toBe(source)
})

test('HEAD agrees with GET in each encoding', async () => {
  const { path } = await newPage()
  for (const encoding of ['identity', ...encodings]) {
    const accepted = { 'accept-encoding': encoding }
    const [got, headed] = [await get(path, accepted), await get(path, accepted, 'HEAD')]
    expect(headed.bytes).toHaveLength(0)
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary', 'content-type']) {
      expect(headed.headers.get(name), `${name}, ${encoding}`).toBe(got.headers.get(name))
    }
  }
})

test('a range is always a part of the file as it is', async () => {
  const path = await newAsset('a.css', `/*${'some words, '.repeat(1000)}*/`)
  const plain = await get(path, { 'accept-encoding': 'identity' })
  const encoded = await get(path, { 'accept-encoding': 'br' })
  const answer = await get(path, { 'accept-encoding': 'br', range: 'bytes=2-5' })
  expect(answer.status).toBe(206)
  expect(encodingOf(answer)).toBeNull()
  expect(answer.text).toBe('some')
  expect(answer.headers.get('etag')).toBe(plain.headers.get('etag'))
  expect(encoded.headers.get('accept-ranges')).toBeNull()
  const ifRange = encoded.headers.get('etag')!
  const whole = await get(path, { range: 'bytes=2-5', 'if-range': ifRange })
  expect(whole.status, 'a part of another encoding').toBe(200)
  expect(whole.text).toBe(plain.text)
})

test('a publish is seen in each encoding at once', async () => {
  const { id, path } = await newPage()
  const accepted = { 'accept-encoding': 'gzip' }
  await get(path, accepted)
  const changed = htmlOfSize(20_000, word('changed'))
  await pro.update(id, { html: changed })
  await pro.goLive(id)
  expect(decoded(await get(path, accepted), 'gzip')).toBe(changed)
})

test('first views at once are all answered with the page, and each is counted', async () => {
  const { id, path, source } = await newPage(htmlOfSize(900_000))
  const opens = Array.from({ length: 40 }, () => get(path, { 'accept-encoding': 'br' }))
  for (const answer of await Promise.all(opens)) {
    expect(decoded(answer, 'br') === source).toBe(true)
  }
  expect((await pro.page(id)).views).toBe(40)
})

test('a view limit and a gate hold in each encoding', async () => {
  const source = htmlOfSize(20_000, word('hidden'))
  const limited = await pro.publish({ html: source, max_views: 1 })
  const accepted = { 'accept-encoding': 'gzip' }
  expect((await get(`/p/${limited.slug}`, accepted)).status).toBe(200)
  expect((await get(`/p/${limited.slug}`, accepted)).status).toBe(410)
  const gated = await pro.publish({ html: source, access: 'private' })
  const answer = await get(`/p/${gated.slug}`, accepted)
  expect(answer.status).not.toBe(200)
  expect(answer.bytes.length).not.toBe(0)
})

test('a page with a viewer’s token is compressed, with another one in each answer', async () => {
  const form = `<form data-service><input name="a"></form>${'words, '.repeat(20_000)}`
  const page = await pro.publish({ html: html(form) })
  const path = `/p/${page.slug}`
  const plain = await get(path, { 'accept-encoding': 'identity' })
  const cookie = plain.headers.getSetCookie()[0]!.split(';')[0]!
  const token = /data-token="([^"]+)"/
  const tokens = new Set<string>()
  for (const encoding of [...encodings, ...encodings]) {
    const answer = await get(path, { cookie, 'accept-encoding': encoding })
    expect(encodingOf(answer)).toBe(encoding)
    expect(answer.headers.get('vary')).toBe('accept, accept-encoding')
    expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 10)
    const text = decoded(answer, encoding)
    expect(text.replace(token, '')).toBe(plain.text.replace(token, ''))
    tokens.add(token.exec(text)![1]!)
  }
  // Nobody can find out by the lengths of many answers what no two of them contain.
  expect(tokens.size).toBe(2 * encodings.length)
})

test('a compressed page with a viewer’s token revalidates, and is counted', async () => {
  const form = `<form data-service><input name="a"></form>${'words, '.repeat(1000)}`
  const page = await pro.publish({ html: html(form) })
  const path = `/p/${page.slug}`
  const first = await get(path, { 'accept-encoding': 'gzip' })
  const cookie = first.headers.getSetCookie()[0]!.split(';')[0]!
  const etag = first.headers.get('etag')!
  const headers = { cookie, 'accept-encoding': 'gzip', 'if-none-match': etag }
  const again = await get(path, headers)
  expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
  const headed = await get(path, { cookie, 'accept-encoding': 'gzip' }, 'HEAD')
  expect([headed.headers.get('etag'), encodingOf(headed)]).toEqual([etag, 'gzip'])
  const plain = await get(path, { ...headers, 'accept-encoding': 'identity' })
  expect([plain.status, encodingOf(plain)]).toEqual([200, null])
  await pro.update(page.id, { html: html(`${form} changed`) })
  await pro.goLive(page.id)
  const changed = await get(path, headers)
  expect(changed.status).toBe(200)
  expect(decoded(changed, 'gzip')).toContain('changed')
  expect((await pro.page(page.id)).views).toBe(4)
})

test('the service’s own scripts and styles are sent in the encoding that the client accepts', async () => {
  const plain = await get('/~/runtime.js', { 'accept-encoding': 'identity' })
  for (const encoding of encodings) {
    const answer = await get('/~/runtime.js', { 'accept-encoding': encoding })
    expect(encodingOf(answer)).toBe(encoding)
    expect(decoded(answer, encoding)).toBe(plain.text)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
  }
})
