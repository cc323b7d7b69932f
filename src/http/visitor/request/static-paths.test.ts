import { describe, expect, test } from 'bun:test'
import { readHosting } from '../../../features/content/files/hosting.ts'
import type { OpenPage } from '../../../features/pages/index.ts'
import { processorMs } from '../../../testing/processor-time.ts'
import { hostedHeaders, resolveStatic } from './static-paths.ts'

interface Content {
  paths: string[]
  entry?: string
  kind?: 'single' | 'bundle'
  active?: boolean
  fallback?: string
  redirects?: string
}

function pageOf(content: Content) {
  const { paths, entry = 'index.html', kind = 'bundle', active = false, fallback } = content
  const rules = new Map([['_redirects', Buffer.from(content.redirects ?? '')]])
  const { hosting } = readHosting(rules)
  const files = paths.map((path) => ({ path, html: path.endsWith('.html') ? {} : null }))
  const release = { kind, entry, file_name: null, files, hosting, is_active: active }
  return {
    page: { settings: { fallback: fallback ?? null } },
    release,
    files: new Map(files.map((file) => [file.path, file])),
  } as unknown as OpenPage
}

/** What a path leads to: `status file`, `to address`, or nothing. */
function foundAt(path: string, content: Content): string {
  const result = resolveStatic(pageOf(content), path)
  if (result.kind === 'nothing') return 'nothing'
  if (result.kind === 'redirect') {
    return `${result.status === 303 ? '' : `${result.status} `}to ${result.location}`
  }
  return `${result.status} ${result.file.path}`
}

const RULES = ['_redirects', '_headers', 'docs/_headers']
const SITE = ['index.html', 'about.html', 'docs/index.html', 'a.css', ...RULES]
const APP = { paths: ['index.html', 'a.js'], active: true }

describe('a path of a site', () => {
  test.each([
    ['', '200 index.html'],
    ['index.html', '200 index.html'],
    ['about', '200 about.html'],
    ['docs', 'to /docs/'],
    ['docs/', '200 docs/index.html'],
    ['a.css', '200 a.css'],
    ['about/', 'nothing'],
    ['nothing', 'nothing'],
    ['_redirects', 'nothing'],
    ['_headers', 'nothing'],
    ['docs/_headers', '200 docs/_headers'],
    ['b.css', 'nothing'],
  ])('%j leads to %s', (path, expected) => {
    expect(foundAt(path, { paths: SITE })).toBe(expected)
  })
  test('an entry in a folder is opened there', () => {
    expect(foundAt('', { paths: ['docs/a b.html'], entry: 'docs/a b.html' })).toBe(
      'to /docs/a%20b.html',
    )
  })
})

describe('an unknown route', () => {
  test.each<[string, Content, expected: string]>([
    ['of a site', { paths: SITE }, 'nothing'],
    ['of a site with 404.html', { paths: [...SITE, '404.html'] }, '404 404.html'],
    ['of a site with a fallback', { paths: SITE, fallback: 'about.html' }, '200 about.html'],
    ['of a site with a fallback that is gone', { paths: SITE, fallback: 'x.html' }, 'nothing'],
    ['of an app of one document', APP, '200 index.html'],
    ['of one document without scripts', { ...APP, active: false }, 'nothing'],
    ['of several documents with scripts', { ...APP, paths: SITE }, 'nothing'],
    ['of an app with 404.html', { ...APP, paths: [...APP.paths, '404.html'] }, '404 404.html'],
    ['of an app with 200.html', { paths: [...SITE, '200.html', '404.html'] }, '200 200.html'],
    ['of an app with a fallback', { ...APP, fallback: 'a.js' }, '200 a.js'],
    ['of a single page', { paths: ['index.html'], kind: 'single' }, 'nothing'],
    ['of a single page with scripts', { ...APP, kind: 'single' }, '200 index.html'],
  ])('%s', (_name, content, expected) => {
    expect(foundAt('team/7', content)).toBe(expected)
  })
  test('is none where its name has an extension', () => {
    expect(foundAt('team/a.png', APP)).toBe('nothing')
    expect(foundAt('team/a.png', { paths: SITE, fallback: 'index.html' })).toBe('nothing')
  })
})

describe('rules of _redirects', () => {
  const redirects = `
# comment
/old          /about        301
/old/*        /docs/:splat  # the usual status is 301
/blog/:y/:m/* /n/:y-:m/:splat 302
/see          https://example.com/x?a=1#b 307
/shown        /about.html   200
/gone/*       /lost.html    404
/about        /docs/        303!
/a /b
/b /a
/self/* /self/:splat
/all/*        /:splat       308
/evil         //evil.example
/proxy/*      https://api.example/:splat 200
/host/*       https://:splat/x 302
/if           /about        302 Country=de
/code         /about        418
/*            /index.html   200
`
  const content = { paths: [...SITE, 'lost.html'], redirects }
  test.each([
    ['old', '301 to /about'],
    ['old/a/b', '301 to /docs/a/b'],
    ['blog/2026/11/a b', '302 to /n/2026-11/a%20b'],
    ['see', '307 to https://example.com/x?a=1#b'],
    ['shown', '200 about.html'],
    ['gone/x', '404 lost.html'],
    ['about', 'to /docs/'],
    ['docs/', '200 docs/index.html'],
    ['a', 'nothing'],
    ['self/x', 'nothing'],
    ['all//evil.example', '308 to /evil.example'],
    ['all/\\evil.example', '308 to /%5Cevil.example'],
    ['evil', '200 index.html'],
    ['proxy/x', '200 index.html'],
    ['host/evil.example', '200 index.html'],
    ['if', '200 index.html'],
    ['code', '200 index.html'],
    ['any/route.x', '200 index.html'],
    ['a.css', '200 a.css'],
  ])('%s: %s', (path, expected) => {
    expect(foundAt(path, content)).toBe(expected)
  })

  test('are at most a thousand, in 64 KB', () => {
    const read = (text: string) => readHosting(new Map([['_redirects', Buffer.from(text)]]))
    const many = read('/a /b\n'.repeat(2000))
    expect(many.hosting?.redirects).toHaveLength(1000)
    expect(many.warnings).toHaveLength(1000)
    expect(many.warnings[0]).toMatchObject({ code: 'ignored_rule', path: '_redirects', line: 1001 })
    const long = read(`/a /${'b'.repeat(3000)}\n`)
    expect([long.hosting, long.warnings.length]).toEqual([null, 1])
  })

  test.each([
    ['of which many lead to no file', '/a/* /b/:splat 200\n'.repeat(990)],
    ['that repeat the path', `/a/* /a${'/:splat'.repeat(200)} 302\n`],
    ['that double the path', '/a/* /a/:splat/:splat 302\n'],
  ])('%s take little time for a long path', (_, redirects) => {
    const content = { paths: ['index.html'], redirects }
    const path = `a/${'x/'.repeat(3500)}`
    expect(processorMs(() => void foundAt(path, content))).toBeLessThan(300)
  })
  test('that lead to no file pass on to the next one', () => {
    const redirects = `${'/a/* /b/:splat 200\n'.repeat(500)}/a/* /index.html 200\n`
    expect(foundAt('a/b', { paths: SITE, redirects })).toBe('200 index.html')
  })

  test('that need more than a static host are warned of, with their lines', () => {
    const { warnings } = readHosting(new Map([['_redirects', Buffer.from(redirects)]]))
    expect(warnings.map(({ line, subject }) => `${line}: ${subject}`)).toEqual([
      '14: it leads neither to a path nor to an http address',
      '15: it shows another host, which needs a proxy',
      '16: it leads neither to a path nor to an http address',
      '17: it has conditions, which need a server',
      '18: its status is none of 200, 404, 301, 302, 303, 307, 308',
    ])
  })
})

test('_headers give files the headers that isolate nothing', () => {
  const text = `/*
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Embedder-Policy: require-corp
  Content-Security-Policy: default-src *
  X-Frame-Options: ALLOWALL
  Access-Control-Allow-Origin: *
  Set-Cookie: a=b
/assets/*
  Cache-Control: public, max-age=31536000
/embed
  Cross-Origin-Embedder-Policy: unsafe-none
/index.html
  Cross-Origin-Opener-Policy: unsafe-none
  Cross-Origin-Resource-Policy: cross-origin
  Cross-Origin-Resource-Policy: same-site
`
  const { hosting, warnings } = readHosting(new Map([['_headers', Buffer.from(text)]]))
  expect(warnings.map(({ line }) => line)).toEqual([4, 5, 6, 7, 13, 14, 15])
  const page = { release: { hosting } } as unknown as OpenPage
  const isolated = {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  }
  const headersOf = (path: string, isFramed = false) =>
    hostedHeaders(page, { path, html: path.endsWith('.html') ? {} : null } as never, isFramed)
  expect(headersOf('index.html')).toEqual(isolated)
  const apart = { ...isolated, 'cross-origin-embedder-policy': 'unsafe-none' }
  expect(headersOf('embed.html')).toEqual(apart)
  expect(headersOf('embed.html', true)).toEqual(isolated)
  expect(headersOf('assets/a.js')).toEqual({
    ...isolated,
    'cache-control': 'public, max-age=31536000',
  })
})
