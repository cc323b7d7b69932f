/** GET /pages/{id}/files/{path}, and the lists of assets that name the paths. */
import { expect, test } from 'bun:test'
import { type Answer, dataOf, free, type Page, pro, send } from './client.ts'
import { everyCase, expectRefusal } from './expect.ts'
import { base64, html, pdf, pdfOfSize, png, sha256, utf8, word } from './material.ts'

const CSS = 'p { color: red }'
const logo = png()
const deck = () =>
  pro.publish({
    files: [
      { path: 'index.html', html: html('entry') },
      { path: 'parts/a b.html', html: html('part') },
    ],
    assets: [
      { path: 'css/main.css', data_base64: base64(CSS) },
      { path: 'img/é.png', data_base64: base64(logo) },
    ],
  })

const fileOf = (page: Page, path: string, headers: Record<string, string> = {}) =>
  pro.call('GET', `/pages/${page.id}/files/${path}`, undefined, headers)

function expectFile(answer: Answer, bytes: Uint8Array | string, type: string): void {
  expect(answer.status, answer.text.slice(0, 200)).toBe(200)
  const expected = typeof bytes === 'string' ? utf8(bytes) : bytes
  expect(Buffer.from(answer.bytes).equals(Buffer.from(expected))).toBe(true)
  expect(answer.headers.get('content-type')).toBe(type)
  expect(answer.headers.get('etag')).toBe(`"${sha256(expected)}"`)
}

test('GET files answers each file of a deck, byte for byte, with its type', async () => {
  const page = await deck()
  const HTML = 'text/html; charset=utf-8'
  expectFile(await fileOf(page, 'index.html'), html('entry'), HTML)
  expectFile(await fileOf(page, 'parts/a%20b.html'), html('part'), HTML)
  expectFile(await fileOf(page, 'parts%2Fa%20b.html'), html('part'), HTML)
  expectFile(await fileOf(page, 'css/main.css'), CSS, 'text/css; charset=utf-8')
  expectFile(await fileOf(page, 'img/%C3%A9.png'), logo, 'image/png')
  expectFile(await fileOf(page, 'img/e%CC%81.png'), logo, 'image/png')
})

test('GET files answers a single page as index.html, and a PDF by its name', async () => {
  const single = await pro.publish({ html: html('single') })
  expectFile(await fileOf(single, 'index.html'), html('single'), 'text/html; charset=utf-8')
  const filename = `${word('Plan 100%')}.pdf`
  const file = await pro.publish({ file_base64: base64(pdf()), filename })
  const answer = await fileOf(file, encodeURIComponent(filename))
  expectFile(answer, pdf(), 'application/pdf')
  expect(answer.headers.get('content-disposition')).toContain('attachment; filename=')
})

test('GET files answers the draft, and with version the content of that version', async () => {
  const page = await pro.publish({ html: html('one') })
  await pro.update(page.id, { html: html('two') })
  expect((await fileOf(page, 'index.html')).text).toBe(html('two'))
  expect((await fileOf(page, 'index.html?version=1')).text).toBe(html('one'))
  expectRefusal(await fileOf(page, 'index.html?version=99'), 404, 'version_not_found')
  expectRefusal(await fileOf(page, 'index.html?version=x'), 400, 'invalid_parameter')
  expectRefusal(await fileOf(page, 'index.html?full=true'), 400, 'unknown_parameter')
})

test('a file that is not there, and a page of another account, are 404', async () => {
  const page = await deck()
  await everyCase(
    ['main.css', 'css', 'css/', 'CSS/main.css', 'index.html/', 'css/main.css/x', '%2e%2e'].map(
      (path) => [path, path] as const,
    ),
    async (path) => {
      const { message } = expectRefusal(await fileOf(page, path), 404)
      expect(message).not.toContain('entry')
    },
  )
  const theirs = await free.call('GET', `/pages/${page.id}/files/index.html`)
  expectRefusal(theirs, 404, 'page_not_found')
  expectRefusal(await send(`/api/v1/pages/${page.id}/files/index.html`), 401, 'missing_key')
  expectRefusal(await pro.call('POST', `/pages/${page.id}/files/index.html`, {}), 405)
})

test('a file is downloaded and never shown on this host, whatever is in it', async () => {
  const page = await pro.publish({ html: '<!doctype html><script>alert(1)</script>' })
  const { headers } = await fileOf(page, 'index.html')
  expect(headers.get('content-disposition')).toBe('attachment; filename=index.html')
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*; sandbox$/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('cache-control')).toBe('private, no-cache')
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  expect(headers.get('set-cookie')).toBeNull()
})

test('ranges and conditions are honoured, for small files and for large ones', async () => {
  const large = pdfOfSize(2 * 1024 * 1024)
  await everyCase(
    [
      ['small', pdf()],
      ['large', large],
    ],
    async (bytes) => {
      const page = await pro.publish({ file_base64: base64(bytes), filename: 'a.pdf' })
      const whole = await fileOf(page, 'a.pdf')
      expectFile(whole, bytes, 'application/pdf')
      const etag = whole.headers.get('etag')!
      const part = await fileOf(page, 'a.pdf', { range: 'bytes=5-14', 'if-range': etag })
      expect(part.status).toBe(206)
      expect(part.headers.get('content-range')).toBe(`bytes 5-14/${bytes.length}`)
      expect(Buffer.from(part.bytes).equals(Buffer.from(bytes.subarray(5, 15)))).toBe(true)
      const other = await fileOf(page, 'a.pdf', { range: 'bytes=5-14', 'if-range': '"x"' })
      expectFile(other, bytes, 'application/pdf')
      const beyond = await fileOf(page, 'a.pdf', { range: `bytes=${bytes.length}-` })
      expect([beyond.status, beyond.text]).toEqual([416, ''])
      const same = await fileOf(page, 'a.pdf', { 'if-none-match': etag })
      expect([same.status, same.text]).toEqual([304, ''])
      const { id } = page
      const head = await pro.call('HEAD', `/pages/${id}/files/a.pdf`)
      expect([head.status, head.headers.get('content-length')]).toEqual([200, `${bytes.length}`])
    },
  )
})

test('versions and the HTML of a deck list assets with path, type, size and hash', async () => {
  const page = await deck()
  const assets = [
    {
      path: 'css/main.css',
      type: 'text/css; charset=utf-8',
      size_bytes: CSS.length,
      hash: sha256(CSS),
    },
    { path: 'img/é.png', type: 'image/png', size_bytes: logo.length, hash: sha256(logo) },
  ]
  const read = async (path: string) => dataOf<{ assets?: unknown }>(await pro.call('GET', path))
  expect((await read(`/pages/${page.id}/html`)).assets).toEqual(assets)
  expect((await read(`/pages/${page.id}/versions/1`)).assets).toEqual(assets)
  const bare = await pro.publish({ files: [{ path: 'index.html', html: html('x') }] })
  expect((await read(`/pages/${bare.id}/html`)).assets).toEqual([])
  const file = await pro.publish({ file_base64: base64(pdf()), filename: 'b.pdf' })
  expect((await read(`/pages/${file.id}/versions/1`)).assets).toEqual([
    { path: 'b.pdf', type: 'application/pdf', size_bytes: pdf().length, hash: sha256(pdf()) },
  ])
  const single = await pro.publish({ html: html('single') })
  expect(await read(`/pages/${single.id}/versions/1`)).not.toHaveProperty('assets')
})
