import { describe, expect, test } from 'bun:test'
import {
  assertResource,
  hasRedirectUri,
  isOwnAddress,
  isRedirectUri,
  isVerifier,
  metadataUrl,
  originOf,
  parseMetadata,
  parseRequest,
  redirectTo,
  scopesOf,
} from './rules.ts'

const app = (...redirect_uris: string[]) => ({ id: 'app', name: null, redirect_uris })

describe('an address for answers', () => {
  test.each([
    'https://app.example/callback?a=1',
    'https://app.example:8443/callback',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:33418/callback',
    'http://[::1]:1/callback',
    'https://[2001:db8::1]/callback',
    'http://localhost:5000/callback',
    'com.example.app:/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
  ])('may be %s', (uri) => expect(isRedirectUri(uri)).toBe(true))

  test.each([
    '',
    'callback',
    '/callback',
    '//app.example/callback',
    'http://app.example/callback',
    'http://127.0.0.1.app.example/callback',
    'http://127.0.0.2/callback',
    'http://localhost.app.example/callback',
    'http://0.0.0.0/callback',
    'http://user@127.0.0.1/callback',
    'http://127.0.0.1@app.example/callback',
    'https://user:password@app.example/callback',
    'https://app.example/callback#fragment',
    'https://app.example/callback#',
    'https://app.example/a b',
    'https://app.example/\ncallback',
    'https://äpp.example/callback',
    'https://a;script-src;b.example/callback',
    'https://a,b.example/callback',
    "https://'self'.example/callback",
    'https://*.example/callback',
    'https://app.example./callback',
    'javascript:alert(1)',
    'javascript://app.example/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://app.example/1',
    'about:blank',
    'ftp://app.example/callback',
    'ws://app.example/callback',
    'view-source://app.example',
    'intent://app.example/callback',
    'ms-settings:about',
    'mailto:ann@app.example',
    'urn:ietf:wg:oauth:2.0:oob',
    `https://app.example/${'a'.repeat(500)}`,
  ])('is not %j', (uri) => expect(isRedirectUri(uri)).toBe(false))

  test.each([
    ['https://app.example/callback', 'https://app.example/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:33418/callback'],
    ['http://127.0.0.1:1234/callback', 'http://127.0.0.1/callback'],
    ['http://[::1]:1/callback?a=1', 'http://[::1]:2/callback?a=1'],
    ['http://localhost/callback', 'http://localhost:8080/callback'],
    ['app.example:/callback', 'app.example:/callback'],
  ])('that is named %s has %s', (own, value) => {
    expect(hasRedirectUri(app('https://other.example/', own), value)).toBe(true)
  })

  test.each([
    ['https://app.example/callback', 'https://app.example/callback/'],
    ['https://app.example/callback', 'https://app.example/callback?next=evil'],
    ['https://app.example/callback', 'https://app.example/callback/../evil'],
    ['https://app.example/callback', 'https://app.example:443/callback'],
    ['https://app.example/callback', 'https://APP.example/callback'],
    ['https://app.example/callback', 'https://app.example.evil.example/callback'],
    ['https://app.example/callback', 'https://app.example@evil.example/callback'],
    ['https://app.example/callback', 'https://sub.app.example/callback'],
    ['https://app.example/callback', 'https://app.example:8443/callback'],
    ['https://app.example/callback', 'http://app.example/callback'],
    ['https://app.example/', 'https://app.example'],
    ['http://127.0.0.1/callback', 'http://localhost/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1/other'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1/callback?more=1'],
    ['http://127.0.0.1/callback', 'https://127.0.0.1/callback'],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:80@evil.example/callback'],
    ['app.example:/callback', 'app.example:/other'],
    ['https://app.example/callback', ''],
  ])('that is named %s is not %s', (own, input) => {
    expect(hasRedirectUri(app(own), input)).toBe(false)
  })

  test('of this server is none, whatever an app names: somebody else may publish there', () => {
    const own = { baseUrl: 'http://localhost:3000', contentUrl: 'https://{page}.pages.example' }
    const isOwn = (uri: string) => isOwnAddress(uri, own)
    expect(isOwn('http://localhost:3000/p/any')).toBe(true)
    expect(isOwn('https://any.pages.example/')).toBe(true)
    expect(isOwn('http://localhost:3001/callback')).toBe(false)
    expect(isOwn('https://pages.example/')).toBe(false)
    expect(isOwn('http://127.0.0.1:8787/p/any')).toBe(true)
    expect(isOwn('http://[::1]/x/../p/any')).toBe(true)
    expect(isOwn('http://127.0.0.1:8787/callback')).toBe(false)
    expect(isOwnAddress('https://any.example/', { ...own, contentUrl: null })).toBe(false)
  })

  test('keeps its own query, and gets the answer added to it', () => {
    const answer = { code: 'a b', state: null, iss: 'https://own.example' }
    const query = 'code=a+b&iss=https%3A%2F%2Fown.example'
    expect(redirectTo('https://app.example/c?a=%20', answer)).toBe(
      `https://app.example/c?a=%20&${query}`,
    )
    expect(redirectTo('app.example:/c', answer)).toBe(`app.example:/c?${query}`)
  })

  test('stands in a content security policy as its origin or its scheme', () => {
    expect(originOf('https://app.example/c;script-src *')).toBe('https://app.example')
    expect(originOf('http://127.0.0.1:9/c')).toBe('http://127.0.0.1:9')
    expect(originOf('http://[::1]:9/c')).toBe('http:')
    expect(originOf('app.example:/c')).toBe('app.example:')
  })
})

describe('the metadata of an app', () => {
  test.each(['https://app.example/app.json', 'https://app.example:8443/a?b=1'])(
    'may be at %s',
    (id) => expect(metadataUrl(id)?.href).toBe(id),
  )
  test.each([
    'app_0123',
    'http://app.example/app.json',
    'https://app.example',
    'https://app.example/',
    'https://app.example/a/../app.json',
    'https://app.example/app.json#a',
    'https://user@app.example/app.json',
    'https://APP.example/app.json',
    'https://app.example:443/app.json',
    ' https://app.example/app.json',
    `https://app.example/${'a'.repeat(500)}`,
  ])('is not at %s', (id) => expect(metadataUrl(id)).toBeNull())

  test('has a name of one line, which is shortened, or none', () => {
    const nameIn = (client_name: unknown) =>
      parseMetadata({ client_name, redirect_uris: ['https://app.example/c'] }).name
    expect(nameIn(' An app ')).toBe('An app')
    expect(nameIn('a'.repeat(5000))).toHaveLength(100)
    for (const none of [undefined, '', ' ', '\u202e\u200b']) expect(nameIn(none)).toBeNull()
  })

  test('shows nothing that is invisible or turns the text around it', () => {
    const nameIn = (client_name: string) =>
      parseMetadata({ client_name, redirect_uris: ['https://app.example/c'] }).name
    expect(nameIn('Hand\u202elib\u202c\u2066\u{e0041}bill\u0000\nsupport')).toBe(
      'Handlibbill support',
    )
  })

  test.each([
    null,
    [[]],
    'text',
    {},
    { redirect_uris: [] },
    { redirect_uris: 'https://app.example/c' },
    { redirect_uris: [1] },
    { redirect_uris: ['https://app.example/c', 'http://app.example/c'] },
    { redirect_uris: Array.from({ length: 21 }, (_, i) => `https://app.example/${i}`) },
    { redirect_uris: ['https://app.example/c'], client_name: 7 },
  ])('is not %j', (metadata) => expect(() => parseMetadata(metadata)).toThrow())
})

describe('a request for access', () => {
  const input = {
    response_type: 'code',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    resource: 'https://own.example/mcp',
    scope: 'feedback:read pages:read',
  }
  const parse = (fields: Record<string, string>) =>
    parseRequest((name) => fields[name] ?? '', 'https://own.example')

  test('has its scopes in our order, and its challenge', () => {
    const { scopes, challenge } = parse(input)
    expect(scopes).toEqual(['pages:read', 'feedback:read'])
    expect(challenge).toBe(input.code_challenge)
  })

  test.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['unsupported_response_type', { response_type: '' }],
    ['invalid_request', { code_challenge: '' }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: '' }],
    ['invalid_target', { resource: 'https://other.example/mcp' }],
    ['invalid_target', { resource: 'https://own.example.evil.example/mcp' }],
    ['invalid_scope', { scope: 'admin' }],
  ])('is refused with %s for %j', (error, change) => {
    expect(() => parse({ ...input, ...change })).toThrow(expect.objectContaining({ error }))
  })

  test('asks for the scopes that there are, and for all without a list', () => {
    expect(scopesOf('')).toEqual(['pages:read', 'pages:write', 'feedback:read'])
    expect(scopesOf('pages:read offline_access  pages:read')).toEqual(['pages:read'])
  })

  test('asks for no more than was granted', () => {
    expect(scopesOf('', ['pages:read'])).toEqual(['pages:read'])
    expect(() => scopesOf('pages:read pages:write', ['pages:read'])).toThrow()
    expect(() => scopesOf('pages:write', ['pages:read'])).toThrow()
  })

  test.each(['', 'https://own.example', 'https://own.example/', 'https://own.example/api/v1'])(
    'may be for the resource %j',
    (resource) => expect(() => assertResource(resource, 'https://own.example')).not.toThrow(),
  )
})

test('a challenge is the hash of its verifier', () => {
  // Of RFC 7636, appendix B.
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
  expect(isVerifier(verifier, challenge)).toBe(true)
  for (const wrong of ['', challenge, verifier.slice(1), `${verifier}=`, `${verifier}a`]) {
    expect(isVerifier(wrong, challenge)).toBe(false)
  }
})
