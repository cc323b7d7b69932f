import { expect, test } from 'bun:test'
import { free, other, pro, send, type Upload, visitor } from './client.ts'
import { everyCase, expectRefusal, timestamp } from './expect.ts'
import { base64, html, htmlOfSize, pdf, pdfOfSize, png, sha256, word } from './material.ts'

const sixMb = htmlOfSize(6_000_000, 'a large page')

test('POST /uploads answers id, sha256, size_bytes and expires_at', async () => {
  const bytes = pdf()
  const answer = await pro.sendUpload(new Blob([bytes as BlobPart]))
  expect([200, 201]).toContain(answer.status)
  const { data } = answer.json as { data: Upload }
  expect(Object.keys(data).sort()).toEqual(['expires_at', 'id', 'sha256', 'size_bytes'])
  expect(data.sha256).toBe(sha256(bytes))
  expect(data.size_bytes).toBe(bytes.length)
  expect(data.expires_at).toMatch(timestamp)
  expect(Date.parse(data.expires_at)).toBeGreaterThan(Date.now())
})

test('an upload may be larger than a body', async () => {
  const upload = await pro.upload(sixMb)
  expect(upload.size_bytes).toBe(6_000_000)
  expect(upload.sha256).toBe(sha256(sixMb))
  const page = await pro.publish({ html_upload: upload.id })
  expect((await visitor.open(page.slug)).text).toBe(sixMb)
})

test('an upload may be chunked, without a length', async () => {
  const bytes = pdfOfSize(5_500_000)
  const stream = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 100_000) {
        controller.enqueue(bytes.subarray(at, at + 100_000))
      }
      controller.close()
    },
  })
  const answer = await pro.sendUpload(stream)
  const { data } = answer.json as { data: Upload }
  expect(data).toMatchObject({ size_bytes: bytes.length, sha256: sha256(bytes) })
})

test('html_upload creates a single page, with the title of its HTML', async () => {
  const title = word('Uploaded')
  const upload = await pro.upload(html('uploaded words', title))
  const page = await pro.publish({ html_upload: upload.id })
  expect(page).toMatchObject({ kind: 'single', title, file: null })
  expect((await visitor.open(page.slug)).text).toContain('uploaded words')
  expect(await pro.draft(page.id)).toContain('uploaded words')
})

test('file_upload with filename creates a PDF or image page', async () => {
  const bytes = png()
  const upload = await pro.upload(bytes)
  const filename = `${word('shot')}.png`
  const page = await pro.publish({ file_upload: upload.id, filename })
  expect(page.file).toEqual({ name: filename, mime: 'image/png', size_bytes: bytes.length })
  const opened = await visitor.open(page.slug)
  expect(Buffer.from(opened.bytes).equals(Buffer.from(bytes))).toBe(true)
})

test('files and assets of a deck accept uploads', async () => {
  const file = await pro.upload(html('the second file'))
  const asset = await pro.upload(png())
  const page = await pro.publish({
    files: [
      { path: 'index.html', html: html('the cover') },
      { path: 'b.html', upload: file.id },
    ],
    assets: [
      { path: 'a.png', upload: asset.id },
      { path: 'a.css', data_base64: base64('p{}') },
    ],
  })
  expect(page.file_count).toBe(2)
  expect((await send(`/p/${page.slug}/b.html`)).text).toContain('the second file')
  expect((await send(`/p/${page.slug}/a.png`)).headers.get('content-type')).toBe('image/png')
})

test('PATCH accepts uploads where it accepts content', async () => {
  const single = await pro.publish({ html: html('one') })
  const upload = await pro.upload(sixMb)
  await pro.update(single.id, { html_upload: upload.id })
  expect(await pro.draft(single.id)).toBe(sixMb)
  const filename = `${word('f')}.pdf`
  const file = await pro.publish({ file_base64: base64(pdf('one')), filename })
  const second = await pro.upload(pdf('two'))
  await pro.update(file.id, { file_upload: second.id, filename })
  await pro.goLive(file.id)
  expect((await visitor.open(file.slug)).text).toContain('(two)')
})

test('an unknown upload and one of another account get the same refusal', async () => {
  const theirs = await other.upload(html(word('theirs')))
  const unknown = `${theirs.id.slice(0, -6)}zzzzzz`
  const answers = []
  for (const htmlUpload of [theirs.id, unknown]) {
    const answer = await pro.create({ html_upload: htmlUpload })
    expect([400, 404, 422]).toContain(answer.status)
    answers.push(expectRefusal(answer, answer.status))
  }
  const [mine, nobodys] = answers
  expect(mine!.code).toBe(nobodys!.code)
  expect(mine!.message.replace(theirs.id, '')).toBe(nobodys!.message.replace(unknown, ''))
})

test('uploaded content is validated like any other', async () => {
  const binary = await pro.upload(png())
  expectRefusal(await pro.create({ html_upload: binary.id }), 400)
  const page = await pro.upload(html('x'))
  expectRefusal(await pro.create({ file_upload: page.id, filename: 'a.pdf' }), 400)
  await everyCase(
    [
      ['with html', { html: html('y') }],
      ['with files', { files: [{ path: 'index.html', html: html('y') }] }],
      ['with file_base64', { file_base64: base64(pdf()), filename: 'a.pdf' }],
    ],
    async (fields) => {
      const both = { html_upload: page.id, ...(fields as object) }
      expectRefusal(await pro.create(both), 400)
    },
  )
})

test('an upload over the plan’s cap is 413 as JSON', async () => {
  const answer = await free.sendUpload(new Blob([sixMb]))
  expectRefusal(answer, 413)
})

test('an upload needs a key', async () => {
  const answer = await send('/api/v1/uploads', { method: 'POST', body: 'x' })
  expectRefusal(answer, 401)
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
})
