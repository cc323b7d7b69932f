import { expect, test } from 'bun:test'
import { asHtml, asPdf, css, expectCap, indexFile, mb, namedLimit } from './caps.ts'
import { type Answer, dataOf, free, type Page, pro, send, visitor } from './client.ts'
import { everyCase, expectRefusal } from './expect.ts'
import { base64, html, htmlOfSize, pdf, pdfOfSize, word } from './material.ts'
import { origin } from './origin.ts'
import { chunk, exchange, head, lastChunk } from './raw.ts'
import { server } from './server.ts'

const bodyLimit = 4 * 1024 * 1024

/** A JSON body of exactly this many bytes that creates a page. */
function bodyOfSize(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const around = JSON.stringify({ html: '' }).length
  return new TextEncoder().encode(JSON.stringify({ html: 'x'.repeat(sizeBytes - around) }))
}

function expectTooLarge(answer: Answer): void {
  expect(answer.status, answer.text.slice(0, 200)).toBe(413)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain\b/)
  expect(answer.text).toBe('Request Entity Too Large')
}

const jsonHeaders = { authorization: `Bearer ${pro.key}`, 'content-type': 'application/json' }
const rawHeaders = { Authorization: `Bearer ${pro.key}`, 'Content-Type': 'application/json' }

test('a body of exactly 4,194,304 bytes is accepted', async () => {
  const body = bodyOfSize(bodyLimit)
  expect(body.length).toBe(bodyLimit)
  const answer = await send('/api/v1/pages', { method: 'POST', headers: jsonHeaders, body })
  expect(dataOf<Page>(answer, 201).is_published).toBe(true)
})

test('a body over 4 MiB is refused with plain text Request Entity Too Large', async () => {
  const count = (await pro.everyPage()).length
  for (const sizeBytes of [bodyLimit + 1, 6 * 1024 * 1024]) {
    const body = bodyOfSize(sizeBytes)
    expectTooLarge(await send('/api/v1/pages', { method: 'POST', headers: jsonHeaders, body }))
  }
  expect((await pro.everyPage()).length).toBe(count)
})

test('a body over 4 MiB is refused on every path of the API that accepts JSON', async () => {
  const page = await pro.publish({ html: html('x') })
  const body = bodyOfSize(bodyLimit + 1)
  for (const [method, path] of [
    ['PATCH', ''],
    ['PATCH', '/html'],
    ['POST', '/versions/1/restore'],
    ['PATCH', '/versions/1'],
  ] as const) {
    const url = `/api/v1/pages/${page.id}${path}`
    expectTooLarge(await send(url, { method, headers: jsonHeaders, body }))
  }
  expect(await pro.page(page.id)).toEqual(page)
})

test('a body over 4 MiB is refused before it is parsed', async () => {
  const body = `{"html": ${'x'.repeat(bodyLimit + 1)}`
  expectTooLarge(await send('/api/v1/pages', { method: 'POST', headers: jsonHeaders, body }))
})

test('a body over 4 MiB is refused before reaching the service, so without a key too', async () => {
  const headers = { 'content-type': 'application/json' }
  const body = bodyOfSize(bodyLimit + 1)
  expectTooLarge(await send('/api/v1/pages', { method: 'POST', headers, body }))
})

test('the refusal is based on Content-Length, before the body arrives', async () => {
  const headers = { ...rawHeaders, 'Content-Length': String(bodyLimit + 1) }
  expectTooLarge(await exchange([head('POST /api/v1/pages', headers)], 3000))
})

test('a chunked body of exactly 4 MiB is accepted', async () => {
  const headers = { ...rawHeaders, 'Transfer-Encoding': 'chunked' }
  const body = bodyOfSize(bodyLimit)
  const pieces: (string | Uint8Array)[] = [head('POST /api/v1/pages', headers)]
  for (let at = 0; at < body.length; at += 65_536) {
    pieces.push(chunk(body.subarray(at, at + 65_536)))
  }
  const answer = await exchange([...pieces, lastChunk])
  expect(answer.status).toBe(201)
})

test('a chunked body is refused as soon as it passes 4 MiB, before it ends', async () => {
  const headers = { ...rawHeaders, 'Transfer-Encoding': 'chunked' }
  const piece = chunk(new Uint8Array(65_536).fill(0x20))
  const pieces = Array.from({ length: 70 }, () => piece)
  expectTooLarge(await exchange([head('POST /api/v1/pages', headers), ...pieces], 3000))
})

test('a slow chunked body is limited, too', async () => {
  const stream = new ReadableStream({
    async start(controller) {
      for (let i = 0; i < 70; i += 1) {
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
        if (i % 10 === 0) await Bun.sleep(2)
      }
      controller.close()
    },
  })
  const answer = await send('/api/v1/pages', {
    method: 'POST',
    headers: jsonHeaders,
    body: stream,
  }).catch(() => undefined)
  if (answer) expectTooLarge(answer)
  expect((await pro.call('GET', '/pages?limit=1')).status).toBe(200)
})

test('a single HTML page on Free may have 5 MB', async () => {
  await expectCap(free, 5, htmlOfSize, asHtml)
}, 240_000)

test('a PDF or image on Free may have 5 MB', async () => {
  await expectCap(free, 5, pdfOfSize, asPdf)
}, 240_000)

test.skipIf(!server.own)(
  'html_url and file_url accept up to the plan’s per-file cap',
  async () => {
    const fine = origin.put('fine.html', { body: htmlOfSize(4_900_000) })
    const page = await free.publish({ html_url: fine })
    expect((await visitor.open(page.slug)).bytes.length).toBe(4_900_000)
    const over = origin.put('over.html', { body: htmlOfSize(5 * 1024 * 1024 + 1) })
    expectRefusal(await free.create({ html_url: over }), 413)
    expect((await pro.publish({ html_url: over })).is_published).toBe(true)
    const file = origin.put('over.pdf', { body: pdfOfSize(5 * 1024 * 1024 + 1) })
    expectRefusal(await free.create({ file_url: file }), 413)
    expect((await pro.publish({ file_url: file })).file?.size_bytes).toBe(5 * 1024 * 1024 + 1)
  },
  20_000,
)

test.skipIf(!server.own)(
  'a fetch that never ends is stopped at the cap',
  async () => {
    const { url, sent } = origin.putEndless('endless.html')
    const answer = await free.create({ html_url: url })
    expectRefusal(answer, 413)
    expect(sent()).toBeLessThan(64 * 1024 * 1024)
  },
  20_000,
)

test('a deck has up to 60 files, and 61 are 400', async () => {
  const files = Array.from({ length: 61 }, (_, i) => ({ path: `f${i}.html`, html: html(`${i}`) }))
  const page = await free.publish({ files: files.slice(0, 60) })
  expect(page.file_count).toBe(60)
  expectRefusal(await free.create({ files }), 400)
  expectRefusal(await free.patch(page.id, { files }), 400)
  expect((await free.page(page.id)).file_count).toBe(60)
})

test('a deck has up to 150 assets, and 151 are 400', async () => {
  const files = [{ path: 'index.html', html: html('x') }]
  const assets = Array.from({ length: 151 }, (_, i) => ({
    path: `a${i}.css`,
    data_base64: base64(`p{order:${i}}`),
  }))
  const page = await free.publish({ files, assets: assets.slice(0, 150) })
  expect((await send(`/p/${page.slug}/a149.css`)).text).toBe('p{order:149}')
  expectRefusal(await free.create({ files, assets }), 400)
})

test('an asset of a deck may have 5 MB, on every plan', async () => {
  const [small, large] = mb(5)
  const big = await pro.upload(css(large + 1))
  const assets = [{ path: 'big.css', upload: big.id }]
  const refused = await pro.create({ files: [indexFile], assets })
  const limit = namedLimit(refused) ?? small
  expect([small, large]).toContain(limit)
  const fits = await pro.upload(css(limit))
  const page = await pro.publish({
    files: [indexFile],
    assets: [{ path: 'big.css', upload: fits.id }],
  })
  expect((await send(`/p/${page.slug}/big.css`)).bytes.length).toBe(limit)
}, 240_000)

test('the whole deck is within 5 MB on Free', async () => {
  const half = await free.upload(css(2_600_000))
  const asset = (path: string) => ({ path, upload: half.id })
  expect((await free.publish({ files: [indexFile], assets: [asset('a.css')] })).is_published).toBe(
    true,
  )
  const again = await free.upload(css(2_700_000))
  const two = [asset('a.css'), { path: 'b.css', upload: again.id }]
  expectRefusal(await free.create({ files: [indexFile], assets: two }), 413)
}, 240_000)

test('a deck of exactly the total is accepted, and with one byte more it is 413', async () => {
  const [small, large] = mb(5)
  const probe = await free.upload(css(2_000_000))
  const deckOf = async (total: number) => {
    const rest = await free.upload(css(total - 2_000_000 - indexFile.html.length))
    const assets = [
      { path: 'a.css', upload: probe.id },
      { path: 'b.css', upload: rest.id },
    ]
    return free.create({ files: [indexFile], assets })
  }
  const refused = await deckOf(large + 1)
  const limit = namedLimit(refused) ?? small
  expect([small, large]).toContain(limit)
  expect((await deckOf(limit)).status).toBe(201)
  if (namedLimit(refused) !== undefined) expectRefusal(await deckOf(limit + 1), 413)
}, 240_000)

test('the deck total holds for PATCH and for edits, with the assets that stay', async () => {
  const asset = await free.upload(css(4_000_000))
  const page = await free.publish({
    files: [{ path: 'index.html', html: html('x;'.repeat(1000)) }],
    assets: [{ path: 'a.css', upload: asset.id }],
  })
  const big = { path: 'index.html', html: htmlOfSize(2_000_000) }
  expectRefusal(await free.patch(page.id, { files: [big] }), 413)
  const edits = [{ find: 'x;', replace: 'y'.repeat(2000), replace_all: true }]
  expectRefusal(await free.patchHtml(page.id, { edits }), 413)
  expect((await free.html(page.id)).files[0]!.html).toBe(html('x;'.repeat(1000)))
  await free.update(page.id, { files: [big], assets: [] })
})

test('an HTML file of a deck is within the ceiling of 32 MB on Pro', async () => {
  const over = await pro.upload(htmlOfSize(32 * 1024 * 1024 + 1))
  const refused = await pro.create({ files: [{ path: 'index.html', upload: over.id }] })
  expectRefusal(refused, 413)
  const fits = await pro.upload(htmlOfSize(31_000_000))
  const page = await pro.publish({ files: [{ path: 'index.html', upload: fits.id }] })
  expect((await visitor.follow(page.slug)).bytes.length).toBe(31_000_000)
}, 240_000)

test('a refusal for size is JSON, and no page is created', async () => {
  const title = word('Too large')
  const big = await pro.upload(pdfOfSize(6_000_000))
  expect(big.size_bytes).toBe(6_000_000)
  const answer = await free.sendUpload(new Blob([pdfOfSize(6_000_000) as BlobPart]))
  const error = expectRefusal(answer, 413)
  expect(error.message).toMatch(/5|MB|plan/)
  expect((await free.everyPage()).filter((page) => page.title === title)).toEqual([])
})

test('inline html_base64 is limited by the size of the body', async () => {
  const source = htmlOfSize(3_000_000)
  const page = await pro.publish({ html_base64: base64(source) })
  expect((await visitor.open(page.slug)).bytes.length).toBe(3_000_000)
  const body = JSON.stringify({ html_base64: base64(htmlOfSize(3_200_000)) })
  expect(body.length).toBeGreaterThan(bodyLimit)
  expectTooLarge(await send('/api/v1/pages', { method: 'POST', headers: jsonHeaders, body }))
  const filename = `${word('inline')}.pdf`
  const file = await pro.publish({ file_base64: base64(pdf()), filename })
  expect(file.file?.mime).toBe('application/pdf')
})

test('a body of a million values is refused before it holds others up', async () => {
  const bodies = {
    'empty objects': `{"files":[${'{},'.repeat(1_000_000)}{}]}`,
    brackets: '['.repeat(1_000_000) + ']'.repeat(1_000_000),
    'edits of numbers': `{"allowed_emails":[${'1,'.repeat(1_000_000)}1]}`,
  }
  await everyCase(Object.entries(bodies), async (body) => {
    const answer = await send('/api/v1/pages', {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${server.keys.pro}`, 'content-type': 'application/json' },
    })
    expectRefusal(answer, 400, 'malformed_json')
  })
})
