import { describe, expect, test } from 'bun:test'
import { DEFAULT_SETTINGS, type Page, type PageSettings } from '../../../model/page/index.ts'
import { opensWindow, type Shown, showsShell } from './select.ts'

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
const WINDOW = { 'sec-fetch-dest': 'document', accept: 'text/html', 'user-agent': CHROME }

interface Case {
  settings?: Partial<PageSettings>
  headers?: Record<string, string>
  release?: Partial<NonNullable<Shown['live']['release']>>
  max_views?: number
  isHtml?: boolean
  isFramed?: boolean
  hasOwnerBar?: boolean
  hasOrigins?: boolean
}

function isShown(given: Case): boolean {
  const settings = { ...DEFAULT_SETTINGS, ...given.settings }
  const release = { kind: 'single', file_name: null, uses_storage: false, ...given.release }
  const { isFramed = false, hasOwnerBar = false, isHtml = true, max_views: maxViews = null } = given
  return showsShell({
    headers: new Headers(given.headers ?? WINDOW),
    live: { page: { settings } as Page, release: release as never, max_views: maxViews },
    isFramed,
    file: { html: isHtml ? ({} as never) : null },
    hasOwnerBar,
    hasOrigins: given.hasOrigins ?? false,
  })
}

const GATED = { settings: { access: 'password' } } as const
const CASES: [string, Case, boolean][] = [
  ['a page that needs nothing of it', {}, false],
  ['a page behind a password', GATED, true],
  ['a page for invited people', { settings: { access: 'people' } }, true],
  ['a page behind an email gate', { settings: { access: 'email_gate' } }, true],
  ['a private page, for its owner', { settings: { access: 'private' } }, true],
  ['a page with comments', { settings: { allow_comments: true } }, true],
  ['a page with approvals', { settings: { collect_approvals: true } }, true],
  ['a page with a poll', { settings: { collect_votes: true } }, true],
  ['a page that stores things', { release: { uses_storage: true } }, true],
  ['a deck with a view limit', { release: { kind: 'bundle' }, max_views: 3 }, true],
  ['a deck without one', { release: { kind: 'bundle' } }, false],
  ['a single page with a view limit', { max_views: 3 }, false],
  ['any page with a bar for its owner', { hasOwnerBar: true }, true],
  ['any page where each has an origin of its own', { hasOrigins: true }, true],
  ['what is framed there', { hasOrigins: true, isFramed: true }, false],
  ['a file of a deck that is no HTML', { ...GATED, isHtml: false }, false],
  ['a PDF page: its viewer is ours', { ...GATED, release: { file_name: 'a.pdf' } }, false],
  ['what a capability addresses', { ...GATED, isFramed: true }, false],
  ['a program', { ...GATED, headers: {} }, false],
]
for (const [name, given, expected] of CASES) {
  test(`${name} comes ${expected ? 'in the shell' : 'as its own bytes'}`, () => {
    expect(isShown(given)).toBe(expected)
  })
}

describe('a window is opened by', () => {
  const LAN = { accept: 'text/html,*/*;q=0.8', 'user-agent': CHROME }
  const headers: [string, Record<string, string>, boolean][] = [
    ['a browser that says so', WINDOW, true],
    ['a browser that says nothing', LAN, true],
    ['no frame', { ...WINDOW, 'sec-fetch-dest': 'iframe' }, false],
    ['no fetch of a script', { ...WINDOW, 'sec-fetch-dest': 'empty' }, false],
    ['none that says something else', { ...LAN, 'sec-fetch-mode': 'no-cors' }, false],
    ['no browser that wants an image', { ...LAN, accept: 'image/png' }, false],
    ['no curl', { accept: '*/*', 'user-agent': 'curl/8.0' }, false],
    ['no program that takes HTML', { accept: 'text/html', 'user-agent': 'curl/8.0' }, false],
    ['no agent that previews links', { ...LAN, 'user-agent': `${CHROME} Slackbot` }, false],
    ['no search engine', { ...WINDOW, 'user-agent': 'Mozilla/5.0 (Googlebot/2.1)' }, false],
  ]
  for (const [name, given, expected] of headers) {
    test(name, () => expect(opensWindow(new Headers(given))).toBe(expected))
  }
})
