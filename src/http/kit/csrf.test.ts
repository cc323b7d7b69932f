import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../model/errors.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { newBrowser } from './cookies.ts'
import { assertOwnOrigin, assertTrustedWrite, formToken, isOwnHost } from './csrf.ts'

const baseUrl = 'https://pages.example.com'
const secrets = createSecrets(new Uint8Array(32).fill(1))
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'

function requestWith(headers: Record<string, string>, url = `${baseUrl}/app/sign-out`): Request {
  return new Request(url, { method: 'POST', headers })
}
function refusalOf(check: () => unknown): string | null {
  try {
    check()
    return null
  } catch (err) {
    if (err instanceof Refusal) return `${err.kind} ${err.code}`
    throw err
  }
}

describe('a write with a cookie', () => {
  const own = { origin: baseUrl, 'user-agent': FIREFOX }
  const cases: [string, Record<string, string>, boolean][] = [
    ['a browser, from our page', { ...own, 'sec-fetch-site': 'same-origin' }, true],
    ['a browser on plain http, which sends no Sec-Fetch-Site', own, true],
    ['a program', { 'user-agent': 'curl/8.1' }, true],
    ['a program without a User-Agent', {}, true],
    ['a program that names our origin', { origin: baseUrl, 'user-agent': 'curl/8.1' }, true],
    ['a sandboxed page', { ...own, origin: 'null', 'sec-fetch-site': 'cross-site' }, false],
    ['a sandboxed page on plain http', { ...own, origin: 'null' }, false],
    ['null from our site', { ...own, origin: 'null', 'sec-fetch-site': 'same-origin' }, false],
    ['another site', { ...own, origin: 'https://evil.example' }, false],
    ['a subdomain', { ...own, origin: 'https://a.pages.example.com' }, false],
    ['the parent domain', { ...own, origin: 'https://example.com' }, false],
    ['a longer name', { ...own, origin: `${baseUrl}.evil.example` }, false],
    ['another port', { ...own, origin: `${baseUrl}:8443` }, false],
    ['another scheme', { ...own, origin: 'http://pages.example.com' }, false],
    ['our origin with a slash', { ...own, origin: `${baseUrl}/` }, false],
    ['two origins', { ...own, origin: `${baseUrl}, https://evil.example` }, false],
    ['an empty origin', { ...own, origin: '' }, false],
    ['same-site', { ...own, 'sec-fetch-site': 'same-site' }, false],
    ['cross-site', { ...own, 'sec-fetch-site': 'cross-site' }, false],
    ['the address bar', { ...own, 'sec-fetch-site': 'none' }, false],
    ['a browser without an origin', { 'user-agent': FIREFOX }, false],
    ['a disguised user agent', { 'user-agent': 'x', 'sec-fetch-site': 'same-origin' }, false],
    ['only Sec-Fetch-Mode', { 'sec-fetch-mode': 'navigate' }, false],
    ['a program that says cross-site', { 'sec-fetch-site': 'cross-site' }, false],
  ]
  for (const [name, headers, isAllowed] of cases) {
    test(`${isAllowed ? 'may' : 'may not'} come from ${name}`, () => {
      const code = refusalOf(() => assertOwnOrigin(requestWith(headers), baseUrl))
      expect(code).toBe(isAllowed ? null : 'forbidden foreign_origin')
    })
  }

  test('needs the form token of this browser and this action', () => {
    const [browser, other] = [newBrowser(), newBrowser()]
    const action = 'sign-out ses_1'
    const token = formToken(secrets, browser, action)
    const request = requestWith({ ...own, 'sec-fetch-site': 'same-origin' })
    const code = (claim: object) =>
      refusalOf(() =>
        assertTrustedWrite(request, { secrets, baseUrl, browser, token, action, ...claim }),
      )
    expect(code({})).toBeNull()
    const wrong = [
      { browser: other },
      { browser: null },
      { browser: '' },
      { token: null },
      { token: '' },
      { token: `${token}=` },
      { token: formToken(secrets, other, action) },
      { action: 'sign-out ses_2' },
      { secrets: createSecrets(new Uint8Array(32).fill(2)) },
    ]
    for (const claim of wrong) expect(code(claim)).toBe('forbidden stale_form')
    for (let at = 0; at < token.length; at++) {
      const byte = token[at] === 'A' ? 'B' : 'A'
      const flipped = token.slice(0, at) + byte + token.slice(at + 1)
      expect(code({ token: flipped })).toBe('forbidden stale_form')
    }
  })
})

describe('isOwnHost', () => {
  const cases: [string, string | null, string, boolean][] = [
    ['our host', 'pages.example.com', baseUrl, true],
    [
      'our host with the default port',
      'pages.example.com:443',
      'http://pages.example.com:443',
      true,
    ],
    ['our host in capitals', 'Pages.Example.COM', baseUrl, true],
    ['our host behind a TLS proxy', 'pages.example.com', 'http://pages.example.com', true],
    ['no Host header', null, baseUrl, true],
    ['another name of this server', 'evil.example', 'https://evil.example', false],
    ['another port', 'pages.example.com:8443', 'https://pages.example.com:8443', false],
    ['an address', '127.0.0.1', 'https://127.0.0.1', false],
    ['a subdomain', 'a.pages.example.com', 'https://a.pages.example.com', false],
    ['two hosts', 'pages.example.com, evil.example', baseUrl, false],
    ['our host in the URL and another in the header', 'evil.example', baseUrl, false],
    [
      'our host in the header and another in the URL',
      'pages.example.com',
      'http://evil.test',
      false,
    ],
  ]
  for (const [name, host, origin, isOwn] of cases) {
    test(`${isOwn ? 'accepts' : 'refuses'} ${name}`, () => {
      const request = new Request(`${origin}/app`, { headers: host === null ? {} : { host } })
      expect(isOwnHost(request, baseUrl)).toBe(isOwn)
    })
  }
})
