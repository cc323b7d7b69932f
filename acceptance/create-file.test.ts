import { expect, test } from 'bun:test'
import { type Answer, pro, visitor } from './client.ts'
import { everyCase, expectBadContent, expectBadParam, expectPage, expectRefusal } from './expect.ts'
import { base64, gif, html, jpeg, pdf, png, svg, utf8, webp, word, zip } from './material.ts'
import { origin } from './origin.ts'
import { server } from './server.ts'

const kinds: [string, string, Uint8Array][] = [
  ['pdf', 'application/pdf', pdf()],
  ['png', 'image/png', png()],
  ['jpg', 'image/jpeg', jpeg()],
  ['jpeg', 'image/jpeg', jpeg()],
  ['webp', 'image/webp', webp()],
  ['gif', 'image/gif', gif()],
]

function same(answer: Answer, bytes: Uint8Array): boolean {
  return Buffer.from(answer.bytes).equals(Buffer.from(bytes))
}

test('file_base64 accepts a PDF, PNG, JPG, WebP or GIF, shown inline', async () => {
  await everyCase(
    kinds.map((kind) => [kind[0], kind] as const),
    async ([extension, mime, bytes]) => {
      const filename = `${word('Report')}.${extension}`
      const page = await pro.publish({ file_base64: base64(bytes), filename })
      expectPage(page)
      expect(page.kind).toBe('single')
      expect(page.file_count).toBe(1)
      expect(page.entry_path).toBeNull()
      expect(page.file).toEqual({ name: filename, mime, size_bytes: bytes.length })
      const opened = await visitor.open(page.slug)
      expect(opened.status).toBe(200)
      expect(opened.headers.get('content-type')).toBe(mime)
      expect(same(opened, bytes)).toBe(true)
      const disposition = opened.headers.get('content-disposition') ?? ''
      expect(disposition).toMatch(/^inline\b/)
      expect(disposition).toContain(filename)
    },
  )
})

test('filename sets the title, which a given title overrides', async () => {
  const filename = `${word('Plan')}.pdf`
  const page = await pro.publish({ file_base64: base64(pdf()), filename })
  expect(page.title).toBe(filename)
  const title = word('The plan')
  const titled = await pro.publish({ file_base64: base64(pdf()), filename, title })
  expect(titled.title).toBe(title)
  expect(titled.file?.name).toBe(filename)
})

test('a derived title of a file that is taken gets (2)', async () => {
  const filename = `${word('Twice')}.pdf`
  await pro.publish({ file_base64: base64(pdf()), filename })
  const second = await pro.publish({ file_base64: base64(pdf('again')), filename })
  expect(second.title).toContain('(2)')
})

test('mime may be passed', async () => {
  const page = await pro.publish({
    file_base64: base64(png()),
    filename: `${word('shot')}.png`,
    mime: 'image/png',
  })
  expect(page.file?.mime).toBe('image/png')
})

test('a wrong mime never decides how the file is served', async () => {
  const answer = await pro.create({
    file_base64: base64(pdf()),
    filename: `${word('lie')}.pdf`,
    mime: 'text/html',
  })
  if (answer.status === 201) {
    const { slug } = (answer.json as { data: { slug: string } }).data
    expect((await visitor.open(slug)).headers.get('content-type')).toBe('application/pdf')
  } else {
    expectRefusal(answer, 400)
  }
})

test('SVG, Office documents, spreadsheets and everything else are unsupported: 400', async () => {
  await everyCase(
    [
      ['picture.svg', svg()],
      ['letter.docx', zip()],
      ['slides.pptx', zip()],
      ['sheet.xlsx', zip()],
      ['sheet.csv', utf8('a,b\n1,2\n')],
      ['notes.txt', utf8('Just words')],
      ['page.html', utf8(html('x'))],
      ['archive.zip', zip()],
      ['program.exe', utf8('MZ')],
    ] as const,
    async (bytes, filename) =>
      expectRefusal(await pro.create({ file_base64: base64(bytes), filename }), 400),
  )
})

test('a file whose content does not match its name is 400', async () => {
  await everyCase(
    [
      ['HTML called PDF', ['a.pdf', utf8(html('x'))]],
      ['HTML called PNG', ['a.png', utf8('<script>alert(1)</script>')]],
      ['SVG called PNG', ['a.png', svg()]],
      ['ZIP called PDF', ['a.pdf', zip()]],
    ] as const,
    async ([filename, bytes]) =>
      expectRefusal(await pro.create({ file_base64: base64(bytes), filename }), 400),
  )
})

test('file_base64 that is not base64, or empty, is 400', async () => {
  await everyCase(
    [
      ['empty', ''],
      ['not base64', '%PDF-1.4 §§'],
    ],
    async (fileBase64) =>
      expectBadContent(
        await pro.create({ file_base64: fileBase64, filename: 'a.pdf' }),
        'file_base64',
      ),
  )
  for (const fileBase64 of [5, [1, 2, 3]]) {
    expectBadParam(await pro.create({ file_base64: fileBase64, filename: 'a.pdf' }), 'file_base64')
  }
})

test('a filename with quotes, line breaks or other scripts adds no header', async () => {
  const filename = `"${word('Bericht')}; x=äöü 報告".pdf`
  const page = await pro.publish({ file_base64: base64(pdf()), filename })
  const opened = await visitor.open(page.slug)
  const disposition = opened.headers.get('content-disposition') ?? ''
  expect(disposition).toMatch(/^inline; /)
  expect(disposition).toContain("filename*=UTF-8''")
  expect(disposition).toContain(encodeURIComponent('報告'))
  const broken = await pro.create({
    file_base64: base64(pdf()),
    filename: 'a\r\nX-Injected: yes.pdf',
  })
  if (broken.status === 201) {
    const { slug } = (broken.json as { data: { slug: string } }).data
    expect((await visitor.open(slug)).headers.get('x-injected')).toBeNull()
  } else {
    expectRefusal(broken, 400)
  }
})

test('publish false keeps a file private', async () => {
  const filename = `${word('Hidden')}.pdf`
  const page = await pro.publish({ file_base64: base64(pdf()), filename, publish: false })
  const opened = await visitor.open(page.slug)
  expect(opened.status).toBe(404)
  expect(opened.text).not.toContain('%PDF')
  expect(opened.text).not.toContain(filename)
})

test.skipIf(!server.own)('file_url fetches a PDF or image', async () => {
  await everyCase(
    kinds.map((kind) => [kind[0], kind] as const),
    async ([extension, mime, bytes]) => {
      const name = `${word('remote')}.${extension}`
      const fileUrl = origin.put(name, { body: bytes, type: mime })
      const page = await pro.publish({ file_url: fileUrl })
      expectPage(page)
      expect(page.file).toEqual({ name, mime, size_bytes: bytes.length })
      expect(page.title).toBe(name)
      expect(same(await visitor.open(page.slug), bytes)).toBe(true)
    },
  )
})

test.skipIf(!server.own)(
  'filename is inferred from the URL when omitted with file_url',
  async () => {
    const stem = word('Quartal')
    const url = origin.put(`${stem}%20Bericht.pdf`, { body: pdf(), type: 'application/pdf' })
    const page = await pro.publish({ file_url: `${url}?download=1#page=2` })
    expect(page.file?.name).toBe(`${stem} Bericht.pdf`)
    const filename = `${word('Own name')}.pdf`
    const named = await pro.publish({ file_url: url, filename })
    expect(named.file?.name).toBe(filename)
    expect(named.title).toBe(filename)
  },
)

test.skipIf(!server.own)('file_url of an unsupported type is 400', async () => {
  await everyCase(
    [
      ['a.svg', [svg(), 'image/svg+xml']],
      ['a.docx', [zip(), 'application/zip']],
      ['a.pdf', [utf8(html('x')), 'application/pdf']],
      ['a.html', [utf8(html('x')), 'text/html']],
    ] as const,
    async ([body, type], name) =>
      expectRefusal(await pro.create({ file_url: origin.put(name, { body, type }) }), 400),
  )
})

test('file_url has the same host blocking and redirect checks as html_url', async () => {
  const hosts = [
    'http://example.com/a.pdf',
    'https://localhost/a.pdf',
    'https://127.0.0.1/a.pdf',
    'https://[::1]/a.pdf',
    'https://[::ffff:7f00:1]/a.pdf',
    'https://10.0.0.1/a.pdf',
    'https://169.254.169.254/a.pdf',
    'https://metadata.google.internal/a.pdf',
  ]
  await everyCase(
    hosts.map((url) => [url, url] as const),
    async (fileUrl) => expectRefusal(await pro.create({ file_url: fileUrl }), 400),
  )
  if (!server.own) return
  const location = 'https://127.0.0.1:1/a.pdf'
  const fileUrl = origin.put('a.pdf', { body: '', status: 302, location })
  expectRefusal(await pro.create({ file_url: fileUrl }), 400)
}, 20_000)
