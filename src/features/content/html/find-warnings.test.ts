import { describe, expect, test } from 'bun:test'
import { describeWarnings, type FoundWarning } from '../warnings.ts'
import { createReferenceCheck } from './check-reference.ts'
import { findCssWarnings } from './find-warnings.ts'
import { scanHtml } from './scan.ts'

const HEAD = '<!doctype html><meta name=viewport content=width=device-width>'
const PATHS = ['index.html', 'team.html', 'about/index.html', 'css/a.css', 'img/a b.png', 'é.png']
const DECK = { paths: new Set(PATHS), entry: 'index.html' }

/** `code subject` of each warning. */
const texts = (warnings: readonly FoundWarning[]) =>
  warnings.map(({ code, subject }) => `${code} ${subject}`.trim())
const onPage = (html: string) => texts(scanHtml(Buffer.from(html)).warnings)
const inDeck = (html: string, path = 'index.html') =>
  texts(scanHtml(Buffer.from(html), { path, deck: DECK }).warnings)

describe('a reference on a single page', () => {
  test.each([
    ['<img src=logo.png>', 'logo.png'],
    ['<img src=./logo>', './logo'],
    ['<img src=/img/logo.png?v=2>', '/img/logo.png?v=2'],
    ['<img src="&#x6c;ogo.png">', 'logo.png'],
    ['<link rel="preload stylesheet" href=style.css>', 'style.css'],
    ['<link rel="shortcut icon" href=favicon.ico>', 'favicon.ico'],
    ['<script src=app.js></script>', 'app.js'],
    ['<video poster=a.jpg></video>', 'a.jpg'],
    ['<object data=a.pdf></object>', 'a.pdf'],
    ['<a href=other.html>', 'other.html'],
    ['<a href=../other.html#top>', '../other.html#top'],
    ['<a href=docs/intro>', 'docs/intro'],
    ['<a href=/about>', '/about'],
    ['<p style="background:url(a.png)">', 'a.png'],
    ['<style>@import "a.css";</style>', 'a.css'],
    ['<img srcset="a.png 1x, data:,x 2x">', 'a.png'],
    ['<meta http-equiv=refresh content="0;url=next.html">', 'next.html'],
    ['<svg><image href=a.png /></svg>', 'a.png'],
    ['<script type=module>import { run } from "./a.js"</script>', './a.js'],
    ['<script type=module>export * from "/a.js"</script>', '/a.js'],
    ['<svg><a xlink:href=a.html>x</a></svg>', 'a.html'],
  ])('%s leads to no file', (html, subject) => {
    expect(onPage(HEAD + html)).toEqual([`missing_file ${subject}`])
  })

  test.each([
    '<img src="data:image/png;base64,AAAA">',
    '<img src="">',
    '<img alt=logo.png data-src=logo.png>',
    '<img src=https://example.com/a.png>',
    '<img src=//example.com/a.png>',
    '<img src="{{ image }}">',
    `<img src=a.png onerror="this.remove()">`,
    '<a href=#top>',
    '<a href=?page=2>',
    '<a href=mailto:a@example.com>',
    '<a href=another-page>',
    '<a href=../p/another-page>',
    '<a href=/p/another-page>',
    '<a href=/>',
    '<a href=./>',
    '<a href="a.html" onclick="go()">',
    '<a href=/about><script>addEventListener("click", route)</script>',
    '<link rel=canonical href=/plan.html>',
    '<link rel=alternate href=feed.xml>',
    '<template><img src=a.png></template>',
    '<!-- <img src=a.png> -->',
    '<noscript><img src=a.png></noscript>',
    '<script>"<img src=a.png>"</script>',
    '<svg><use href=#icon /><path fill="url(#gradient)" /></svg>',
    '<style>p { background: url(#a) }</style>',
    '<base href=https://example.com/><img src=a.png>',
    '<img src=a.png><base href=https://example.com/>',
    '<iframe src=a.html srcdoc="<p>x"></iframe>',
    '<script type=module>import "react"; import("./a.js").catch(() => {})</script>',
    '<script type=module>// import "./a.js"\n"import \\"./b.js\\""</script>',
    '<script type=module>import "https://example.com/a.js"</script>',
    '<script type=importmap>{}</script><script type=module>import "./a.js"</script>',
    '<script>import "./a.js"</script>',
    '<script type=module src=https://example.com/a.js>import "./a.js"</script>',
  ])('%s is nobody’s mistake for certain', (html) => {
    expect(onPage(HEAD + html)).toEqual([])
  })
})

describe('a reference in a deck', () => {
  test.each([
    ['<a href=tema.html>', 'tema.html'],
    ['<a href=/Team.html>', '/Team.html'],
    ['<a href=contact/>', 'contact/'],
    ['<img src=img/a.png>', 'img/a.png'],
    ['<img src=../shared/logo.png>', '../shared/logo.png'],
    ['<link rel=stylesheet href=a.css>', 'a.css'],
  ])('%s leads to no file', (html, subject) => {
    expect(inDeck(HEAD + html)).toEqual([`missing_file ${subject}`])
  })

  test.each([
    '<a href=team.html>',
    '<a href=/team.html?x#y>',
    '<a href=./team.html>',
    '<a href=about>',
    '<a href=about/>',
    '<a href=/>',
    '<a href=team>',
    '<a href=../another-page>',
    '<img src="img/a b.png">',
    '<img src=img/a%20b.png>',
    '<img src=img\\a%20b.png>',
    '<img src=e%CC%81.png>',
    '<img src=css/../img/./a%20b.png>',
    '<img src=%ff.png>',
  ])('%s leads to a file, or perhaps to another page', (html) => {
    expect(inDeck(HEAD + html)).toEqual([])
  })

  test('of a site that was built for a folder of a host names the folder once', () => {
    const page =
      '<link rel=stylesheet href=/docs/css/a.css><img src="/docs/img/a%20b.png"><a href=/docs/about/>'
    expect(inDeck(HEAD + page)).toEqual(['wrong_base /docs/'])
    expect(inDeck(`${HEAD}<a href=/docs/gone.html>`)).toEqual(['missing_file /docs/gone.html'])
    expect(inDeck(`${HEAD}<a href=/css/team.html>`)).toEqual(['wrong_base /css/'])
    expect(onPage(`${HEAD}<img src=/docs/a.png>`)).toEqual(['missing_file /docs/a.png'])
  })

  test('is relative to its file, also in a style sheet', () => {
    expect(inDeck(`${HEAD}<a href=../team.html><a href=team.html>`, 'about/index.html')).toEqual([
      'missing_file team.html',
    ])
    const css =
      '@import "b.css";\n\nbody { background: url("../img/a b.png") }\np { x: url(c.png) }'
    const results = findCssWarnings(
      Buffer.from(css),
      createReferenceCheck({ path: 'css/a.css', deck: DECK }),
    )
    expect(texts(results)).toEqual(['missing_file b.css', 'missing_file c.png'])
    expect(results.map(({ line }) => line)).toEqual([1, 4])
  })
})

describe('in a style sheet', () => {
  const inSheet = (css: string) =>
    texts(
      findCssWarnings(Buffer.from(css), createReferenceCheck({ path: 'css/a.css', deck: DECK })),
    )

  test('a font needs one of its files', () => {
    const font = (...urls: string[]) => `@font-face{src:${urls.map((url) => `url(${url})`)}}`
    expect(inSheet(font('a.woff2', '../é.png', 'a.ttf'))).toEqual([])
    expect(inSheet(`${font('a.css', 'a.ttf')}${font('b.woff2', 'b.ttf')}p{x:url(c.png)}`)).toEqual([
      'missing_file b.woff2',
      'missing_file b.ttf',
      'missing_file c.png',
    ])
    expect(inSheet('@font-face{src:url(a.woff)')).toEqual(['missing_file a.woff'])
  })

  test('is one of the first 20,000 that are checked, of fonts, too', () => {
    const sheet = (fonts: number) =>
      `${'@font-face{src:url(a.css)}'.repeat(fonts)}p{x:url(gone.png)}`
    expect(inSheet(sheet(19_999))).toEqual(['missing_file gone.png'])
    expect(inSheet(sheet(20_000))).toEqual([])
  })

  test('what Office alone reads is none of the page', () => {
    expect(inSheet('@page a{mso-header:url("a_files/header.htm") h1;b:url(b.png)}')).toEqual([
      'missing_file b.png',
    ])
  })
})

describe('an address of the author’s own computer', () => {
  test.each([
    'file:///home/ann/a.png',
    'C:\\Users\\Ann\\a.png',
    'd:/a.png',
    'http://localhost:3000/a.png',
    'https://LOCALHOST/a.png',
    'http://127.0.0.1/a.png',
    'http://127.1.2.3:8080',
    'http://ann@0.0.0.0/',
    'http://[::1]:5173/a.png',
    '//localhost/a.png',
  ])('%s', (address) => {
    expect(onPage(`${HEAD}<img src="${address}">`)).toEqual([`local_address ${address}`])
    expect(onPage(`${HEAD}<a href="${address}">`)).toEqual([`local_address ${address}`])
  })

  test.each([
    'http://localhost.example.com/',
    'http://127.0.0.1.example.com/',
    'https://example.com/?next=http://localhost',
    'http://localhosts/',
    'profile:x',
  ])('%s is not one', (address) => {
    expect(onPage(`${HEAD}<a href="${address}">`)).toEqual([])
  })

  test('from the root is cured by relative addresses where the tool can build them', () => {
    const cureOf = (subject: string) =>
      describeWarnings([{ code: 'root_address', line: 1, subject, path: 'a.js' }], {
        baseUrl: 'http://localhost:8787',
        origins: false,
      })[0]!.message
    expect(cureOf('/assets/a-1.js')).toContain('relative addresses')
    for (const folder of ['_next', '_nuxt', '_astro', '_app/immutable']) {
      expect(cureOf(`/${folder}/a.js`)).toMatch(/does not stand: set CONTENT_URL/)
    }
  })

  test('is no mistake where it is this server', () => {
    const results = [{ code: 'local_address', line: 1, path: null } as const]
    const own = results.map((warning) => ({ ...warning, subject: 'http://localhost:8787/p/x' }))
    expect(describeWarnings(own, server('http://localhost:8787'))).toEqual([])
    expect(describeWarnings(own, server('http://localhost:3000'))).toHaveLength(1)
  })
})

const server = (baseUrl: string) => ({ baseUrl, origins: false as const })

describe('a document without a viewport', () => {
  test.each([
    '<!doctype html><title>x</title>',
    '<html><p>x',
    '<body>x',
    '<!doctype html><meta name=description content=viewport>',
    '<!doctype html><template><meta name=viewport></template>',
  ])('%s is shrunk on phones', (html) => {
    expect(onPage(html)).toEqual(['no_viewport'])
  })

  test.each([
    '<h1>A fragment gets a document</h1>',
    HEAD,
    '<!doctype html><META NAME=Viewport>',
    '<!doctype html><script>document.head.append(meta("viewport"))</script>',
    '<!doctype html><meta http-equiv=refresh content="0;url=https://example.com">',
  ])('%s is not', (html) => {
    expect(onPage(html)).toEqual([])
  })
})

describe('a form', () => {
  test.each([
    '<form><input name=a></form>',
    '<form action=""><button>Send</button></form>',
    '<form action="#" method=post><textarea name=a></textarea></form>',
    '<form action=/contact><input name=a></form>',
    '<form action=send.php><input name=a></form>',
    '<form id=f></form><input form=f name=a>',
    '<form><input name=a></form><script>console.log(1)</script>',
    '<form><input name=a></form><script type=application/json>{"submit": 1}</script>',
  ])('%s goes nowhere', (html) => {
    expect(onPage(HEAD + html)).toEqual(['form_goes_nowhere'])
  })

  test.each([
    '<form data-service><input name=a></form>',
    '<form action=https://example.com/x><input name=a></form>',
    '<form action=mailto:a@example.com><input name=a></form>',
    '<form method=dialog><button>Close</button></form>',
    '<form onsubmit="send()"><input name=a></form>',
    '<form><input name=a><button type=button onclick="send()">Send</button></form>',
    '<form><button formaction=https://example.com/x>Send</button></form>',
    '<form><input name=a></form><script>form.addEventListener("x", send)</script>',
    '<form><input name=a></form><script src=https://example.com/a.js></script>',
    '<form><input type=hidden name=a></form>',
    '<form></form>',
    '<template><form><input name=a></form></template>',
  ])('%s may go somewhere', (html) => {
    expect(onPage(HEAD + html)).toEqual([])
  })

  test.each([
    '<form data-service><input type=file name=a></form>',
    '<form data-service id=f></form><input type=FILE form=f>',
    '<input type=file form=f><form data-service id=f></form>',
  ])('%s drops the file', (html) => {
    expect(onPage(HEAD + html)).toEqual(['file_input_ignored'])
  })

  const TWO = '<form data-service><input name=a></form><form data-service><input name=b></form>'
  test.each([
    ['<form data-service><input id=a></form>', 'unnamed_field'],
    ['<form data-service id=f></form><textarea form=f name=""></textarea>', 'unnamed_field'],
    [TWO, 'replacing_form'],
  ])('%s loses what is entered: %s', (html, code) => {
    expect(onPage(HEAD + html)).toEqual([code])
  })

  test.each([
    '<form data-service><input type=hidden><input type=submit><button>Send</button></form>',
    '<form data-service></form><input id=search>',
    '<form data-service><input name=a><input value=Basic readonly><select disabled></select></form>',
    '<form action=https://example.com/x><input id=a></form>',
    '<form data-service><input id=a></form><script>form.a.name = "a"</script>',
    `${TWO}<script>addEventListener("submit", send)</script>`,
    TWO.replace('name=b', 'name=b><input name=a'),
    TWO.replace('name=b', 'name=a'),
  ])('%s may lose nothing', (html) => {
    expect(onPage(HEAD + html)).toEqual([])
  })

  test('that takes no files is found behind many fields without a name, which a script may name', () => {
    const unnamed = '<input>'.repeat(60)
    const html = `<form data-service>${unnamed}<input type=file></form><script>form.name()</script>`
    expect(onPage(HEAD + html)).toEqual(['file_input_ignored'])
  })

  test('that sends files elsewhere, or an input in none, is left alone', () => {
    expect(onPage(`${HEAD}<form action=https://a.example/><input type=file></form>`)).toEqual([])
    expect(onPage(`${HEAD}<form data-service></form><input type=file>`)).toEqual([])
  })
})

describe('what is not closed', () => {
  test.each([
    ['<p>a<script>let a = 1', 'unclosed_element script'],
    ['<style>p { color: red }<p>a', 'unclosed_element style'],
    ['<title>Plan<p>a', 'unclosed_element title'],
    ['<textarea>a</p>', 'unclosed_element textarea'],
    ['<template><script>a', 'unclosed_element script'],
    ['<p>a<!-- b <p>c', 'unclosed_comment'],
    ['<!--', 'unclosed_comment'],
  ])('%s', (html, text) => {
    expect(onPage(HEAD + html)).toEqual([text])
  })

  test.each([
    '<script>"<!--"</script>',
    '<script></script><style></style><title></title>',
    '<p>a<li>b<td>c',
    '<!-- a --><!-->b',
    '<svg><style>a{}</style></svg>',
    '<plaintext>a',
    'a < b <',
  ])('%s is closed, or need not be', (html) => {
    expect(onPage(HEAD + html)).toEqual([])
  })
})

describe('the warnings of a file', () => {
  test('are in the order of its lines, each reference once, at its first line', () => {
    const html = [
      '<!doctype html>',
      '<img src=a.png><img src=b.png>',
      '<form>',
      '<input name=a>',
      '</form><style>',
      'p { background: url(c.png) }',
      '</style><img src=a.png><script>',
      'a',
    ].join('\n')
    const { warnings } = scanHtml(Buffer.from(html))
    expect(warnings.map(({ line, code, subject }) => [line, code, subject])).toEqual([
      [null, 'no_viewport', ''],
      [2, 'missing_file', 'a.png'],
      [2, 'missing_file', 'b.png'],
      [3, 'form_goes_nowhere', ''],
      [6, 'missing_file', 'c.png'],
      [7, 'unclosed_element', 'script'],
    ])
  })

  test('are at most 50, with short subjects', () => {
    const many = Array.from({ length: 500 }, (_, n) => `<img src=${n}.png><form><input></form>`)
    expect(onPage(HEAD + many.join('\n'))).toHaveLength(50)
    const dots = `${'.'.repeat(200)}x`
    expect(onPage(`${HEAD}<img src=${dots}>`)).toEqual([`missing_file ${dots.slice(0, 100)}`])
    const [long] = scanHtml(Buffer.from(`${HEAD}<img src=${'x😀'.repeat(500)}.png>`)).warnings
    expect(long!.subject.length).toBeLessThanOrEqual(100)
    expect(long!.subject.isWellFormed()).toBe(true)
  })
})
