import { describe, expect, test } from 'bun:test'
import type { Release, ReleaseFile } from '../../../features/content/index.ts'
import { type OpenPage, planOf } from '../../../features/pages/index.ts'
import {
  DEFAULT_SETTINGS,
  isOpenToAll,
  type Page,
  type PageSettings,
} from '../../../model/page/index.ts'
import { classify, isNavigation, parseTarget, refusalOf } from './classify.ts'
import type { Identity } from './identity.ts'
import type { PageRequest } from './page-request.ts'

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
const NAVIGATION = { 'sec-fetch-dest': 'document', accept: 'text/html', 'user-agent': CHROME }
const IFRAME = { 'sec-fetch-dest': 'iframe' }
const SLACK = { 'user-agent': 'Slackbot 1.0' }

const html = (path: string) => ({ path, mime: 'text/html', html: { title: null } })
const bytes = (path: string) => ({ path, mime: 'image/png', html: null, size_bytes: 1000 })
/** On the page's own host it is the original file, which is shorter. */
const rewritten = (path: string) => ({ ...bytes(path), original: { size_bytes: 700 } })
const KINDS = {
  html: { kind: 'single', entry: 'index.html', file_name: null, files: [html('index.html')] },
  file: { kind: 'single', entry: 'a.png', file_name: 'a.png', files: [bytes('a.png')] },
  deck: {
    kind: 'bundle',
    entry: 'index.html',
    file_name: null,
    files: [
      ...['index.html', 'about/index.html', 'team.html'].map(html),
      ...[bytes('a.png'), rewritten('a.css')],
    ],
  },
}

interface Given {
  kind?: keyof typeof KINDS
  settings?: Partial<PageSettings>
  maxViews?: number
  usesStorage?: boolean
  /** After `/p/abc`. */
  path?: string
  method?: string
  headers?: Record<string, string>
  isOwner?: boolean
  linkId?: string
  isCountedVisit?: boolean
  hasFrameToken?: boolean
  hasOrigins?: boolean
  isOwnHost?: boolean
  isUnpublished?: boolean
  isPreview?: boolean
}

function classified(options: Given): PageRequest {
  const { kind = 'html', path = '', method = 'GET', headers = {}, isOwner = false } = options
  const request = new Request(`http://a.test/p/abc${path}`, { method, headers })
  return classify({
    request,
    target: parseTarget(request.url)!,
    publishedPage: pageOf(kind, options),
    identity: {
      visitor: { is_owner: isOwner, emails: ['ann@example.com'], link_id: options.linkId ?? null },
      hasFrameToken: options.hasFrameToken ?? false,
      isCountedVisit: options.isCountedVisit ?? false,
    } as unknown as Identity,
    nowMs: 0,
    agent: { text: '', isPreview: headers === SLACK, facts: [] },
    rules: {
      etagOf: () => '"etag"',
      originOf: () => (options.hasOrigins ? 'http://own.test' : null),
    },
    isOwnHost: options.isOwnHost ?? false,
  })
}

function pageOf(kind: keyof typeof KINDS, options: Given): OpenPage {
  const { files, ...facts } = KINDS[kind]
  const settings = { ...DEFAULT_SETTINGS, ...options.settings }
  const release = { ...facts, files, uses_storage: options.usesStorage ?? false }
  const published = {
    page: { id: 'pg_1', slug: 'abc', settings } as Page,
    gate: {
      ...settings,
      is_published: !options.isUnpublished,
      is_open: isOpenToAll(settings),
    },
    max_views: options.maxViews ?? null,
  } as unknown as OpenPage
  return {
    ...published,
    release,
    plan: planOf(published, release as unknown as Release),
    isPreview: options.isPreview ?? false,
    files: new Map(files.map((file) => [file.path, file as unknown as ReleaseFile])),
  } as unknown as OpenPage
}

const GATED = { access: 'password' } as const
const COMMENTS = { allow_comments: true } as const
const VIEWER = { path: '/~/viewer' } as const
const CROSS = { 'sec-fetch-site': 'cross-site' }
const TYPED = { ...NAVIGATION, 'sec-fetch-site': 'none' }
const PREVIEW = { path: '/~v1.token/', hasFrameToken: true, isPreview: true } as const
const FRAME = { path: '/~v1.token/a.png', kind: 'deck', hasFrameToken: true } as const

describe('a request asks for', () => {
  const rows: [what: string, Given, asked: object][] = [
    ['the HTML of a single page', {}, { kind: 'document' }],
    ['the HTML of a deck', { kind: 'deck', path: '/index.html' }, { kind: 'document' }],
    ['the index of a folder', { kind: 'deck', path: '/about/' }, { kind: 'document' }],
    ['the file of a file page', { kind: 'file' }, { kind: 'file', range: null }],
    ['another file of a deck', { kind: 'deck', path: '/a.png' }, { kind: 'asset', range: null }],
    ['a file by frame token', FRAME, { kind: 'frame', range: null }],
    [
      'HTML by frame token',
      { path: '/~v1.token/index.html', hasFrameToken: true },
      { kind: 'frame', range: null },
    ],
    [
      'a download',
      { kind: 'file', path: '/~v1.token/a.png?download', hasFrameToken: true },
      { kind: 'download' },
    ],
    [
      'no download where the owner forbids it',
      {
        kind: 'file',
        path: '/~v1.token/a.png?download',
        hasFrameToken: true,
        settings: { download_disabled: true },
      },
      { kind: 'frame' },
    ],
    [
      'no download of a file of a deck',
      { ...FRAME, path: '/~v1.token/a.png?download' },
      { kind: 'frame' },
    ],
    [
      'an attachment that a link with download leads to',
      { kind: 'deck', path: '/a.png?~download=b.png' },
      { kind: 'download', range: null },
    ],
    [
      'an attachment by frame token',
      { ...FRAME, path: '/~v1.token/a.png?v=2&~download' },
      { kind: 'download' },
    ],
    [
      'no attachment by a part of a name',
      { ...FRAME, path: '/~v1.token/a.png?a~download' },
      { kind: 'frame' },
    ],
    [
      'no attachment of HTML, which is a view',
      { kind: 'deck', path: '/index.html?~download=a.html' },
      { kind: 'document' },
    ],
    [
      'no attachment of a file page, which has its own',
      { kind: 'file', path: '?~download=a.html' },
      { kind: 'file' },
    ],
    ['a page without its slash', { path: '/?q' }, { kind: 'redirect', location: '/p/abc?q' }],
    [
      'the entry of a deck',
      { kind: 'deck', path: '?q' },
      { kind: 'redirect', location: '/p/abc/index.html?q' },
    ],
    [
      'a folder with its slash',
      { kind: 'deck', path: '/about' },
      { kind: 'redirect', location: '/p/abc/about/' },
    ],
    [
      'a document without its extension',
      { kind: 'deck', path: '/team?q' },
      { kind: 'redirect', location: '/p/abc/team.html?q' },
    ],
    [
      'a document without its extension, in the frame',
      { ...FRAME, path: '/~v1.token/team' },
      { kind: 'redirect', location: '/p/abc/~v1.token/team.html' },
    ],
    [
      'nothing for another file without its extension',
      { kind: 'deck', path: '/a' },
      { kind: 'nothing' },
    ],
    [
      'the entry in the frame',
      { ...FRAME, path: '/~v1.token/' },
      { kind: 'redirect', location: '/p/abc/~v1.token/index.html' },
    ],
    [
      'the page’s own address, from a frame opened as a window',
      { ...FRAME, headers: NAVIGATION },
      { kind: 'redirect', location: '/p/abc/a.png' },
    ],
    ['a draft, in a window', { ...FRAME, isPreview: true, headers: NAVIGATION }, { kind: 'frame' }],
    ['who the viewer is', { ...VIEWER, maxViews: 1 }, { kind: 'viewer_renewal' }],
    ['that of a gated page', { ...VIEWER, settings: GATED }, { kind: 'viewer_renewal' }],
    ['nothing of the viewer, across sites', { ...VIEWER, headers: CROSS }, { kind: 'nothing' }],
    ['nothing of the viewer, as a window', { ...VIEWER, headers: TYPED }, { kind: 'nothing' }],
    [
      'nothing of the viewer of a draft',
      { ...VIEWER, isUnpublished: true, isOwner: true },
      { kind: 'nothing' },
    ],
    ['nothing that a single page has', { path: '/index.html' }, { kind: 'nothing' }],
    ['nothing that a deck has', { kind: 'deck', path: '/b.png' }, { kind: 'nothing' }],
    ['nothing at the addresses of forms', { path: '/~/password' }, { kind: 'nothing' }],
  ]
  test.each(rows)('%s', (_, options, request) =>
    expect(classified(options).resource).toMatchObject(request),
  )
})

describe('a part of a file is', () => {
  const rows: [what: string, headers: Record<string, string>, range: unknown][] = [
    ['what Range says', { range: 'bytes=10-19' }, { start: 10, end: 20 }],
    ['its end', { range: 'bytes=-10' }, { start: 990, end: 1000 }],
    ['nothing beyond its end', { range: 'bytes=1000-' }, 'unsatisfiable'],
    ['all of it for several ranges', { range: 'bytes=0-1,5-6' }, null],
    [
      'what Range says if the ETag is the same',
      { range: 'bytes=0-9', 'if-range': '"etag"' },
      { start: 0, end: 10 },
    ],
    ['all of it if the ETag is another', { range: 'bytes=0-9', 'if-range': '"other"' }, null],
    ['all of it in the viewer', { range: 'bytes=0-9', accept: 'text/html' }, null],
  ]
  test.each(rows)('%s', (_, headers, range) => {
    expect(classified({ kind: 'file', headers }).resource).toMatchObject({ kind: 'file', range })
  })
  test('all of it, of HTML', () => {
    const headers = { range: 'bytes=0-1' }
    expect(classified({ headers }).resource).toMatchObject({ kind: 'document', range: null })
  })
  test('on the page’s own host it is of the file as its author wrote it', () => {
    const input = { kind: 'deck', path: '/a.css', headers: { range: 'bytes=-10' } } as const
    expect(classified(input).resource).toMatchObject({ range: { start: 990, end: 1000 } })
    const own = classified({ ...input, isOwnHost: true })
    expect(own.resource).toMatchObject({ range: { start: 690, end: 700 } })
  })
})

describe('a request counts as', () => {
  const LATER = { range: 'bytes=1-' }
  const LIMITED_FILE = { kind: 'file', maxViews: 9 } as const
  const DECK_PAGE = { kind: 'deck', path: '/index.html' } as const
  const rows: [what: string, Given, counts: string][] = [
    ['the document', {}, 'view'],
    ['the document, opened by a browser', { headers: NAVIGATION }, 'view'],
    ['the file of a file page', { kind: 'file' }, 'view'],
    ['HEAD', { method: 'HEAD' }, 'none'],
    ['the owner', { isOwner: true }, 'none'],
    ['a preview agent', { headers: SLACK }, 'none'],
    ['a frame elsewhere', { headers: IFRAME }, 'none'],
    ['a frame elsewhere, of a limited page', { headers: IFRAME, maxViews: 9 }, 'view'],
    ['the first part of a file', { kind: 'file', headers: { range: 'bytes=0-9' } }, 'view'],
    ['a later part of a file', { kind: 'file', headers: LATER }, 'none'],
    ['a later part of a limited file', { ...LIMITED_FILE, headers: LATER }, 'view'],
    [
      'a later part in a visit',
      { ...LIMITED_FILE, headers: LATER, isCountedVisit: true },
      'part-of-visit',
    ],
    ['nothing of a file', { ...LIMITED_FILE, headers: { range: 'bytes=9999-' } }, 'none'],
    ['a deck’s page', DECK_PAGE, 'view'],
    ['a deck’s page in a visit', { ...DECK_PAGE, isCountedVisit: true }, 'part-of-visit'],
    ['a deck’s asset', { kind: 'deck', path: '/a.png' }, 'none'],
    ['a redirect', { kind: 'deck' }, 'none'],
    ['nothing', { path: '/nothing' }, 'none'],
    ['a file by frame token', FRAME, 'none'],
    ['a file by frame token in a visit', { ...FRAME, isCountedVisit: true }, 'part-of-visit'],
    ['a single page in a visit', { maxViews: 9, isCountedVisit: true }, 'view'],
  ]
  test.each(rows)('%s', (_, options, counts) =>
    expect<string>(classified(options).counts).toBe(counts),
  )

  const starting: [what: string, Given, starts: boolean][] = [
    ['a deck’s page', DECK_PAGE, true],
    ['a deck’s page in a visit', { ...DECK_PAGE, isCountedVisit: true }, false],
    ['a deck’s asset', { kind: 'deck', path: '/a.png' }, false],
    ['a limited file', LIMITED_FILE, true],
    ['a file without a limit', { kind: 'file' }, false],
    ['a limited single page', { maxViews: 9 }, false],
  ]
  test.each(starting)('%s, and starts a visit or not', (_, input, starts) =>
    expect(classified(input).startsVisit).toBe(starts),
  )
})

describe('a browser’s navigation is answered with', () => {
  const rows: [what: string, Given, shape: string][] = [
    ['a page that needs nothing of the shell', {}, 'direct'],
    ['a single page behind a password', { settings: GATED }, 'direct'],
    ['a single page for invited people', { settings: { access: 'people' } }, 'direct'],
    ['a single page behind an email gate', { settings: { access: 'email_gate' } }, 'direct'],
    ['a single page with a view limit', { maxViews: 3 }, 'direct'],
    ['a gated single page with a view limit', { settings: GATED, maxViews: 3 }, 'direct'],
    ['a page with comments', { settings: COMMENTS }, 'shell'],
    ['a gated page with comments', { settings: { ...GATED, ...COMMENTS } }, 'shell'],
    ['a page with approvals', { settings: { collect_approvals: true } }, 'shell'],
    ['a page with a poll', { settings: { collect_votes: true } }, 'shell'],
    ['a page that uses storage', { usesStorage: true }, 'shell'],
    ['a deck with a view limit', { kind: 'deck', path: '/index.html', maxViews: 3 }, 'shell'],
    ['a deck with a gate', { kind: 'deck', path: '/index.html', settings: GATED }, 'shell'],
    ['a deck without either', { kind: 'deck', path: '/index.html' }, 'direct'],
    ['a page of its owner', { isOwner: true }, 'shell'],
    ['a page by a named link', { linkId: 'lnk_1' }, 'shell'],
    ['a page with its own origin by a named link', { hasOrigins: true, linkId: 'l' }, 'shell'],
    ['a page with an origin of its own', { hasOrigins: true }, 'own_host'],
    ['a deck’s file that is no HTML', { kind: 'deck', path: '/a.png', settings: GATED }, 'direct'],
    ['a file page', { kind: 'file' }, 'viewer'],
    ['a gated file page', { kind: 'file', settings: GATED }, 'viewer'],
  ]
  test.each(rows)('%s', (_, options, shape) =>
    expect<string>(classified({ ...options, headers: NAVIGATION }).shape).toBe(shape),
  )
})

describe('other requests are answered with', () => {
  const rows: [what: string, Given, shape: string][] = [
    ['a program’s', { settings: COMMENTS }, 'direct'],
    ['a program’s by a named link', { linkId: 'lnk_1' }, 'direct'],
    ['a frame’s', { settings: COMMENTS, headers: IFRAME }, 'direct'],
    ['one by frame token', { ...FRAME, settings: COMMENTS }, 'direct'],
    ['a program’s for a file', { kind: 'file' }, 'direct'],
    ['a preview agent’s', { headers: SLACK }, 'direct'],
    ['one for a file, by the address of a preview', { ...PREVIEW, kind: 'file' }, 'viewer'],
    ['one for HTML, by the address of a preview', { ...PREVIEW, kind: 'deck' }, 'direct'],
    [
      'a preview agent’s for a private page',
      { headers: SLACK, settings: { access: 'private' } },
      'direct',
    ],
  ]
  test.each(rows)('%s', (_, options, shape) =>
    expect<string>(classified(options).shape).toBe(shape),
  )
})

test('the gate leaves claims to tokens where it admitted the visitor, or the owner', () => {
  expect(classified({}).claims).toBeNull()
  expect(classified({ linkId: 'lnk_1' }).claims?.link_id).toBe('lnk_1')
  expect(classified({ settings: GATED }).claims).toMatchObject({ emails: ['ann@example.com'] })
  expect(classified({ isOwner: true }).claims).toMatchObject({ is_owner: true })
})

describe('refused whichever the page', () => {
  const rows: [method: string, path: string, headers: Record<string, string>, string | null][] = [
    ['GET', '', {}, null],
    ['HEAD', '', {}, null],
    ['POST', '/~/password', {}, null],
    ['POST', '', {}, 'form'],
    ['POST', '/index.html', {}, 'form'],
    ['POST', '/~v1.token/index.html', {}, 'form'],
    ['PUT', '', {}, 'method'],
    ['DELETE', '', {}, 'method'],
    ['GET', '', { 'service-worker': 'script' }, 'service_worker'],
    ['GET', '', { 'sec-purpose': 'prefetch;prerender' }, 'prefetch'],
    ['GET', '', { purpose: 'prefetch' }, 'prefetch'],
  ]
  test.each(rows)('%s %s %o: %s', (method, path, headers, refused) => {
    const request = new Request(`http://a.test/p/abc${path}`, { method, headers })
    expect<string | null>(refusalOf(request, parseTarget(request.url))).toBe(refused)
  })
})

describe('a navigation is', () => {
  const LAN = { accept: 'text/html,*/*;q=0.8', 'user-agent': CHROME }
  const rows: [what: string, Record<string, string>, boolean][] = [
    ['a browser that says so', NAVIGATION, true],
    ['a browser that says nothing', LAN, true],
    ['no frame', { ...NAVIGATION, 'sec-fetch-dest': 'iframe' }, false],
    ['no fetch of a script', { ...NAVIGATION, 'sec-fetch-dest': 'empty' }, false],
    ['nothing that says it is something else', { ...LAN, 'sec-fetch-mode': 'no-cors' }, false],
    ['no browser that wants an image', { ...LAN, accept: 'image/png' }, false],
    ['no curl', { accept: '*/*', 'user-agent': 'curl/8.0' }, false],
    ['no program that takes HTML', { accept: 'text/html', 'user-agent': 'curl/8.0' }, false],
  ]
  test.each(rows)('%s', (_, headers, expected) =>
    expect(isNavigation(new Headers(headers))).toBe(expected),
  )
})
