import { describe, expect, test } from 'bun:test'
import type { OpenPage } from '../../../features/pages/index.ts'
import { newId } from '../../../platform/ids.ts'
import { createSecrets } from '../../../platform/secrets.ts'
import { createOriginOf, createOrigins } from './hosts.ts'

const baseUrl = 'http://localhost:8787'
const localUrl = 'http://{page}.localhost:8787'
const secrets = createSecrets(new Uint8Array(32).fill(1))
const local = createOriginOf({ contentUrl: null, baseUrl }, createOrigins(localUrl, secrets))

const CHROMIUM = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const SAFARI = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15'
const IPHONE =
  'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 CriOS/140.0.0.0 Mobile/15E148 Safari/604.1'

function pageOf(hasOrigin: boolean): OpenPage {
  return { page: { id: newId('pg') }, plan: { hasOrigin } } as unknown as OpenPage
}
function requestOf(headers: Record<string, string | undefined>): Request {
  const all = {
    host: 'localhost:8787',
    'sec-fetch-site': 'none',
    'user-agent': CHROMIUM,
    ...headers,
  }
  const sent = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return new Request(`${baseUrl}/p/page`, { headers: sent })
}

describe('without CONTENT_URL, on localhost', () => {
  test.each([
    ['Chromium', {}],
    ['headless Chromium', { 'user-agent': CHROMIUM.replace('Chrome/', 'HeadlessChrome/') }],
    ['Firefox', { 'user-agent': FIREFOX }],
    ['a document of ours in Chromium', { 'sec-fetch-site': 'same-origin' }],
  ])('a page with scripts has one in %s', (_name, headers) => {
    const page = pageOf(true)
    expect(local(page, requestOf(headers))).toMatch(/^http:\/\/[a-z2-7]{26}\.localhost:8787$/)
  })

  test.each([
    ['WebKit', { 'user-agent': SAFARI }],
    ['WebKit on a phone', { 'user-agent': IPHONE }],
    ['a program', { 'user-agent': 'curl/8.0', 'sec-fetch-site': undefined }],
    ['a program that is called a browser', { 'sec-fetch-site': undefined }],
    ['a browser without a name', { 'user-agent': undefined }],
    ['a browser that asks by the address', { host: '127.0.0.1:8787' }],
    ['a browser that asks by a tunnel', { host: 'localhost:9000' }],
    ['a browser that asks by another name', { host: 'rebound.example:8787' }],
    ['a browser that asks by a name below', { host: 'a.localhost:8787' }],
  ])('no page has one in %s', (_name, headers) => {
    expect(local(pageOf(true), requestOf(headers))).toBeNull()
  })

  test('a page without scripts has none', () => {
    expect(local(pageOf(false), requestOf({}))).toBeNull()
  })
})

test('with CONTENT_URL, pages with scripts have an origin in every browser, and no others', () => {
  const contentUrl = 'https://{page}.content.test'
  const all = createOriginOf({ contentUrl, baseUrl }, createOrigins(contentUrl, secrets))
  for (const agent of [SAFARI, undefined]) {
    const request = requestOf({ 'user-agent': agent, host: 'any.test' })
    expect(all(pageOf(false), request)).toBeNull()
    expect(all(pageOf(true), request)).toMatch(/^https:\/\/[a-z2-7]{26}\.content\.test$/)
  }
})
