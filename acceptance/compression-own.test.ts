/** Compression of what the service itself writes: the API, its downloads, documents and notices. */
import { expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { type Answer, api, browser, dataOf, pro, type Sent, send } from './client.ts'
import { expectRefusal } from './expect.ts'
import { base64, html, htmlOfSize, pdf, word } from './material.ts'
import { FORM, viewer } from './responses/viewer.ts'
import { server } from './server.ts'

const decoders = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync }
type Encoding = keyof typeof decoders
const encodings = Object.keys(decoders) as Encoding[]
const authorization = `Bearer ${pro.key}`

/** The answer as it is on the wire: `fetch` does not decode it. */
function ask(path: string, encoding: string, init: BunFetchRequestInit = {}): Promise<Answer> {
  const headers = { 'accept-encoding': encoding, ...(init.headers as Sent) }
  const parts: BunFetchRequestInit = { ...init, headers, decompress: false }
  return send(path, parts)
}
function askApi(path: string, encoding: string, init: BunFetchRequestInit = {}) {
  const headers = { authorization, 'content-type': 'application/json', ...(init.headers as Sent) }
  return ask(api + path, encoding, { ...init, headers })
}
function encodingOf({ headers }: Answer): string | null {
  return headers.get('content-encoding')
}

/** Expects the same text in each encoding, and that caches are told. */
async function expectCompressed(get: (encoding: string) => Promise<Answer>): Promise<void> {
  const plain = await get('identity')
  expect([encodingOf(plain), plain.headers.get('vary')]).toEqual([null, 'accept-encoding'])
  for (const encoding of encodings) {
    const answer = await get(encoding)
    expect(answer.status).toBe(plain.status)
    expect(encodingOf(answer)).toBe(encoding)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    expect(answer.headers.get('content-type')).toBe(plain.headers.get('content-type'))
    expect(answer.bytes.length).toBeLessThan(plain.bytes.length)
    expect(decoders[encoding](answer.bytes).equals(plain.bytes)).toBe(true)
  }
}

test('JSON of the API is sent in the encoding that the client accepts', async () => {
  const { id } = await pro.publish({ html: htmlOfSize(20_000) })
  for (const words of ['one', 'two']) await pro.publish({ html: html(words) })
  for (const path of [`/pages/${id}/html`, `/pages/${id}/versions/1`, '/pages?limit=5']) {
    await expectCompressed((encoding) => askApi(path, encoding))
  }
})

test('an ETag names one encoding, and each of them is one to write with', async () => {
  const { id } = await pro.publish({ html: htmlOfSize(20_000) })
  const etags = new Set<string>()
  for (const encoding of ['identity', ...encodings]) {
    const etag = (await askApi(`/pages/${id}/html`, encoding)).headers.get('etag')!
    expect(etag).toMatch(/^"[^"]+"$/)
    etags.add(etag.replace(/\.\d+/, ''))
    const body = JSON.stringify({ og_title: encoding })
    const init = { method: 'PATCH', body, headers: { 'if-match': etag } }
    expect((await askApi(`/pages/${id}`, encoding, init)).status, encoding).toBe(200)
    expectRefusal(await askApi(`/pages/${id}`, encoding, init), 412, 'precondition_failed')
  }
  expect(etags.size).toBe(4)
})

test('an answer with a page’s password is not compressed, nor the answer to a write', async () => {
  const emails = Array.from({ length: 100 }, (_, at) => `ann-${at}@example.com`)
  const settings = { access: 'password', password: 'four short words', allowed_emails: emails }
  const page = await pro.publish({ html: html('x'), ...settings })
  const read = await askApi(`/pages/${page.id}`, 'gzip, br, zstd')
  expect(read.text).toContain('four short words')
  const body = JSON.stringify({ og_title: 'x' })
  const written = await askApi(`/pages/${page.id}`, 'gzip, br, zstd', { method: 'PATCH', body })
  for (const answer of [read, written]) {
    expect(answer.bytes.length).toBeGreaterThan(3000)
    expect(encodingOf(answer)).toBeNull()
  }
})

test('a short answer is sent as it is', async () => {
  const { id } = await pro.publish({ html: html('x') })
  const answer = await askApi(`/pages/${id}/html`, 'gzip')
  expect([encodingOf(answer), answer.headers.get('vary')]).toEqual([null, 'accept-encoding'])
  expect(dataOf<{ html: string }>(answer).html).toBe(html('x'))
})

test('CSV is compressed as it is made', async () => {
  const page = await pro.publish({ html: FORM })
  for (let at = 0; at < 5; at++) await viewer().respond(page, { remarks: 'words '.repeat(5000) })
  await expectCompressed((encoding) => askApi(`/pages/${page.id}/responses?format=csv`, encoding))
})

test('answers of MCP are compressed, unless they can hold a page’s password', async () => {
  const page = await pro.publish({ html: htmlOfSize(20_000), og_description: 'a'.repeat(300) })
  const call = (name: string) => ({ name, arguments: { page_id: page.id } })
  const rpc = (encoding: string, method: string, params: object) =>
    ask(`${server.url}/mcp`, encoding, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      headers: {
        authorization,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
    })
  await expectCompressed((encoding) => rpc(encoding, 'tools/list', {}))
  await expectCompressed((encoding) => rpc(encoding, 'tools/call', call('get_page_html')))
  const secret = await rpc('gzip', 'tools/call', call('get_page'))
  expect(secret.text).toContain(page.id)
  expect(encodingOf(secret)).toBeNull()
})

test('documents that are the same for everybody are compressed, and HEAD says so', async () => {
  for (const path of ['/', '/openapi.json', '/llms.txt', '/llms-full.txt', '/nothing', '/p/none']) {
    await expectCompressed((encoding) => ask(path, encoding))
    const headed = await ask(path, 'gzip', { method: 'HEAD' })
    expect(headed.headers.get('vary'), path).toBe('accept-encoding')
    expect(headed.bytes).toHaveLength(0)
  }
})

test('the shell and the viewer are compressed, and a gate is not', async () => {
  const store = html('<script>localStorage.x = 1</script>')
  const shell = await pro.publish({ html: store })
  const file = { file_base64: base64(pdf()), filename: `${word('file')}.pdf` }
  const inViewer = await pro.publish(file)
  for (const { slug } of [shell, inViewer]) {
    const answer = await ask(`/p/${slug}`, 'gzip', { headers: browser })
    expect(encodingOf(answer)).toBe('gzip')
    expect(gunzipSync(answer.bytes).toString()).toContain(`/p/${slug}/~`)
  }
  const gated = await pro.publish({ html: html('x'), access: 'password' })
  for (const path of [`/p/${gated.slug}`, '/app/sign-in']) {
    const answer = await ask(path, 'gzip', { headers: browser })
    expect(answer.text).toContain('name="token"')
    expect([encodingOf(answer), answer.headers.get('vary')]).toEqual([null, null])
  }
})
