import { expect, test } from 'bun:test'
import { pro, send, visitor } from './client.ts'
import { everyCase, expectBadContent, expectBadParam, expectPage, expectRefusal } from './expect.ts'
import { base64, font, gif, html, ico, jpeg, pdf, png, svg, utf8, webp, word } from './material.ts'

const index = { path: 'index.html', html: html('The cover') }

test('a deck has kind bundle, its entry and its number of HTML files', async () => {
  const title = word('Deck')
  const page = await pro.publish({
    files: [
      { path: 'team.html', html: html('The team', 'Team') },
      { path: 'index.html', html: html('The cover', title) },
      { path: 'about/index.html', html: html('About us') },
    ],
    assets: [{ path: 'img/logo.png', data_base64: base64(png()) }],
  })
  expectPage(page)
  expect(page.kind).toBe('bundle')
  expect(page.entry_path).toBe('index.html')
  expect(page.file_count, 'assets are not HTML files').toBe(3)
  expect(page.file).toBeNull()
  expect(page.title, 'the <title> of the entry').toBe(title)
  expect(page.is_published).toBe(true)
  expect(page.has_unpublished_changes).toBe(false)
})

test('entry defaults to index.html, else the shallowest file', async () => {
  await everyCase(
    [
      ['index.html', ['a.html', 'index.html']],
      ['start.html', ['deep/down/a.html', 'deep/b.html', 'start.html']],
      ['start.html', ['deep/index.html', 'start.html']],
      ['one/b.html', ['one/two/a.html', 'one/b.html']],
      ['only.html', ['only.html']],
    ] as const,
    async (paths, entry) => {
      const files = paths.map((path) => ({ path, html: html(`This is ${path}`) }))
      const page = await pro.publish({ files })
      expect(page.entry_path).toBe(entry)
      const opened = await visitor.open(page.slug)
      expect(opened.status).toBe(307)
      const entered = await visitor.follow(page.slug)
      expect(entered.text).toContain(`This is ${entry}`)
    },
  )
})

test('entry may be given', async () => {
  const page = await pro.publish({
    files: [index, { path: 'slides/one.html', html: html('First slide') }],
    entry: 'slides/one.html',
  })
  expect(page.entry_path).toBe('slides/one.html')
  expect((await visitor.follow(page.slug)).text).toContain('First slide')
})

test('an entry that is not one of the files is 400', async () => {
  expectBadParam(await pro.create({ files: [index], entry: 'nowhere.html' }), 'entry')
  expectBadParam(
    await pro.create({
      files: [index],
      assets: [{ path: 'a.css', data_base64: base64('p{}') }],
      entry: 'a.css',
    }),
    'entry',
  )
  expectBadParam(await pro.create({ files: [index], entry: 5 }), 'entry')
})

test('a bad path in a deck is 400', async () => {
  const paths = [
    '',
    '/',
    '..',
    '../up.html',
    'a/../b.html',
    'a/..',
    'a//b.html',
    'a\\b.html',
    '..\\up.html',
    'a/',
  ]
  await everyCase(
    paths.map((path) => [JSON.stringify(path).slice(0, 40), path] as const),
    async (path) => {
      const title = word('Bad path')
      const files = [index, { path, html: html('x') }]
      expectBadContent(await pro.create({ files, title }), 'files')
      const assets = [{ path: path.replace('.html', '.css'), data_base64: base64('p{}') }]
      expectBadContent(await pro.create({ files: [index], assets, title }), 'assets')
    },
  )
})

test('a file that cannot be kept is left out with a warning, and the deck is published', async () => {
  const long = `${'x'.repeat(5000)}.html`
  const deep = `${'d/'.repeat(31)}a.html`
  const names = ['a\u0000.html', 'a\n.html', '~v1.cap/x.html', '~x.html', '~/x.html', long, deep]
  const files = [index, ...names.map((path) => ({ path, html: html('x') }))]
  const { data, warnings } = (await pro.create({ files })).json as {
    data: { file_count: number }
    warnings: { code: string; path: string; message: string }[]
  }
  expect(data.file_count).toBe(1)
  expect(warnings.map(({ code, path }) => [code, path])).toEqual(
    names.map((path) => ['left_out', path === long ? `${long.slice(0, 100)}…` : path]),
  )
  for (const { message } of warnings)
    expect(message).toMatch(/left out: its path (?:is|has|con|st)/)
  expectBadContent(await pro.create({ files: files.slice(1) }), 'files')
})

test('folders may be 30 deep or named ~user, and names may differ in case only', async () => {
  const paths = ['~ann/index.html', `${'d/'.repeat(30)}a.html`, 'a/Team.html', 'a/team.html']
  const page = await pro.publish({
    files: [index, ...paths.map((path) => ({ path, html: html(path) }))],
  })
  expect(page.entry_path).toBe('index.html')
  for (const path of paths) {
    const served = await send(`/p/${page.slug}/${path.replace('index.html', '')}`)
    expect([served.status, served.text.includes(path)]).toEqual([200, true])
  }
  expect((await send(`/p/${page.slug}/~cap/index.html`)).status).toBe(404)
})

test('two files, or a file and an asset, under one path are 400', async () => {
  expectRefusal(await pro.create({ files: [index, { ...index, html: html('again') }] }), 400)
  const asset = { path: 'a.css', data_base64: base64('p{}') }
  expectRefusal(await pro.create({ files: [index], assets: [asset, asset] }), 400)
})

test('files must be a list of { path, html } that is not empty', async () => {
  await everyCase(
    [
      ['empty', []],
      ['string', 'index.html'],
      ['object', { 'index.html': html('x') }],
      ['null', null],
      ['a list of strings', ['index.html']],
      ['without path', [{ html: html('x') }]],
      ['without html', [{ path: 'index.html' }]],
      ['html not a string', [{ path: 'index.html', html: 5 }]],
      ['path not a string', [{ path: 5, html: html('x') }]],
      ['an unknown member', [{ ...index, mime: 'text/html' }]],
    ],
    async (files) => expectBadParam(await pro.create({ files }), 'files'),
  )
})

test('assets must be a list of { path, data_base64 }, and need files', async () => {
  const good = { path: 'a.css', data_base64: base64('p{}') }
  await everyCase(
    [
      ['string', 'a.css'],
      ['without path', [{ data_base64: base64('p{}') }]],
      ['without data', [{ path: 'a.css' }]],
      ['data not base64', [{ path: 'a.css', data_base64: '§§§' }]],
      ['data not a string', [{ path: 'a.css', data_base64: 5 }]],
      ['an unknown member', [{ ...good, mime: 'text/css' }]],
    ],
    async (assets) => expectBadParam(await pro.create({ files: [index], assets }), 'assets'),
  )
  expectRefusal(await pro.create({ assets: [good] }), 400)
})

const assetTypes: Record<string, [RegExp, Uint8Array]> = {
  'a.png': [/^image\/png$/, png()],
  'a.jpg': [/^image\/jpeg$/, jpeg()],
  'a.jpeg': [/^image\/jpeg$/, jpeg()],
  'a.webp': [/^image\/webp$/, webp()],
  'a.gif': [/^image\/gif$/, gif()],
  'a.svg': [/^image\/svg\+xml(;|$)/, svg()],
  'a.ico': [/^image\/(x-icon|vnd\.microsoft\.icon)$/, ico()],
  'a.css': [/^text\/css(;|$)/, utf8('p{color:red}')],
  'a.js': [/^(text|application)\/javascript(;|$)/, utf8('console.log(1)')],
  'a.woff': [/^font\/woff$/, font('woff')],
  'a.woff2': [/^font\/woff2$/, font('woff2')],
  'a.ttf': [/^font\/ttf$/, font('ttf')],
  'a.otf': [/^font\/otf$/, font('otf')],
  'a.json': [/^application\/json(;|$)/, utf8('{"a":1}')],
}

/** Beyond the types that the interface document names. */
const moreAssetTypes: Record<string, [RegExp, Uint8Array]> = {
  'a.txt': [/^text\/plain(;|$)/, utf8('notes')],
  'a.md': [/^text\/plain(;|$)/, utf8('# Notes')],
  'a.csv': [/^text\/csv(;|$)/, utf8('a,b\n1,2')],
  // As XML, a browser would run the scripts of XHTML.
  'a.xml': [/^text\/plain(;|$)/, utf8('<html xmlns="http://www.w3.org/1999/xhtml"/>')],
  'a.geojson': [/^application\/geo\+json(;|$)/, utf8('{"type":"FeatureCollection"}')],
  'a.js.map': [/^application\/json(;|$)/, utf8('{"version":3}')],
  'a.webmanifest': [/^application\/manifest\+json(;|$)/, utf8('{"name":"App"}')],
  'a.wasm': [/^application\/wasm$/, latin1('\0asm\x01\0\0\0')],
  'a.avif': [/^image\/avif$/, latin1('\0\0\0\x1cftypavif\0\0\0\0mif1avifmiaf')],
  'a.mp4': [/^video\/mp4$/, latin1('\0\0\0\x18ftypisom\0\0\x02\0isommp41')],
  'a.webm': [/^video\/webm$/, latin1('\x1a\x45\xdf\xa3\x9fB\x86\x81\x01')],
  'a.mp3': [/^audio\/mpeg$/, latin1('ID3\x04\0\0\0\0\0\0')],
  'a.wav': [/^audio\/wav$/, latin1('RIFF\x24\0\0\0WAVEfmt ')],
  'a.pdf': [/^application\/pdf$/, pdf()],
}

function latin1(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'))
}

test('assets may be PNG, JPG, WebP, GIF, SVG, ICO, CSS, JS, WOFF, WOFF2, TTF, OTF and JSON', () =>
  expectServed(assetTypes))

test('assets may be text, data, WASM, AVIF, audio, video and PDF, too', () =>
  expectServed(moreAssetTypes))

async function expectServed(types: typeof assetTypes): Promise<void> {
  const assets = Object.entries(types).map(([path, [, bytes]]) => ({
    path: `assets/${path}`,
    data_base64: base64(bytes),
  }))
  const page = await pro.publish({ files: [index], assets })
  await everyCase(Object.entries(types), async ([type, bytes], path) => {
    const answer = await send(`/p/${page.slug}/assets/${path}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(type)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(Buffer.from(answer.bytes).equals(Buffer.from(bytes)), 'the same bytes').toBe(true)
  })
}

test('an asset of any other type is kept, and what no browser shows is saved', async () => {
  const types: [path: string, type: string, isSaved?: boolean][] = [
    ['a.exe', 'application/octet-stream', true],
    ['a.sqlite', 'application/octet-stream', true],
    ['noextension', 'application/octet-stream', true],
    ['a.zip', 'application/zip'],
    ['a.php', 'text/plain; charset=utf-8'],
    ['a.xhtml', 'text/plain; charset=utf-8'],
    ['a.glb', 'model/gltf-binary'],
  ]
  const bytes = utf8('<script>alert(1)</script>')
  const assets = types.map(([path]) => ({ path, data_base64: base64(bytes) }))
  const { slug } = await pro.publish({ files: [index], assets })
  await everyCase(
    types.map((each) => [each[0], each]),
    async ([path, type, isSaved = false]) => {
      const { status, headers, bytes: sent } = await send(`/p/${slug}/${path}`)
      expect([status, headers.get('content-type')]).toEqual([200, type])
      expect(headers.get('content-disposition')).toBe(isSaved ? 'attachment' : null)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toMatch(/^(?:sandbox|default-src 'none')/)
      expect(Buffer.from(sent).equals(Buffer.from(bytes))).toBe(true)
    },
  )
})

test('paths may hold spaces and letters of any script', async () => {
  const page = await pro.publish({
    files: [
      { path: 'über uns.html', html: html('Über uns') },
      { path: 'チーム/紹介.html', html: html('チーム') },
    ],
    assets: [{ path: 'img/team photo.css', data_base64: base64('p{color:blue}') }],
    entry: 'über uns.html',
  })
  expect(page.entry_path).toBe('über uns.html')
  expect((await visitor.follow(page.slug)).text).toContain('Über uns')
  const japanese = await send(`/p/${page.slug}/${encodeURI('チーム/紹介.html')}`)
  expect(japanese.text).toContain('チーム')
  expect((await send(`/p/${page.slug}/img/team%20photo.css`)).text).toBe('p{color:blue}')
})

test('a deck with one invalid part creates nothing', async () => {
  const title = word('Half')
  const files = [index, { path: '../x.html', html: html('x') }]
  expectRefusal(await pro.create({ files, title }), 400)
  expect((await pro.everyPage()).filter((page) => page.title === title)).toEqual([])
  expect((await pro.publish({ files: [index], title })).title).toBe(title)
})
