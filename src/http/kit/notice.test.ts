import { describe, expect, test } from 'bun:test'
import { plainSite } from '../../model/site.ts'
import { NOTICE_CSP, type NoticeKind, notice, previewStub } from './notice.ts'

const KINDS: NoticeKind[] = [
  ...(['not_found', 'not_published', 'expired', 'view_limit'] as const),
  ...(['visit_over', 'cookies_off'] as const),
  ...(['too_many_tries', 'server_full', 'server_error'] as const),
]
const host = 'pages.example.com'
const site = plainSite(host)

describe.each(KINDS)('the notice %s', (kind) => {
  const text = notice(kind, { accent: 'teal', site, og_title: 'Autumn <review>' })

  test('is a complete document, not indexed and without script', () => {
    expect(text).toStartWith('<!doctype html>\n<html lang="en" data-accent="teal">')
    expect(text).toContain('<meta name="viewport"')
    expect(text).toContain('<meta name="robots" content="noindex">')
    expect(text).toMatch(/<title>[^<]+<\/title>/)
    expect(text).not.toMatch(/<script|javascript:| on\w+=|<form|<iframe/)
  })
  test('shows the host and the escaped preview title', () => {
    expect(text).toContain(host)
    expect(text).toContain('Autumn &lt;review&gt;')
  })
  test('says what happened, why, and what to do, in calm words', () => {
    expect(text).toMatch(/<h1>[^<]+<\/h1>\n<p class="why">[^<]+\.<\/p>\n<p class="help">[^<]+\./)
    expect(text.slice(text.indexOf('<body>'))).not.toMatch(/!|please|oops|sorry/i)
  })
})

test('the notices contain the words of the specification', () => {
  expect(notice('expired', { site })).toContain('this link has expired')
  expect(notice('expired', { site })).toContain('<h1>This link has expired</h1>')
  expect(notice('view_limit', { site })).toContain('no longer available')
  expect(notice('not_published', { site })).toContain('not published')
})

test('a notice without a preview title has no line for it', () => {
  expect(notice('expired', { site, og_title: 'Own\u202e name' })).toContain('>Own name<')
  expect(notice('expired', { site, og_title: null })).not.toContain('class="about"')
})

test('a waiting time is in seconds or minutes', () => {
  const wait = (retryAfterSeconds: number) => notice('too_many_tries', { site, retryAfterSeconds })
  expect(wait(0.4)).toContain('Try again in 1 second.')
  expect(wait(41.2)).toContain('Try again in 42 seconds.')
  expect(wait(601)).toContain('Try again in 11 minutes.')
})

test('a server error shows the request id', () => {
  expect(notice('server_error', { site, request_id: 'req_1' })).toContain('under req_1.')
})

test('the policy allows no script and no form, and adds a sandbox', () => {
  expect(NOTICE_CSP).toStartWith("default-src 'none'; style-src 'self' 'sha256-")
  expect(NOTICE_CSP).toContain("form-action 'none'")
  expect(NOTICE_CSP).toEndWith('; sandbox')
  expect(NOTICE_CSP).not.toContain('script')
})

describe('the preview stub', () => {
  const url = 'https://pages.example.com/p/abc'
  const image = `${url}/~/preview.png`

  test('contains the preview texts and nothing else', () => {
    const text = previewStub({ title: 'A "b"', description: 'C & d', url, image, host })
    expect(text).toContain('<meta property="og:title" content="A &quot;b&quot;">')
    expect(text).toContain('<meta property="og:description" content="C &amp; d">')
    expect(text).toContain('<meta name="twitter:title" content="A &quot;b&quot;">')
    expect(text).toContain(`<meta property="og:url" content="${url}">`)
    expect(text).toContain(`<meta property="og:image" content="${image}">`)
    expect(text).toContain('<body></body>')
    const turned = { title: 'A\u202e b', description: 'C\u2067 d' }
    const plain = previewStub({ ...turned, url, image, host })
    expect(plain).toContain('<title>A b</title>')
    expect(plain).toContain('<meta property="og:title" content="A b">')
    expect(plain).toContain('<meta name="twitter:description" content="C d">')
    expect(text).toContain('noindex')
  })
  test('shows the host if there are no preview texts', () => {
    const text = previewStub({ title: null, description: null, url, image, host })
    expect(text).toContain('content="A page on pages.example.com"')
    expect(text).not.toContain('description')
  })
})
