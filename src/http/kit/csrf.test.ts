import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../model/errors.ts'
import { createSecrets } from '../../platform/secrets.ts'
import { createCookies, newBrowser, readCookie } from './cookies.ts'
import { assertOwnOrigin, assertTrustedWrite, formToken, isOwnHost } from './csrf.ts'
import { parseForm, readForm } from './form.ts'

const baseUrl = 'https://pages.example.com'
const secrets = createSecrets(new Uint8Array(32).fill(1))
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'

function asked(headers: Record<string, string>, url = `${baseUrl}/app/sign-out`): Request {
  return new Request(url, { method: 'POST', headers })
}
function codeOf(act: () => unknown): string | null {
  try {
    act()
    return null
  } catch (err) {
    if (err instanceof Refusal) return `${err.kind} ${err.code}`
    throw err
  }
}

describe('a write that a cookie carries', () => {
  const own = { origin: baseUrl, 'user-agent': FIREFOX }
  const cases: [string, Record<string, string>, boolean][] = [
    ['a browser, from our page', { ...own, 'sec-fetch-site': 'same-origin' }, true],
    ['a browser on plain http, which says no more', own, true],
    ['a program', { 'user-agent': 'curl/8.1' }, true],
    ['a program that says nothing of itself', {}, true],
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
    ['typed by hand', { ...own, 'sec-fetch-site': 'none' }, false],
    ['a browser without an origin', { 'user-agent': FIREFOX }, false],
    ['an agent that hides', { 'user-agent': 'x', 'sec-fetch-site': 'same-origin' }, false],
    ['only Sec-Fetch-Mode', { 'sec-fetch-mode': 'navigate' }, false],
    ['a program that says cross-site', { 'sec-fetch-site': 'cross-site' }, false],
  ]
  for (const [name, headers, isFine] of cases) {
    test(`${isFine ? 'may' : 'may not'} come from ${name}`, () => {
      const code = codeOf(() => assertOwnOrigin(asked(headers), baseUrl))
      expect(code).toBe(isFine ? null : 'forbidden foreign_origin')
    })
  }

  test('needs the token that this browser was given for this', () => {
    const [browser, other] = [newBrowser(), newBrowser()]
    const what = 'sign-out ses_1'
    const token = formToken(secrets, browser, what)
    const request = asked({ ...own, 'sec-fetch-site': 'same-origin' })
    const code = (claim: object) =>
      codeOf(() =>
        assertTrustedWrite(request, { secrets, baseUrl, browser, token, what, ...claim }),
      )
    expect(code({})).toBeNull()
    const wrong = [
      { browser: other },
      { browser: null },
      { browser: '' },
      { token: null },
      { token: '' },
      { token: `${token}=` },
      { token: formToken(secrets, other, what) },
      { what: 'sign-out ses_2' },
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

describe('the host that a request names', () => {
  const cases: [string, string | null, string, boolean][] = [
    ['ours', 'pages.example.com', baseUrl, true],
    [
      'ours with the port that goes without saying',
      'pages.example.com:443',
      'http://pages.example.com:443',
      true,
    ],
    ['ours in capitals', 'Pages.Example.COM', baseUrl, true],
    ['ours behind what ends TLS', 'pages.example.com', 'http://pages.example.com', true],
    ['none of its own', null, baseUrl, true],
    ['another name for us', 'evil.example', 'https://evil.example', false],
    ['another port', 'pages.example.com:8443', 'https://pages.example.com:8443', false],
    ['an address', '127.0.0.1', 'https://127.0.0.1', false],
    ['a subdomain', 'a.pages.example.com', 'https://a.pages.example.com', false],
    ['two at once', 'pages.example.com, evil.example', baseUrl, false],
    ['ours in the line and another in the header', 'evil.example', baseUrl, false],
    ['ours in the header and another in the line', 'pages.example.com', 'http://evil.test', false],
  ]
  for (const [name, host, origin, isOwn] of cases) {
    test(`${isOwn ? 'may' : 'may not'} be ${name}`, () => {
      const request = new Request(`${origin}/app`, { headers: host === null ? {} : { host } })
      expect(isOwnHost(request, baseUrl)).toBe(isOwn)
    })
  }
})

describe('cookies', () => {
  const token = 't'.repeat(43)
  const sent = (cookie: string) => asked({ cookie })

  test('cannot be read by script, sent from elsewhere, or set by another host', () => {
    const cookies = createCookies(baseUrl)
    expect(cookies.session(token)).toBe(
      `__Host-handbill_session=${token}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure`,
    )
    expect(cookies.endSession()).toContain('__Host-handbill_session=; Max-Age=0; Path=/')
    expect(cookies.browser(newBrowser())).toMatch(
      /^__Host-handbill_browser=[\w-]{22}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
    const plain = createCookies('http://192.168.1.5:8787').session(token)
    expect(plain).toBe(`handbill_session=${token}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`)
  })

  test('are read by their whole name, in their one shape, and never out of two', () => {
    const { sessionOf, browserOf } = createCookies(baseUrl)
    const name = '__Host-handbill_session'
    expect(sessionOf(sent(`a=b;  ${name}=${token}; c=d`))).toBe(token)
    const none = [
      `handbill_session=${token}`,
      `x${name}=${token}`,
      `${name}x=${token}`,
      `${name} =${token}`,
      `${name}=`,
      `${name}="${token}"`,
      `${name}=${token}x`,
      `${name}=${token}; ${name}=${'e'.repeat(43)}`,
    ]
    for (const cookie of none) expect(sessionOf(sent(cookie))).toBeNull()
    expect(sessionOf(asked({}))).toBeNull()
    expect(browserOf(sent('__Host-handbill_browser=short'))).toBeNull()
    expect(readCookie(sent('a=1=2'), 'a')).toBe('1=2')
  })
})

describe('a form', () => {
  const urlencoded = 'application/x-www-form-urlencoded'
  const post = (body: BodyInit, type = urlencoded, headers: Record<string, string> = {}) =>
    readForm(
      new Request(baseUrl, {
        method: 'POST',
        body,
        headers: { 'content-type': type, ...headers },
      }),
    )
  const refusal = (form: Promise<unknown>) => form.then(String, ({ code }) => code)

  test('is read as browsers write it', async () => {
    const form = await post('email=ann%2Bx%40example.com&name=Ann+%C3%89&empty=&bare')
    expect(['email', 'name', 'empty', 'bare', 'none'].map(form)).toEqual([
      'ann+x@example.com',
      'Ann É',
      '',
      '',
      '',
    ])
    expect((await post('a=1', `${urlencoded}; charset=UTF-8`))('a')).toBe('1')
    expect((await post('__proto__=1&constructor=2'))('__proto__')).toBe('1')
  })

  test('is refused when a name comes twice, and when it is no UTF-8', () => {
    const wrong = ['a=1&a=2', 'a=%', 'a=%zz', 'a=%C3', 'a=%00', '=1', 'a=%ED%A0%80']
    for (const text of wrong) {
      expect(codeOf(() => parseForm(Buffer.from(text)))).toBe('invalid malformed_form')
    }
    expect(codeOf(() => parseForm(Uint8Array.of(97, 61, 0xff)))).toBe('invalid malformed_form')
    const many = Array.from({ length: 65 }, (_, i) => `a${i}=1`).join('&')
    expect(codeOf(() => parseForm(Buffer.from(many)))).toBe('invalid malformed_form')
  })

  test('is refused as anything but a form, and over 64 KiB, however it comes', async () => {
    for (const type of ['', 'text/plain', 'multipart/form-data; boundary=x', 'application/json']) {
      expect(await refusal(post('a=1', type))).toBe('not_a_form')
    }
    expect((await post(`a=${'x'.repeat(65_534)}`))('a')).toHaveLength(65_534)
    expect(await refusal(post(`a=${'x'.repeat(65_535)}`))).toBe('form_too_large')
    expect(await refusal(post('a=1', urlencoded, { 'content-length': '10000000' }))).toBe(
      'form_too_large',
    )
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1
        controller.enqueue(new Uint8Array(16_384).fill(97))
      },
    })
    expect(await refusal(post(endless))).toBe('form_too_large')
    expect(sent).toBeLessThan(10)
  })
})
