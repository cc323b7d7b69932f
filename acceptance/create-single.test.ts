import { expect, test } from 'bun:test'
import { dataOf, free, other, type Page, pro, visitor } from './client.ts'
import {
  everyCase,
  expectBadContent,
  expectBadParam,
  expectContentHeaders,
  expectJson,
  expectNotice,
  expectPage,
  expectRefusal,
  timestamp,
} from './expect.ts'
import { base64, html, pdf, png, sha256, utf8, word } from './material.ts'
import { origin, unreachable } from './origin.ts'
import { server } from './server.ts'

test('POST /pages with html answers 201 with the page object under data, and it is live', async () => {
  const source = html('Live words', word('Live'))
  const answer = await pro.create({ html: source })
  expectJson(answer, 201)
  expect(Object.keys(answer.json as object)).toEqual(['data', 'warnings'])
  const page = dataOf<Page>(answer, 201)
  expectPage(page)
  expect(page.is_published).toBe(true)
  expect(page.has_unpublished_changes).toBe(false)
  const opened = await visitor.open(page.slug)
  expect(opened.status).toBe(200)
  expect(opened.headers.get('content-type')).toMatch(/^text\/html; ?charset=utf-8$/i)
  expect(opened.text).toBe(source)
  expectContentHeaders(opened, 'html')
})

test('the public URL is {base_url}/p/{slug}', async () => {
  const page = await pro.publish({ html: html('x') })
  expect(page.url).toBe(`${server.url}/p/${page.slug}`)
})

test('ids are pg_ and a time-ordered random part', async () => {
  const ids: string[] = []
  for (let i = 0; i < 4; i += 1) {
    ids.push((await pro.publish({ html: html('x') })).id)
    await Bun.sleep(5)
  }
  for (const id of ids) expect(id).toMatch(/^pg_[0-9A-Za-z]{16,}$/)
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a slug is 12 random characters without look-alikes', async () => {
  let seen = ''
  for (let i = 0; i < 30; i += 1) {
    const { slug } = await pro.publish({ html: html('x') })
    expect(slug).toMatch(/^[0-9A-Za-z]{12}$/)
    seen += slug
  }
  expect(/0/.test(seen) && /[oO]/.test(seen), '0 beside o').toBe(false)
  expect(/1/.test(seen) && /[lI]/.test(seen), '1 beside l').toBe(false)
})

test('timestamps are ISO 8601 UTC with microseconds', async () => {
  const before = Date.now() - 1000
  const page = await pro.publish({ html: html('x') })
  for (const time of [page.created_at, page.updated_at, page.published_at]) {
    expect(time).toMatch(timestamp)
    expect(Date.parse(time!)).toBeGreaterThan(before)
    expect(Date.parse(time!)).toBeLessThan(Date.now() + 1000)
  }
})

test('publish false saves a private draft, not live', async () => {
  const words = word('secret-draft')
  const title = word('Draft')
  const page = await pro.publish({ html: html(words, title), publish: false })
  expectPage(page)
  expect(page.is_published).toBe(false)
  expect(page.published_at).toBeNull()
  expectNotice(await visitor.open(page.slug), 404, [words, title])
  expect((await visitor.open(page.slug)).text).toMatch(/not published/i)
  expect(await pro.draft(page.id)).toContain(words)
})

test('publish must be a boolean', async () => {
  await everyCase(
    [
      ['string', 'false'],
      ['number', 0],
      ['null', null],
    ],
    async (publish) => expectBadParam(await pro.create({ html: html('x'), publish }), 'publish'),
  )
})

test('html must be a string that is not empty', async () => {
  await everyCase(
    [
      ['number', 5],
      ['null', null],
      ['list', ['<p>x</p>']],
      ['object', { html: 'x' }],
      ['boolean', true],
    ],
    async (value) => expectBadParam(await pro.create({ html: value }), 'html'),
  )
  expectBadContent(await pro.create({ html: '' }), 'html')
})

test('html_base64 is decoded to the same HTML', async () => {
  const source = html('Grüße, 世界, 🎈', word('Base'))
  const page = await pro.publish({ html_base64: base64(source) })
  expect(page.kind).toBe('single')
  expect((await visitor.open(page.slug)).text).toBe(source)
  expect(await pro.draft(page.id)).toBe(source)
})

test('html_base64 that is not valid UTF-8, not base64 or empty is 400', async () => {
  await everyCase(
    [
      ['not UTF-8', base64(new Uint8Array([0x3c, 0x70, 0x3e, 0xff, 0xfe]))],
      ['overlong UTF-8', base64(new Uint8Array([0x3c, 0xc0, 0xaf]))],
      ['a surrogate in UTF-8', base64(new Uint8Array([0xed, 0xa0, 0x80]))],
      ['cut in a character', base64(utf8('<p>ü').subarray(0, 4))],
      ['not base64', '<p>Hello</p>'],
      ['empty', ''],
      ['number', 7],
    ],
    async (htmlBase64) =>
      expectBadParam(await pro.create({ html_base64: htmlBase64 }), 'html_base64'),
  )
})

test('sha256 of the HTML bytes is accepted when it matches html or html_base64', async () => {
  const source = html('Prüfsumme', word('Sum'))
  await pro.publish({ html: source, sha256: sha256(source) })
  await pro.publish({ html_base64: base64(source), sha256: sha256(source) })
})

test('a sha256 that does not match is 422 and no page is created', async () => {
  const title = word('Mismatch')
  const source = html('x', title)
  const wrong = sha256('something else')
  expectRefusal(await pro.create({ html: source, sha256: wrong }), 422)
  expectRefusal(await pro.create({ html_base64: base64(source), sha256: wrong }), 422)
  const pages = await pro.everyPage()
  expect(pages.filter((page) => page.title?.startsWith(title))).toEqual([])
})

test('no content source is 400', async () => {
  expectRefusal(await pro.create({}), 400)
  expectRefusal(await pro.create({ title: word('Nothing') }), 400)
  expectRefusal(await pro.create({ publish: false, access: 'link' }), 400)
})

test('two content sources are 400 and no page is created', async () => {
  const title = word('Two')
  const sources = {
    html: html('x'),
    html_base64: base64(html('x')),
    html_url: `https://${unreachable.host}/x.html`,
    files: [{ path: 'index.html', html: html('x') }],
    file_base64: base64(pdf()),
    file_url: `https://${unreachable.host}/x.pdf`,
  }
  const names = Object.keys(sources) as (keyof typeof sources)[]
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const))
  await everyCase(
    pairs.map(([a, b]) => [`${a} and ${b}`, [a, b] as const] as const),
    async ([a, b]) => {
      const fields = { [a]: sources[a], [b]: sources[b], title, filename: 'x.pdf' }
      expectRefusal(await pro.create(fields), 400)
    },
  )
  expect((await pro.everyPage()).filter((page) => page.title === title)).toEqual([])
})

test('an unknown body field is 400 that names it, and no page is created', async () => {
  const title = word('Unknown')
  const error = expectBadParam(
    await pro.create({ html: html('x', title), expires: '2030-01-01' }),
    'expires',
  )
  expect(error.message).toContain('expires')
  await everyCase(
    [
      ['id', 'pg_1'],
      ['url', 'https://example.com'],
      ['views', 0],
      ['is_published', true],
      ['has_unpublished_changes', false],
      ['published_at', '2030-01-01T00:00:00Z'],
      ['created_at', '2030-01-01T00:00:00Z'],
      ['updated_at', '2030-01-01T00:00:00Z'],
      ['kind', 'single'],
      ['file_count', 1],
      ['perm', 'owner'],
      ['__proto__x', 1],
    ],
    async (value, name) =>
      expectBadParam(await pro.create({ html: html('x', title), [name]: value }), name),
  )
  expect((await pro.everyPage()).filter((page) => page.title?.startsWith(title))).toEqual([])
})

test('an omitted title is the <title> of the HTML, else null', async () => {
  const title = word('From the head')
  expect((await pro.publish({ html: html('x', title) })).title).toBe(title)
  expect((await pro.publish({ html: html('x') })).title).toBeNull()
  expect((await pro.publish({ html: '<p>Only a paragraph</p>' })).title).toBeNull()
  const spaced = word('Spaced')
  expect((await pro.publish({ html: html('x', `\n  ${spaced}\n `) })).title).toBe(spaced)
  const escaped = word('Fish')
  expect((await pro.publish({ html: html('x', `${escaped} &amp; chips`) })).title).toBe(
    `${escaped} & chips`,
  )
})

test('a given title overrides the <title>', async () => {
  const input = word('Given')
  const page = await pro.publish({ html: html('x', word('Head')), title: input })
  expect(page.title).toBe(input)
})

test('a derived title that is taken gets (2), (3)', async () => {
  const title = word('Derived')
  const titles: (string | null)[] = []
  for (let i = 0; i < 3; i += 1) {
    titles.push((await pro.publish({ html: html(`x${i}`, title) })).title)
  }
  expect(titles).toEqual([title, `${title} (2)`, `${title} (3)`])
})

test('a duplicate title within the account is 409 and the page is not created', async () => {
  const title = word('Taken')
  await pro.publish({ html: html('first'), title })
  const count = (await pro.everyPage()).length
  expectRefusal(await pro.create({ html: html('second'), title }), 409, 'duplicate_title')
  expectRefusal(
    await pro.create({ html: html('second'), title, publish: false }),
    409,
    'duplicate_title',
  )
  expect((await pro.everyPage()).length).toBe(count)
})

test('titles are compared after NFC and trim, case-sensitively', async () => {
  const stem = word('Caf')
  await pro.publish({ html: html('x'), title: `${stem}é` })
  expectRefusal(
    await pro.create({ html: html('x'), title: `${stem}e\u0301` }),
    409,
    'duplicate_title',
  )
  expectRefusal(await pro.create({ html: html('x'), title: `  ${stem}é ` }), 409, 'duplicate_title')
  const upper = await pro.publish({ html: html('x'), title: `${stem}É` })
  expect(upper.title).toBe(`${stem}É`)
})

test('another account may use the same title', async () => {
  const title = word('Shared')
  await pro.publish({ html: html('x'), title })
  expect((await other.publish({ html: html('x'), title })).title).toBe(title)
})

test('a title has 1 to 200 characters', async () => {
  const longest = word('L').padEnd(200, 'o')
  expect((await pro.publish({ html: html('x'), title: longest })).title).toBe(longest)
  await everyCase(
    [
      ['empty', ''],
      ['only spaces', '   '],
      ['201 characters', word('L').padEnd(201, 'o')],
      ['number', 5],
    ],
    async (title) => expectBadParam(await pro.create({ html: html('x'), title }), 'title'),
  )
})

test('a long <title> gives a title within the limit', async () => {
  const page = await pro.publish({ html: html('x', word('Long').padEnd(300, 'o')) })
  if (page.title !== null) expect(page.title.length).toBeLessThanOrEqual(200)
})

test('slug may be chosen', async () => {
  const slug = word('chosen')
  const page = await pro.publish({ html: html('At my address'), slug })
  expect(page.slug).toBe(slug)
  expect(page.url).toBe(`${server.url}/p/${slug}`)
  expect((await visitor.open(slug)).text).toContain('At my address')
})

test('a chosen slug has 3 to 63 characters of a-z, 0-9 and -, and does not start with -', async () => {
  const short = (Date.now() % 46656).toString(36).padStart(3, '0')
  const shortest = await pro.create({ html: html('x'), slug: short })
  if (shortest.status !== 409) expect(dataOf<Page>(shortest, 201).slug).toBe(short)
  const longest = word('l').padEnd(63, 'x')
  expect((await pro.publish({ html: html('x'), slug: longest })).slug).toBe(longest)
  await everyCase(
    [
      ['two characters', 'ab'],
      ['64 characters', word('l').padEnd(64, 'x')],
      ['upper case', 'My-Page'],
      ['a leading -', '-page'],
      ['an underscore', 'my_page'],
      ['a slash', 'my/page'],
      ['a dot', 'my.page'],
      ['a space', 'my page'],
      ['not ASCII', 'müde'],
      ['a line end', 'page\n'],
      ['empty', ''],
      ['number', 123],
    ],
    async (slug) => expectBadParam(await pro.create({ html: html('x'), slug }), 'slug'),
  )
})

test('a slug that is taken, by any account, is 409 slug_taken', async () => {
  const slug = word('taken')
  await pro.publish({ html: html('mine'), slug })
  expectRefusal(await pro.create({ html: html('x'), slug }), 409, 'slug_taken')
  expectRefusal(await other.create({ html: html('theirs'), slug }), 409, 'slug_taken')
  expect((await visitor.open(slug)).text).toContain('mine')
})

test('a slug that was given up is refused to other accounts, and may be taken again by its own', async () => {
  const slug = word('given-up')
  const page = await pro.publish({ html: html('x'), slug })
  await pro.update(page.id, { slug: word('moved') })
  expectRefusal(await other.create({ html: html('theirs'), slug }), 409, 'slug_taken')
  const again = await pro.publish({ html: html('again'), slug })
  await pro.call('DELETE', `/pages/${again.id}`)
  expectRefusal(await other.create({ html: html('theirs'), slug }), 409, 'slug_taken')
  expect((await visitor.open(slug)).status).toBe(404)
})

test('pages created through the API have perm owner and source api', async () => {
  for (const owner of [pro, free]) {
    const page = await owner.publish({ html: html('x') })
    expect(page.perm).toBe('owner')
    expect(page.source).toBe('api')
  }
})

test('the HTML is stored byte for byte', async () => {
  const source = '<!DOCTYPE html>\r\n<P CLASS=a>  two  spaces\t&nbsp;</P  >\r\n\u2028<br/>\n\n'
  const page = await pro.publish({ html: source })
  expect(await pro.draft(page.id)).toBe(source)
  expect((await visitor.open(page.slug)).text).toBe(source)
})

test.skipIf(!server.own)('html_url is fetched from a public https URL', async () => {
  const title = word('Fetched')
  const source = html('From afar: Grüße', title)
  const page = await pro.publish({
    html_url: origin.put('page.html', { body: source }),
    sha256: sha256(source),
  })
  expectPage(page)
  expect(page.title).toBe(title)
  expect((await visitor.open(page.slug)).text).toBe(source)
})

test.skipIf(!server.own)('html_url with a sha256 that does not match is 422', async () => {
  const htmlUrl = origin.put('page.html', { body: html('From afar') })
  expectRefusal(await pro.create({ html_url: htmlUrl, sha256: sha256('other') }), 422)
})

test.skipIf(!server.own)('html_url follows redirects, each checked again', async () => {
  const target = origin.put('page.html', { body: html('At the end of the way') })
  const redirect = (location: string, status = 302) =>
    origin.put('go', { body: '', status, location })
  await everyCase(
    [301, 302, 303, 307, 308].map((status) => [`${status}`, status] as const),
    async (status) => {
      const page = await pro.publish({ html_url: redirect(target, status) })
      expect((await visitor.open(page.slug)).text).toContain('At the end of the way')
    },
  )
  const relative = redirect(new URL(target).pathname)
  expect((await pro.publish({ html_url: relative })).kind).toBe('single')
  await everyCase(
    [
      ['to loopback', `https://127.0.0.1:1/x`],
      ['to http', target.replace('https:', 'http:')],
      ['to a private host', 'https://10.0.0.1/x'],
      ['to the metadata host', 'https://169.254.169.254/latest/meta-data/'],
      ['to a file', 'file:///etc/passwd'],
      ['to ourselves', `${server.url}/readyz`],
    ],
    async (location) => expectRefusal(await pro.create({ html_url: redirect(location) }), 400),
  )
})

test.skipIf(!server.own)('html_url follows at most 5 redirects', async () => {
  let five = origin.put('page.html', { body: html('Near enough') })
  for (let hop = 0; hop < 5; hop += 1) {
    five = origin.put(`hop${hop}`, { body: '', status: 302, location: five })
  }
  expect((await pro.create({ html_url: five })).status).toBe(201)
  const six = origin.put('hop', { body: '', status: 302, location: five })
  expectRefusal(await pro.create({ html_url: six }), 400)
})

test('html_url must be https', async () => {
  await everyCase(
    [
      ['http', 'http://example.com/'],
      ['ftp', 'ftp://example.com/'],
      ['file', 'file:///etc/passwd'],
      ['data', 'data:text/html,<p>x</p>'],
      ['no scheme', 'example.com/page.html'],
      ['not a URL', 'https://'],
      ['empty', ''],
    ],
    async (htmlUrl) => expectBadContent(await pro.create({ html_url: htmlUrl }), 'html_url'),
  )
  expectBadParam(await pro.create({ html_url: 5 }), 'html_url')
})

const blockedHosts = [
  'https://localhost/',
  'https://localhost./',
  'https://handbill.localhost/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.255.255.254/',
  'https://2130706433/',
  'https://0x7f.0.0.1/',
  'https://017700000001/',
  'https://127.0.0.1./',
  'https://①②⑦.⓪.⓪.①/',
  'https://0.0.0.0/',
  'https://0.1.2.3/',
  'https://10.1.2.3/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fc00::1]/',
  'https://[fd12:3456::1]/',
  'https://[fe80::1]/',
  'https://[ff02::1]/',
  'https://metadata.google.internal/',
]

test('private, internal, loopback and metadata hosts are blocked with the same error', async () => {
  const errors = new Set<string>()
  await everyCase(
    blockedHosts.map((url) => [url, url] as const),
    async (htmlUrl) => {
      const error = expectRefusal(await pro.create({ html_url: htmlUrl }), 400)
      errors.add(`${error.code}: ${error.message}`)
    },
  )
  expect([...errors]).toHaveLength(1)
  if (!server.own) return
  const closed = await pro.create({ html_url: `https://${unreachable.host}/` })
  const error = expectRefusal(closed, 400)
  expect([...errors], 'as an address where nobody listens').toEqual([
    `${error.code}: ${error.message}`,
  ])
}, 30_000)

test('a URL with credentials in it is not fetched', async () => {
  const url = `https://user:secret@${origin.host}/x.html`
  const before = origin.requestCount()
  const answer = await pro.create({ html_url: url })
  expectRefusal(answer, 400)
  expect(answer.text).not.toContain('secret')
  expect(origin.requestCount()).toBe(before)
})

test.skipIf(!server.own)('a fetch carries no credentials and asks for no encoding', async () => {
  await pro.publish({ html_url: origin.put('x.html', { body: html('x') }) })
  const headers = origin.lastHeaders()
  expect(headers.get('authorization')).toBeNull()
  expect(headers.get('cookie')).toBeNull()
  expect(headers.get('accept-encoding') ?? 'identity').toBe('identity')
  const body = Bun.gzipSync(html('packed'))
  const packed = origin.put('packed.html', { body, encoding: 'gzip' })
  expectRefusal(await pro.create({ html_url: packed }), 400)
})

test('HTML that names no encoding is read as browsers read it, with a warning', async () => {
  const { id } = await pro.upload(Buffer.from('<title>x</title>\n<p>caf\xe9 \x93', 'latin1'))
  const { json } = await pro.create({ html_upload: id, title: word('Old') })
  const { data, warnings } = json as { data: Page; warnings: { code: string; line: number }[] }
  expect((await visitor.open(data.slug)).text).toContain('<p>café “')
  expect(warnings).toMatchObject([{ code: 'guessed_encoding', path: null, line: 2 }])
})

test.skipIf(!server.own)('an html_url that fails is 400 and no page is created', async () => {
  const title = word('Failing')
  await everyCase(
    [
      ['404', `https://${origin.host}/nothing`],
      ['500', origin.put('x', { body: html('x'), status: 500 })],
      ['nobody listens', `https://${unreachable.host}/x`],
      ['empty', origin.put('x', { body: '' })],
      ['an image', origin.put('x', { body: png() })],
    ],
    async (htmlUrl) => expectRefusal(await pro.create({ html_url: htmlUrl, title }), 400),
  )
  expect((await pro.everyPage()).filter((page) => page.title === title)).toEqual([])
})

test('a page has the size and SHA-256 of the content received, from every source', async () => {
  const text = html(word('received'), word('title'))
  const { id: htmlUpload } = await pro.upload(text)
  const deck = [{ path: 'index.html', html: text }]
  const sizeBytes = utf8(text).byteLength
  for (const source of [
    { html: text },
    { html_base64: base64(text) },
    { html_upload: htmlUpload },
  ]) {
    const page = await pro.publish({ ...source, title: word('title') })
    const received = { size_bytes: sizeBytes, sha256: sha256(text) }
    expect(page).toMatchObject(received)
    expect(await pro.page(page.id)).toMatchObject(received)
    const { data } = await pro.list('?limit=1')
    expect(data[0]).toMatchObject({ id: page.id, ...received })
  }
  expect(await pro.publish({ files: deck })).toMatchObject({ size_bytes: sizeBytes, sha256: null })
})
