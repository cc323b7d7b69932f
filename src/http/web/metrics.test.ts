import { describe, expect, test } from 'bun:test'
import { createMetrics } from '../../platform/metrics.ts'
import { metricsRoute } from './probes-and-files.ts'

const TOKEN = 'a-token-of-metrics'
const HERE = 'http://localhost:8787'
const PUBLIC = 'https://pages.example.com'

interface Asked {
  peer?: string | null
  host?: string
  headers?: Record<string, string>
  baseUrl?: string
  trustProxy?: number
  token?: string | null
}

async function ask({ peer = '127.0.0.1', host = 'localhost:8787', ...input }: Asked) {
  const { headers = {}, baseUrl = HERE, trustProxy = 0, token = null } = input
  const metrics = createMetrics()
  metrics.add('one', 'One.', () => 1)
  const route = metricsRoute({ metrics, token, baseUrl, trustProxy, peerOf: () => peer })
  const answer = await route(
    new Request('http://127.0.0.1/metrics', { headers: { host, ...headers } }),
  )
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const text = await answer.text()
  expect(text.includes('one 1')).toBe(answer.status === 200)
  return answer
}

describe('without a token, metrics are read', () => {
  const local: [string, Asked][] = [
    ['from the loopback address', {}],
    ['from another loopback address', { peer: '127.8.0.1', host: '127.8.0.1' }],
    ['from the one of IPv6', { peer: '::1', host: '[::1]:8787' }],
    ['from an IPv4 address on a socket of IPv6', { peer: '::ffff:127.0.0.1' }],
    ['beside a proxy that is declared', { baseUrl: PUBLIC, trustProxy: 1 }],
  ]
  test.each(local)('%s', async (_, request) => {
    const answer = await ask(request)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  })

  const forwarded = { headers: { 'x-forwarded-for': '127.0.0.1' } }
  const strangers: [string, Asked][] = [
    ['another address', { peer: '203.0.113.9' }],
    ['an address that only looks local', { peer: '127.0.0.1.example.com' }],
    ['no known address', { peer: null }],
    ['who says to be local', { peer: '203.0.113.9', ...forwarded }],
    ['a proxy on this machine that is not declared', forwarded],
    ['a proxy that is declared, whatever it says', { ...forwarded, trustProxy: 1 }],
    ['a proxy where two are declared', { ...forwarded, trustProxy: 2 }],
    ['a proxy that sends its name', { headers: { via: '1.1 caddy' }, trustProxy: 1 }],
    ['a proxy that passes the host on', { host: 'pages.example.com', trustProxy: 1 }],
    ['a website that points its name here', { host: 'rebound.example.com:8787' }],
    ['anyone where a proxy may add no headers', { baseUrl: PUBLIC }],
  ]
  test.each(strangers)('not by %s', async (_, question) => {
    const answer = await ask(question)
    expect(answer.status).toBe(403)
    expect(answer.headers.has('www-authenticate')).toBe(false)
    // No token is set: none can be right.
    const tried = await ask({
      ...question,
      headers: { ...question.headers, authorization: 'Bearer null' },
    })
    expect(tried.status).toBe(403)
  })
})

describe('where a token is set', () => {
  const far = { peer: '203.0.113.9', host: 'pages.example.com', token: TOKEN }

  test('who sends it reads metrics from anywhere, and this machine reads them without', async () => {
    const sent = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.9' }
    expect((await ask({ ...far, headers: sent })).status).toBe(200)
    expect((await ask({ token: TOKEN })).status).toBe(200)
  })

  const wrong = ['', TOKEN, `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(0, -1)}`]
  test.each([...wrong, 'Bearer', 'Bearer  '])('%j is 401', async (authorization) => {
    const answer = await ask({ ...far, headers: { authorization } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })
})
