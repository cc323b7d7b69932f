import { expect, test } from 'bun:test'
import { type Answer, browser, type DeckFile, pro, send, visitor } from './client.ts'
import {
  everyCase,
  expectContentHeaders,
  expectGate,
  expectNotice,
  expectRefusal,
} from './expect.ts'
import { person } from './gates/person.ts'
import { base64, font, gif, html, jpeg, pdf, png, svg, utf8, webp, word } from './material.ts'
import { exchange, head } from './raw.ts'
import { server } from './server.ts'

const stylesheet = 'p{color:red}'

function deckOf(more: DeckFile[] = []) {
  return pro.publish({
    files: [
      { path: 'index.html', html: html('the cover') },
      { path: 'team.html', html: html('the team') },
      { path: 'about/index.html', html: html('about us') },
      { path: 'about/more.html', html: html('more about us') },
      ...more,
    ],
    assets: [
      { path: 'img/logo.png', data_base64: base64(png()) },
      { path: 'style.css', data_base64: base64(stylesheet) },
    ],
  })
}

/** The path of the `Location` header, whether it is a path or a whole URL. */
function location(answer: Answer, from: string): string {
  const address = answer.headers.get('location')
  expect(address, 'a Location').not.toBeNull()
  const url = new URL(address!, server.url + from)
  expect(url.origin).toBe(new URL(server.url).origin)
  return url.pathname
}

test('a single page is served at /p/{slug}', async () => {
  const source = html('Hello there')
  const page = await pro.publish({ html: source })
  const opened = await visitor.open(page.slug)
  expect(opened.status).toBe(200)
  expect(opened.text).toBe(source)
  expect(opened.headers.get('content-type')).toMatch(/^text\/html; ?charset=utf-8$/i)
})

test('an unknown slug and a file not in the deck get the same plain notice', async () => {
  const page = await deckOf()
  const unknown = await visitor.open('no-such-slug')
  expect(unknown.status).toBe(404)
  expect(unknown.headers.get('x-robots-tag') ?? '').toContain('noindex')
  for (const path of [
    `${page.slug}/nothing.html`,
    `${page.slug}/img/`,
    `${page.slug}/img`,
    `${page.slug}/INDEX.HTML`,
    `${page.slug}/about/nothing`,
    `${page.slug}/style.css/x`,
  ]) {
    const answer = await visitor.open(path)
    expect(answer.status, path).toBe(404)
    expect(answer.text, path).toBe(unknown.text)
    expect(answer.headers.get('content-type')).toBe(unknown.headers.get('content-type'))
  }
  // It is true of both.
  expect(unknown.text).toContain('No page is published here, or the page has no part at this')
})

test('a document of a deck is found without its extension, and nothing else is', async () => {
  const { slug } = await deckOf()
  const led = async (path: string) => {
    const { status, headers } = await send(`/p/${slug}/${path}`, { redirect: 'manual' })
    return [status, headers.get('location')]
  }
  expect(await led('team?a=1')).toEqual([307, `/p/${slug}/team.html?a=1`])
  expect(await led('about/more')).toEqual([307, `/p/${slug}/about/more.html`])
  // A folder of that name comes first.
  expect(await led('about')).toEqual([307, `/p/${slug}/about/`])
  for (const path of ['style', 'img/logo', 'team/', 'TEAM', 'team.']) {
    expect(await led(path)).toEqual([404, null])
  }
})

test('a link with download is answered with an attachment of the file’s own type', async () => {
  const { slug } = await deckOf()
  const saved = async (path: string, headers = {}) => {
    const answer = await send(`/p/${slug}/${path}`, { headers })
    expectContentHeaders(answer, path.includes('.png') ? 'inert' : 'html')
    return [answer.status, answer.headers.get('content-disposition')]
  }
  const cases: [path: string, disposition: string | null][] = [
    ['img/logo.png?~download', 'attachment; filename=logo.png'],
    ['img/logo.png?~download=', 'attachment; filename=logo.png'],
    ['img/logo.png?v=2&~download=Our%20logo.png', 'attachment; filename="Our logo.png"'],
    ['img/logo.png?~download=Logo', 'attachment; filename=Logo.png'],
    ['img/logo.png?~download=setup.exe', 'attachment; filename=setup.exe.png'],
    ['img/logo.png?~download=a%0d%0ax%3ay.html', 'attachment; filename="ax:y.html.png"'],
    ['img/logo.png?~download=..%2f..%2fetc', 'attachment; filename=etc.png'],
    ['img/logo.png?~download=%ff', 'attachment; filename=logo.png'],
    ['style.css?~download=a.css', 'attachment; filename=a.css'],
    ['team.html?~download=a.html', null],
    ['img/logo.png?download=a.png', null],
    ['img/logo.png?x~download=a.png', null],
    ['img/logo.png?a=~download', null],
  ]
  for (const [path, disposition] of cases) {
    expect([path, ...(await saved(path))]).toEqual([path, 200, disposition])
  }
  const part = await saved('img/logo.png?~download', { range: 'bytes=0-3' })
  expect(part).toEqual([206, 'attachment; filename=logo.png'])
  // A single page and a page behind a gate answer as ever.
  const single = await pro.publish({ html: html('x') })
  const whole = await send(`/p/${single.slug}?~download=a.html`)
  expect([whole.status, whole.headers.get('content-disposition')]).toEqual([200, null])
  const { path } = await opened({
    files: [{ path: 'index.html', html: html('x') }],
    assets: [{ path: 'a.css', data_base64: base64(stylesheet) }],
  })
  expectGate(await send(`${path}/a.css?~download=a.css`), [stylesheet])
})

test('a script reads that a page takes no POST, whichever page it is', async () => {
  const fields = { files: [{ path: 'index.html', html: html('x') }], access: 'password' }
  const gated = await pro.publish(fields)
  const answers = new Set<string>()
  for (const path of [gated.slug, `${gated.slug}/index.html`, 'no-such-page', 'no-such-page/x']) {
    const { status, headers, text } = await send(`/p/${path}`, {
      method: 'POST',
      headers: { origin: 'null', 'content-type': 'text/plain' },
      body: 'x',
    })
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    answers.add(JSON.stringify([status, headers.get('access-control-allow-origin'), text]))
  }
  expect([...answers].map((text) => JSON.parse(text))).toEqual([
    [405, '*', expect.stringContaining('Nothing was received')],
  ])
})

test('a plain form sent to a page’s address gets a notice that names data-service', async () => {
  const page = await pro.publish({ html: html('<form method=post><input name=a></form>') })
  const gated = await pro.publish({ html: html('x'), access: 'password' })
  const post = (slug: string) =>
    send(`/p/${slug}`, {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a=1',
    })
  const answer = await post(page.slug)
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('GET, HEAD')
  expect(answer.text).toContain('What you entered was not received')
  expect(answer.text).toContain('add data-service to its &lt;form&gt;')
  // A gated page tells no more than an address where there is none.
  expect((await post(gated.slug)).text).toBe(answer.text)
  expect((await post('no-such-page')).text).toBe(answer.text)
  expect((await pro.page(page.id)).views).toBe(0)
})

/** A page behind a password, and a browser that gave the password. */
async function opened(fields: object) {
  const page = await pro.publish({ access: 'password', password: 'open sesame', ...fields })
  const path = `/p/${page.slug}`
  const ann = person()
  const gate = await ann.open(path)
  expectGate(gate, [])
  await ann.submit(gate, { password: 'open sesame' })
  return { path, ann }
}

test('a gated single page is served directly to a browser that passed its gate', async () => {
  const source = html(word('gated'))
  for (const settings of [{}, { max_views: 9 }, { indexed: true }]) {
    const { path, ann } = await opened({ html: source, ...settings })
    // A reload needs nothing but the gate's cookie.
    for (const answer of [await ann.open(path), await ann.open(path)]) {
      expect([answer.status, answer.text]).toEqual([200, source])
      expectContentHeaders(answer, 'html')
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
      expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    }
    const etag = (await ann.open(path)).headers.get('etag')!
    const stranger = await person().open(path, { 'if-none-match': etag })
    expectGate(stranger, [source])
  }
})

test('a gated deck, and gated pages that converse or store, come in the shell', async () => {
  const words = word('framed')
  const sources = [
    { files: [{ path: 'index.html', html: html(words) }] },
    { html: html(words), allow_comments: true },
    { html: `${html(words)}<script>localStorage.a = 1</script>` },
  ]
  for (const source of sources) {
    const { path, ann } = await opened(source)
    const answer = await ann.open('files' in source ? `${path}/index.html` : path)
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain(words)
    const [frame] = /\/p\/[\w-]+\/~v1[^"]+/.exec(answer.text) ?? []
    const frameUrl = `${server.url}${frame}index.html`
    const framed = await send(frameUrl, { headers: browser })
    expect(framed.headers.get('location'), 'opened as a window').toBe(
      'files' in source ? `${path}/index.html` : path,
    )
    const loaded = await send(frameUrl)
    expect(loaded.text).toContain(words)
    expectContentHeaders(loaded, 'html')
  }
})

test('a single page has no files below its address', async () => {
  const words = word('single')
  const page = await pro.publish({ html: html(words) })
  for (const path of ['x', 'index.html', 'style.css', 'a/b']) {
    const answer = await visitor.open(`${page.slug}/${path}`)
    expect(answer.status, path).toBe(404)
    expect(answer.text).not.toContain(words)
  }
})

test('requesting /p/{slug} for a deck answers 307 to /p/{slug}/{entry_path}', async () => {
  const page = await deckOf()
  const root = await visitor.open(page.slug)
  expect(root.status).toBe(307)
  expect(location(root, `/p/${page.slug}`)).toBe(`/p/${page.slug}/index.html`)
  expect(root.text).not.toContain('the cover')
  const deep = await pro.publish({
    files: [{ path: 'a b/c.html', html: html('deep') }],
    entry: 'a b/c.html',
  })
  const answer = await visitor.open(deep.slug)
  expect(location(answer, `/p/${deep.slug}`)).toBe(`/p/${deep.slug}/a%20b/c.html`)
})

test('each file of a deck, assets included, is at /p/{slug}/{path}', async () => {
  const page = await deckOf()
  await everyCase(
    [
      ['index.html', 'the cover'],
      ['team.html', 'the team'],
      ['about/index.html', 'about us'],
      ['about/more.html', 'more about us'],
      ['style.css', stylesheet],
    ] as const,
    async (words, path) => {
      const answer = await send(`/p/${page.slug}/${path}`)
      expect(answer.status).toBe(200)
      expect(answer.text).toContain(words)
    },
  )
  const logo = await send(`/p/${page.slug}/img/logo.png`)
  expect(logo.headers.get('content-type')).toBe('image/png')
})

test('a folder serves its index.html, and without the slash it is 307 to the slash', async () => {
  const page = await deckOf()
  const folder = await visitor.open(`${page.slug}/about/`)
  expect(folder.status).toBe(200)
  expect(folder.text).toContain('about us')
  const bare = await visitor.open(`${page.slug}/about`)
  expect(bare.status).toBe(307)
  expect(location(bare, `/p/${page.slug}/about`)).toBe(`/p/${page.slug}/about/`)
})

/** Every value of an attribute in the served HTML, resolved as a browser does. */
function references(answer: Answer, path: string, attribute: string): URL[] {
  const matches = answer.text.matchAll(new RegExp(`\\s${attribute}\\s*=\\s*["']?([^"'\\s>]+)`, 'g'))
  return [...matches].map(([, value]) => new URL(value!, server.url + path))
}

test('relative, root-relative and folder links work between the files of a deck', async () => {
  const links = ['team.html', '/team.html', 'about/', '/about/', '/about/more.html', '/']
  const body = links.map((href) => `<a href="${href}">x</a>`).join('')
  const up = ['../team.html', '/team.html', '/about/', 'more.html', './']
  const nested = up.map((href) => `<a href="${href}">x</a>`).join('')
  const page = await pro.publish({
    files: [
      { path: 'index.html', html: html(body) },
      { path: 'team.html', html: html('the team') },
      { path: 'about/index.html', html: html(nested) },
      { path: 'about/more.html', html: html('more about us') },
    ],
  })
  for (const [path, count] of [
    ['index.html', links.length],
    ['about/', up.length],
  ] as const) {
    const address = `/p/${page.slug}/${path}`
    const hrefs = references(await send(address), address, 'href')
    expect(hrefs).toHaveLength(count)
    for (const href of hrefs) {
      expect(href.pathname, `a link of ${path}`).toStartWith(`/p/${page.slug}`)
      const answer = await send(href.href, { redirect: 'follow' })
      expect(answer.status, href.pathname).toBe(200)
    }
  }
  const address = `/p/${page.slug}/index.html`
  const [, root] = references(await send(address), address, 'href')
  expect((await send(root!.href)).text).toContain('the team')
})

test('root-relative references of every kind resolve inside the deck', async () => {
  const source = [
    '<link rel="stylesheet" href="/style.css">',
    '<img src="/img/logo.png" srcset="/img/logo.png 1x, /img/logo.png 2x">',
    '<script src="/app.js"></script>',
    '<form action="/team.html"></form>',
    '<style>p{background:url(/img/logo.png)}</style>',
    '<p style="background:url(\'/img/logo.png\')">x</p>',
  ].join('\n')
  const page = await pro.publish({
    files: [
      { path: 'about/index.html', html: html(source) },
      { path: 'team.html', html: html('the team') },
    ],
    assets: [
      { path: 'img/logo.png', data_base64: base64(png()) },
      { path: 'style.css', data_base64: base64('q{background:url("/img/logo.png")}') },
      { path: 'app.js', data_base64: base64('1') },
    ],
  })
  const address = `/p/${page.slug}/about/index.html`
  const served = await send(address)
  const single = ['href', 'src', 'action'].flatMap((name) => references(served, address, name))
  expect(single).toHaveLength(4)
  const set = /srcset="([^"]+)"/.exec(served.text)![1]!.split(',')
  const fromSet = set.map((part) => new URL(part.trim().split(/\s+/)[0]!, server.url + address))
  const inCss = cssUrls(served.text).map((url) => new URL(url, server.url + address))
  expect(inCss).toHaveLength(2)
  for (const url of [...single, ...fromSet, ...inCss]) {
    expect((await send(url.href)).status, url.pathname).toBe(200)
  }
  const sheet = `/p/${page.slug}/style.css`
  const [image] = cssUrls((await send(sheet)).text)
  expect((await send(new URL(image!, server.url + sheet).href)).status, 'in a sheet').toBe(200)
})

/** References to `/deep/target.EXT` of the deck, from a file in another folder. */
const rootRelative: Record<string, string> = {
  'a href': '<a href="/deep/target.html">x</a>',
  'a href unquoted': '<a href=/deep/target.html>x</a>',
  'a href in capitals': "<A HREF='/deep/target.html'>x</A>",
  'a href with a query and a hash': '<a href="/deep/target.html?page=2#part">x</a>',
  'a href with spaces around': '<a href=" /deep/target.html ">x</a>',
  'area href': '<map><area href="/deep/target.html"></map>',
  'link href': '<link rel="stylesheet" href="/deep/target.css">',
  'script src': '<script src="/deep/target.js"></script>',
  'img src': '<img src="/deep/target.png">',
  'img srcset': '<img srcset="/deep/target.png 2x">',
  'source srcset': '<picture><source srcset="/deep/target.png"></picture>',
  'video poster': '<video poster="/deep/target.png"></video>',
  'object data': '<object data="/deep/target.svg"></object>',
  'embed src': '<embed src="/deep/target.svg">',
  'iframe src': '<iframe src="/deep/target.html"></iframe>',
  'input src': '<input type="image" src="/deep/target.png">',
  'form action': '<form action="/deep/target.html"></form>',
  'button formaction': '<form><button formaction="/deep/target.html">x</button></form>',
  'svg image href': '<svg><image href="/deep/target.png"/></svg>',
  'svg use xlink:href': '<svg><use xlink:href="/deep/target.svg#a"/></svg>',
  'meta refresh': '<meta http-equiv="refresh" content="9; url=/deep/target.html">',
  'style attribute': '<p style="background:url(/deep/target.png)">x</p>',
  'style element': '<style>p{background:url("/deep/target.png")}</style>',
  'style @import': '<style>@import "/deep/target.css";</style>',
}

test('a root-relative reference resolves wherever HTML can hold one', async () => {
  const names = Object.keys(rootRelative)
  const page = await pro.publish({
    files: [
      { path: 'index.html', html: html('the cover') },
      { path: 'deep/target.html', html: html('the target') },
      ...names.map((name, i) => ({
        path: `pages/p${i}.html`,
        html: `<!doctype html><title>${name}</title>${rootRelative[name]}`,
      })),
    ],
    assets: [
      { path: 'deep/target.css', data_base64: base64(stylesheet) },
      { path: 'deep/target.js', data_base64: base64('export default 1') },
      { path: 'deep/target.png', data_base64: base64(png()) },
      { path: 'deep/target.svg', data_base64: base64(svg()) },
    ],
  })
  await everyCase(
    names.map((name, i) => [name, `/p/${page.slug}/pages/p${i}.html`] as const),
    async (address) => {
      const served = await send(address)
      expect(served.status).toBe(200)
      const result = /[^\s"'(=]*\/?deep\/target\.[a-z]+/.exec(served.text)?.[0]
      expect(result, served.text).toBeDefined()
      const url = new URL(result!, server.url + address)
      expect(url.pathname).toStartWith(`/p/${page.slug}/deep/target.`)
      expect((await send(url.pathname)).status).toBe(200)
    },
  )
  const query = await send(`/p/${page.slug}/pages/p3.html`)
  expect(query.text).toContain('target.html?page=2#part')
})

test('root-relative references in style sheets resolve, too, and scripts stay as they are', async () => {
  const script = 'import d from "/lib/d.js"\nawait import("/lib/d.js")'
  const page = await pro.publish({
    files: [{ path: 'index.html', html: html('the cover') }],
    assets: [
      { path: 'css/a.css', data_base64: base64('@import "/lib/b.css";p{src:url(/lib/c.png)}') },
      { path: 'lib/b.css', data_base64: base64(stylesheet) },
      { path: 'lib/c.png', data_base64: base64(png()) },
      {
        path: 'js/a.js',
        data_base64: base64(script),
      },
      { path: 'lib/d.js', data_base64: base64('export default 1') },
    ],
  })
  const address = `/p/${page.slug}/css/a.css`
  const served = await send(address)
  const results = [...served.text.matchAll(/[^\s"'(]*lib\/[a-z]\.[a-z]+/g)].map(([each]) => each)
  expect(results).toHaveLength(2)
  for (const each of results) {
    const url = new URL(each, server.url + address)
    expect((await send(url.pathname)).status, each).toBe(200)
    expect(url.pathname).toStartWith(`/p/${page.slug}/lib/`)
  }
  expect((await send(`/p/${page.slug}/js/a.js`)).text).toBe(script)
})

test('root-relative references to paths with spaces, & and other scripts resolve', async () => {
  const page = await pro.publish({
    files: [
      {
        path: 'in/index.html',
        html: html(
          '<a href="/a%20b.html">x</a><a href="/a&amp;b.html">x</a><a href="/über.html">x</a>',
        ),
      },
      { path: 'a b.html', html: html('with a space') },
      { path: 'a&b.html', html: html('with an ampersand') },
      { path: 'über.html', html: html('with an umlaut') },
    ],
  })
  const address = `/p/${page.slug}/in/index.html`
  const hrefs: string[] = []
  new HTMLRewriter()
    .on('a', {
      element(element) {
        hrefs.push((element.getAttribute('href') ?? '').replaceAll('&amp;', '&'))
      },
    })
    .transform((await send(address)).text)
  const words = ['with a space', 'with an ampersand', 'with an umlaut']
  expect(hrefs).toHaveLength(words.length)
  for (const [i, href] of hrefs.entries()) {
    const answer = await send(new URL(href, server.url + address).href)
    expect(answer.text, href).toContain(words[i]!)
  }
})

function cssUrls(text: string): string[] {
  return [...text.matchAll(/url\(\s*["']?([^"')]+)["']?\s*\)/g)].map(([, url]) => url!)
}

test('links out of the deck and the stored HTML are not changed', async () => {
  const source = html(
    [
      '<a href="https://example.com/x">x</a>',
      '<a href="//cdn.example.com/x.js">x</a>',
      '<a href="#part">x</a>',
      '<a href="mailto:ann@example.com">x</a>',
      '<a href="?page=2">x</a>',
      '<a href="/team.html">x</a>',
      '<pre>href="/team.html"</pre>',
    ].join('\n'),
  )
  const page = await pro.publish({
    files: [
      { path: 'index.html', html: source },
      { path: 'team.html', html: html('x') },
    ],
  })
  const served = await send(`/p/${page.slug}/index.html`)
  for (const original of [
    'href="https://example.com/x"',
    'href="//cdn.example.com/x.js"',
    'href="#part"',
    'href="mailto:ann@example.com"',
    'href="?page=2"',
    '<pre>href="/team.html"</pre>',
  ]) {
    expect(served.text).toContain(original)
  }
  const { files } = await pro.html(page.id, '?full=true')
  expect(files.find(({ path }) => path === 'index.html')!.html).toBe(source)
})

test('every byte of user content carries the isolation headers', async () => {
  const page = await pro.publish({
    files: [{ path: 'index.html', html: html('x') }],
    assets: [
      { path: 'a.css', data_base64: base64(stylesheet) },
      { path: 'a.js', data_base64: base64('1') },
      { path: 'a.json', data_base64: base64('{}') },
      { path: 'a.woff2', data_base64: base64(font('woff2')) },
      { path: 'a.svg', data_base64: base64(svg()) },
      { path: 'a.png', data_base64: base64(png()) },
      { path: 'a.jpg', data_base64: base64(jpeg()) },
      { path: 'a.gif', data_base64: base64(gif()) },
      { path: 'a.webp', data_base64: base64(webp()) },
    ],
  })
  await everyCase(
    [
      ['index.html', 'html'],
      ['a.css', 'html'],
      ['a.js', 'html'],
      ['a.json', 'html'],
      ['a.woff2', 'html'],
      ['a.svg', 'svg'],
      ['a.png', 'inert'],
      ['a.jpg', 'inert'],
      ['a.gif', 'inert'],
      ['a.webp', 'inert'],
    ] as const,
    async (policy, path) => {
      const address = `/p/${page.slug}/${path}`
      const answer = await send(address)
      expect(answer.status).toBe(200)
      expectContentHeaders(answer, policy)
      expect(answer.headers.get('set-cookie') ?? '').not.toMatch(/domain=/i)
      const again = await send(address, {
        headers: { 'if-none-match': answer.headers.get('etag') ?? '"x"' },
      })
      expectContentHeaders(again, policy)
      expectContentHeaders(await send(address, { method: 'HEAD' }), policy)
      const framed = { ...browser, 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }
      expectContentHeaders(await send(address, { headers: framed }), policy)
    },
  )
})

test('a PDF or image page carries the isolation headers, without a sandbox', async () => {
  for (const [bytes, extension] of [
    [pdf(), 'pdf'],
    [png(), 'png'],
  ] as const) {
    const filename = `${word('f')}.${extension}`
    const page = await pro.publish({ file_base64: base64(bytes), filename })
    const answer = await visitor.open(page.slug)
    expectContentHeaders(answer, 'inert')
    const part = await visitor.open(page.slug, { range: 'bytes=0-3' })
    expect(part.status).toBe(206)
    expectContentHeaders(part, 'inert')
    const none = await visitor.open(page.slug, { range: 'bytes=999999-' })
    expect(none.headers.get('content-security-policy') ?? '').not.toContain('allow-same-origin')
  }
})

test('no response under /p/ has allow-same-origin', async () => {
  const single = await pro.publish({ html: html('x') })
  const deck = await deckOf()
  const draft = await pro.publish({ html: html('x'), publish: false })
  const gated = await pro.publish({ html: html('x'), access: 'password' })
  const paths = [
    single.slug,
    `${single.slug}/`,
    `${single.slug}/nothing`,
    deck.slug,
    `${deck.slug}/`,
    `${deck.slug}/index.html`,
    `${deck.slug}/about`,
    `${deck.slug}/nothing`,
    `${deck.slug}/~x/index.html`,
    draft.slug,
    gated.slug,
    'unknown-slug',
    '',
  ]
  for (const path of paths) {
    for (const headers of [{}, browser]) {
      const answer = await visitor.open(path, headers)
      const csp = answer.headers.get('content-security-policy') ?? ''
      expect(csp, path).not.toMatch(/allow-same-origin|allow-top-navigation/)
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
      expect(answer.status).toBeLessThan(500)
    }
  }
})

test('a request for a service worker script is refused', async () => {
  const page = await pro.publish({
    files: [{ path: 'index.html', html: html('x') }],
    assets: [{ path: 'sw.js', data_base64: base64('self.secret = 1') }],
  })
  const headers = { 'service-worker': 'script', 'sec-fetch-dest': 'serviceworker' }
  const answer = await send(`/p/${page.slug}/sw.js`, { headers })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  expect(answer.text).not.toContain('self.secret')
})

test('paths with dot segments or a leading ~ answer 404', async () => {
  const page = await deckOf()
  for (const path of [
    `/p/${page.slug}/../../api/v1/pages`,
    `/p/${page.slug}/..%2f..%2fetc%2fpasswd`,
    `/p/${page.slug}/%2e%2e/%2e%2e/etc/passwd`,
    `/p/${page.slug}/about/../../../../etc/passwd`,
    `/p/${page.slug}/..\\..\\etc\\passwd`,
    `/p/${page.slug}/%00`,
    `/p/${page.slug}/%ff%fe`,
    `/p/${page.slug}/%`,
    `/p/${page.slug}/~cap/index.html`,
    `/p/%2e%2e/readyz`,
    '/p/%00',
    '/p/a%00b/x',
    '/p/%ff',
    `/p/${'x'.repeat(3000)}`,
  ]) {
    const answer = await exchange([head(`GET ${path}`, { Connection: 'close' })])
    expect(answer.status, path).toBeGreaterThanOrEqual(300)
    expect(answer.status, path).toBeLessThan(500)
    expect(answer.text).not.toMatch(/root:|the cover/)
  }
})

test('a PDF or image answers a browser with a viewer', async () => {
  for (const [bytes, extension] of [
    [pdf(), 'pdf'],
    [png(), 'png'],
  ] as const) {
    const title = word('Viewed')
    const filename = `${word('f')}.${extension}`
    const page = await pro.publish({ file_base64: base64(bytes), filename, title })
    const viewer = await visitor.open(page.slug, browser)
    expect(viewer.status).toBe(200)
    expect(viewer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(viewer.text).toContain(title)
    expect(viewer.text).toMatch(/download/i)
    const plain = await visitor.open(page.slug, { accept: 'text/html' })
    expect(plain.headers.get('content-type'), 'Accept alone decides').toMatch(/^text\/html/)
  }
})

test('a title in the viewer is text, not markup', async () => {
  const title = `${word('T')}<script>alert(1)</script>"'`
  const filename = `${word('f')}.pdf`
  const page = await pro.publish({ file_base64: base64(pdf()), filename, title })
  const viewer = await visitor.open(page.slug, browser)
  expect(viewer.text).not.toContain('<script>alert(1)')
})

test('a PDF or image answers everything else with the file itself, inline', async () => {
  const bytes = pdf('inline')
  const filename = `${word('report')}.pdf`
  const page = await pro.publish({ file_base64: base64(bytes), filename })
  for (const accept of ['*/*', 'application/pdf', 'image/*,*/*;q=0.8']) {
    const answer = await visitor.open(page.slug, { accept })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toMatch(/^inline\b/)
    expect(answer.headers.get('content-disposition')).toContain(filename)
    expect(Buffer.from(answer.bytes).equals(Buffer.from(bytes))).toBe(true)
  }
  const headed = await visitor.head(page.slug)
  expect(headed.status).toBe(200)
  expect(headed.headers.get('content-length')).toBe(String(bytes.length))
  expect(headed.headers.get('accept-ranges')).toBe('bytes')
  expect(headed.bytes).toHaveLength(0)
})

test('ranges of a file are honoured', async () => {
  const bytes = pdf('ranges')
  const size = bytes.length
  const filename = `${word('f')}.pdf`
  const page = await pro.publish({ file_base64: base64(bytes), filename })
  await everyCase(
    [
      ['bytes=0-3', [0, 3]],
      ['bytes=10-10', [10, 10]],
      ['bytes=100-', [100, size - 1]],
      ['bytes=-20', [size - 20, size - 1]],
      ['bytes=5-999999', [5, size - 1]],
      [`bytes=-${size + 5}`, [0, size - 1]],
    ] as const,
    async ([from, to], range) => {
      const answer = await visitor.open(page.slug, { range })
      expect(answer.status).toBe(206)
      expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${to}/${size}`)
      // Scripts of a page in the sandbox, such as viewers of maps, read which part they got.
      expect(answer.headers.get('access-control-expose-headers')).toContain('content-range')
      const expected = Buffer.from(bytes.subarray(from, to + 1))
      expect(Buffer.from(answer.bytes).equals(expected)).toBe(true)
    },
  )
  for (const range of [`bytes=${size}-`, 'bytes=999999-1000000']) {
    const answer = await visitor.open(page.slug, { range })
    expect(answer.status, range).toBe(416)
    expect(answer.headers.get('content-range')).toBe(`bytes */${size}`)
    expect(answer.text).not.toContain('%PDF')
  }
})

test('an invalid range gets the whole file, and so does If-Range with another ETag', async () => {
  const bytes = pdf('if-range')
  const filename = `${word('f')}.pdf`
  const page = await pro.publish({ file_base64: base64(bytes), filename })
  for (const range of ['bytes=abc', 'items=0-1', 'bytes=']) {
    const answer = await visitor.open(page.slug, { range })
    expect(answer.status, range).toBe(200)
    expect(answer.bytes.length).toBe(bytes.length)
  }
  const etag = (await visitor.open(page.slug)).headers.get('etag')!
  const range = 'bytes=0-3'
  expect((await visitor.open(page.slug, { range, 'if-range': etag })).status).toBe(206)
  const changed = await visitor.open(page.slug, { range, 'if-range': '"other"' })
  expect(changed.status).toBe(200)
  expect(changed.bytes.length).toBe(bytes.length)
})

test('a view-only file is shown inline only, and its viewer has no download button', async () => {
  const filename = `${word('f')}.pdf`
  const page = await pro.publish({
    file_base64: base64(pdf()),
    filename,
    download_disabled: true,
  })
  const viewer = await visitor.open(page.slug, browser)
  expect(viewer.status).toBe(200)
  expect(viewer.headers.get('content-type')).toMatch(/^text\/html/)
  expect(viewer.text).not.toMatch(/<(a|button)\b[^>]*\bdownload\b/i)
  expect(viewer.text).not.toMatch(/>\s*Download\b/i)
  const file = await visitor.open(page.slug)
  expect(file.headers.get('content-disposition')).toMatch(/^inline\b/)
  await pro.update(page.id, { download_disabled: false })
  expect((await visitor.open(page.slug, browser)).text).toMatch(/download/i)
})

test('an HTML page revalidates by ETag: 304 while it is unchanged, 200 after a publish', async () => {
  const page = await pro.publish({ html: html('first') })
  const opened = await visitor.open(page.slug)
  const etag = opened.headers.get('etag')!
  expect(etag).toMatch(/^(W\/)?"[^"]+"$/)
  expect(opened.headers.get('cache-control') ?? '').toMatch(/no-cache|no-store|max-age=0/)
  const again = await visitor.open(page.slug, { 'if-none-match': etag })
  expect(again.status).toBe(304)
  expect(again.bytes).toHaveLength(0)
  expectContentHeaders(again, 'html')
  await pro.update(page.id, { html: html('second') })
  expect((await visitor.open(page.slug, { 'if-none-match': etag })).status).toBe(304)
  await pro.goLive(page.id)
  const fresh = await visitor.open(page.slug, { 'if-none-match': etag })
  expect(fresh.status).toBe(200)
  expect(fresh.text).toBe(html('second'))
  expect(fresh.headers.get('etag')).not.toBe(etag)
})

test('If-None-Match may have several ETags, weak ones too', async () => {
  const page = await pro.publish({ html: html('x') })
  const etag = (await visitor.open(page.slug)).headers.get('etag')!
  const bare = etag.replace(/^W\//, '')
  for (const value of [`"other", ${etag}`, `W/${bare}`, bare]) {
    const answer = await visitor.open(page.slug, { 'if-none-match': value })
    expect(answer.status, value).toBe(304)
  }
  const others = await visitor.open(page.slug, { 'if-none-match': '"other", "another"' })
  expect(others.status).toBe(200)
})

test('an ETag does not open a gated page', async () => {
  const page = await pro.publish({ html: html('x') })
  const etag = (await visitor.open(page.slug)).headers.get('etag')!
  const revalidate = () => visitor.open(page.slug, { 'if-none-match': etag })
  await pro.update(page.id, { access: 'private' })
  expect((await revalidate()).status).toBe(403)
  await pro.update(page.id, { access: 'link' })
  await pro.unpublish(page.id)
  expect((await revalidate()).status).toBe(404)
  expect((await visitor.open(page.slug, { 'if-none-match': '*' })).status).toBe(404)
})

test('private, password, people and email_gate pages answer 403 without any content', async () => {
  for (const access of ['private', 'password', 'people', 'email_gate']) {
    const words = word('secret')
    const title = word('Secret title')
    const page = await pro.publish({ html: html(words, title), access })
    for (const headers of [{}, browser, { 'user-agent': 'Googlebot/2.1' }]) {
      const answer = await visitor.open(page.slug, headers)
      if (answer.status === 200 && 'user-agent' in headers && headers !== browser) {
        expect(answer.text).not.toContain(words)
        expect(answer.text).not.toContain(title)
      } else {
        expectGate(answer, [words, title, page.password ?? words])
      }
    }
    expect((await visitor.head(page.slug)).status).toBe(403)
    const filename = `${word('secret')}.pdf`
    const file = await pro.publish({ file_base64: base64(pdf()), filename, access })
    expectGate(await visitor.open(file.slug), ['%PDF', filename])
    expectGate(await visitor.open(file.slug, { range: 'bytes=0-9' }), ['%PDF', filename])
  }
})

test('the files and assets of a deck are behind the same access controls', async () => {
  for (const access of ['private', 'password', 'people', 'email_gate']) {
    const words = word('secret')
    const page = await pro.publish({
      files: [
        { path: 'index.html', html: html(words) },
        { path: 'b/index.html', html: html(words) },
      ],
      assets: [{ path: 'a.css', data_base64: base64(`/* ${words} */`) }],
      access,
    })
    for (const path of ['', '/index.html', '/b/', '/a.css']) {
      const answer = await send(`/p/${page.slug}${path}`)
      expectGate(answer, [words])
      expect(answer.headers.get('location')).toBeNull()
    }
  }
})

test('preview agents get no content of a gated page', async () => {
  const agent = { 'user-agent': 'Slackbot-LinkExpanding 1.0' }
  const words = word('closed')
  const title = word('Closed')
  const page = await pro.publish({ html: html(words, title), publish: false })
  expectNotice(await visitor.open(page.slug, agent), 404, [words, title])
  await pro.goLive(page.id)
  await pro.update(page.id, { expires_at: '2020-01-01T00:00:00Z' })
  expectNotice(await visitor.open(page.slug, agent), 410, [words, title])
  await pro.update(page.id, { expires_at: null, max_views: 1 })
  expect((await visitor.open(page.slug)).text).toContain(words)
  expectNotice(await visitor.open(page.slug, agent), 410, [words, title])
})

test('the gate may show the owner’s og_title, which is text there', async () => {
  const words = word('secret')
  const page = await pro.publish({
    html: html(words, word('Own title')),
    access: 'password',
    og_title: '<b>"A preview"</b>',
  })
  const gate = await visitor.open(page.slug)
  expectGate(gate, [words, page.title!])
  expect(gate.text).not.toContain('<b>"A preview"</b>')
})

test('only indexed link pages lack noindex', async () => {
  const page = await pro.publish({ html: html('x') })
  const robots = async () => (await visitor.open(page.slug)).headers.get('x-robots-tag') ?? ''
  expect(await robots(), 'by default').toContain('noindex')
  await pro.update(page.id, { indexed: true })
  expect(await robots()).not.toContain('noindex')
  await pro.update(page.id, { indexed: false })
  expect(await robots()).toContain('noindex')
  const deck = await deckOf()
  for (const path of ['index.html', 'style.css', 'img/logo.png']) {
    const answer = await send(`/p/${deck.slug}/${path}`)
    expect(answer.headers.get('x-robots-tag') ?? '', path).toContain('noindex')
  }
  for (const access of ['private', 'password', 'people', 'email_gate']) {
    const gated = await pro.publish({ html: html('x'), access, indexed: true })
    const answer = await visitor.open(gated.slug)
    expect(answer.headers.get('x-robots-tag') ?? '', access).toContain('noindex')
  }
})

async function sitemap(): Promise<string> {
  const robots = await send('/robots.txt')
  expect(robots.status).toBe(200)
  expect(robots.headers.get('content-type')).toMatch(/^text\/plain/)
  const listed = /^sitemap:\s*(\S+)/im.exec(robots.text)
  expect(listed, 'robots.txt names the sitemap').not.toBeNull()
  const answer = await send(listed![1]!)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/xml/)
  return answer.text
}

test('robots.txt names a sitemap of the indexed link pages only', async () => {
  const fields = { html: html('x'), indexed: true }
  const listed = await pro.publish(fields)
  const deck = await pro.publish({
    files: [{ path: 'index.html', html: html('x') }],
    indexed: true,
  })
  const plain = await pro.publish({ html: html('x') })
  const draft = await pro.publish({ ...fields, publish: false })
  const gated = await pro.publish({ ...fields, access: 'private' })
  const password = await pro.publish({ ...fields, access: 'password' })
  const offline = await pro.publish(fields)
  await pro.unpublish(offline.id)
  const deleted = await pro.publish(fields)
  await pro.remove(deleted.id)
  const map = await sitemap()
  for (const { url } of [listed, deck]) expect(map).toContain(url)
  for (const { slug } of [plain, draft, gated, password, offline, deleted]) {
    expect(map).not.toContain(slug)
  }
  await pro.update(listed.id, { indexed: false })
  expect(await sitemap()).not.toContain(listed.slug)
})

test('the sitemap leaves out pages that have expired or reached their view limit', async () => {
  const fields = { html: html('x'), indexed: true }
  const expired = await pro.publish({ ...fields, expires_at: '2020-01-01T00:00:00Z' })
  const later = await pro.publish({ ...fields, expires_at: '2099-01-01T00:00:00Z' })
  const closed = await pro.publish({ ...fields, max_views: 1 })
  const open = await pro.publish({ ...fields, max_views: 2 })
  for (const { slug } of [closed, open]) expect((await visitor.open(slug)).status).toBe(200)
  const map = await sitemap()
  for (const { url } of [later, open]) expect(map).toContain(`<loc>${url}</loc>`)
  for (const { slug } of [expired, closed]) expect(map).not.toContain(slug)
})

/** The content of every meta tag of this name in the served HTML. */
function metas(answer: Answer, name: string): string[] {
  const results: string[] = []
  new HTMLRewriter()
    .on(`meta[property="${name}"], meta[name="${name}"]`, {
      element(element) {
        results.push(element.getAttribute('content') ?? '')
      },
    })
    .transform(answer.text)
  return results
}

test('og_title and og_description replace the page’s own link-preview tags', async () => {
  const source = html('words').replace(
    '<head>',
    '<head><meta property="og:title" content="Own title">' +
      '<meta property="og:description" content="Own description">' +
      '<meta name="twitter:title" content="Own title">',
  )
  const page = await pro.publish({ html: source })
  const own = await visitor.open(page.slug)
  expect(own.text, 'null falls back to the page’s own').toBe(source)
  await pro.update(page.id, { og_title: 'Owner title', og_description: 'Owner words' })
  const set = await visitor.open(page.slug)
  expect(metas(set, 'og:title')).toEqual(['Owner title'])
  expect(metas(set, 'og:description')).toEqual(['Owner words'])
  expect(metas(set, 'twitter:title')).toEqual(['Owner title'])
  expect(metas(set, 'twitter:description')).toEqual(['Owner words'])
  expect(set.text).not.toContain('Own title')
  expect(set.text).not.toContain('Own description')
  expect(set.text).toContain('<p>words</p>')
  await pro.update(page.id, { og_title: null, og_description: null })
  expect((await visitor.open(page.slug)).text).toBe(source)
  expect(await pro.draft(page.id), 'stored HTML is untouched').toBe(source)
})

test('og_title and og_description are added where the page has none', async () => {
  const sources = [html('words'), '<p>words</p>', '<html><body><p>words</p></body></html>']
  for (const source of sources) {
    const page = await pro.publish({ html: source, og_title: 'Added', og_description: 'Words' })
    const opened = await visitor.open(page.slug)
    expect(metas(opened, 'og:title')).toEqual(['Added'])
    expect(metas(opened, 'og:description')).toEqual(['Words'])
    expect(metas(opened, 'twitter:title')).toEqual(['Added'])
    expect(opened.text).toContain('<p>words</p>')
  }
})

test('link-preview text is escaped', async () => {
  const ogTitle = '"><script>alert(1)</script>'
  const page = await pro.publish({ html: html('x'), og_title: ogTitle, og_description: "'&<b>" })
  const opened = await visitor.open(page.slug)
  expect(opened.text).not.toContain('<script>alert(1)')
  expect(opened.text).not.toContain('<b>')
})

test('link-preview tags are on the files of a deck and on the viewer of a file', async () => {
  const deck = await pro.publish({
    files: [{ path: 'index.html', html: html('x') }],
    og_title: 'Deck preview',
  })
  const entry = await visitor.follow(deck.slug)
  expect(metas(entry, 'og:title')).toEqual(['Deck preview'])
  const filename = `${word('f')}.pdf`
  const file = await pro.publish({
    file_base64: base64(pdf()),
    filename,
    og_title: 'File preview',
  })
  expect(metas(await visitor.open(file.slug, browser), 'og:title')).toEqual(['File preview'])
})

test('HEAD has the status and headers of GET, without a body', async () => {
  const page = await pro.publish({ html: html('x') })
  const headed = await visitor.head(page.slug)
  expect(headed.status).toBe(200)
  expect(headed.headers.get('content-type')).toMatch(/^text\/html/)
  expect(headed.bytes).toHaveLength(0)
  expectContentHeaders(headed, 'html')
  const deck = await deckOf()
  expect((await visitor.head(deck.slug)).status).toBe(307)
  expect((await visitor.head('unknown-slug')).status).toBe(404)
})

test('a page that declares another encoding is served as the UTF-8 that was sent', async () => {
  const source = '<!doctype html><meta charset="iso-8859-1"><p>Grüße</p>'
  const page = await pro.publish({ html: source })
  const opened = await visitor.open(page.slug)
  expect(opened.bytes).toEqual(utf8(source))
  expect(opened.headers.get('content-type')).toMatch(/charset=utf-8/i)
})

test('the public address takes no cookies for the API and gives none of its JSON', async () => {
  const page = await pro.publish({ html: html('x') })
  const answer = await send(`/api/v1/pages/${page.id}`, { headers: { cookie: 'session=x' } })
  expectRefusal(answer, 401)
  expectNotice(await visitor.open(page.id), 404, [page.slug])
})
