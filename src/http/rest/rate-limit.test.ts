import { expect, test } from 'bun:test'
import { LIMITS } from '../../features/throttles/index.ts'
import { BASE_URL, testApp } from '../../testing/app.ts'

test('the keys of an account share a limit, over REST and MCP, and its owner’s app has its own', async () => {
  await using app = await testApp('sqlite', { rateLimits: true })
  const [owner, other] = [await app.owner(), await app.owner()]
  const keys = [owner.key]
  for (const name of ['two', 'three']) {
    keys.push((await app.accounts.createKey(owner.email, name)).key)
  }
  const ask = (key: string) =>
    app.api('/pages?limit=1', { headers: { authorization: `Bearer ${key}` } })
  const callTool = (key: string) =>
    app.fetch(
      new Request(`${BASE_URL}/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      }),
    )
  expect((await callTool(keys[2]!)).status).not.toBe(429)
  for (let n = 2; n < LIMITS.api.count; n += 1) {
    expect((await ask(keys[n % 2]!)).status).toBe(200)
  }
  const last = await ask(keys[0]!)
  expect([last.status, last.headers.get('ratelimit')?.split(';')[1]]).toEqual([200, 'r=0'])
  for (const key of keys) {
    const refused = await ask(key)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(refused.headers.get('ratelimit-policy')).toBe('"api";q=600;w=60')
    expect((await callTool(key)).status).toBe(429)
  }
  expect((await ask(other.key)).status).toBe(200)
  const visitor = await app.signedIn(owner)
  const headers = { 'x-handbill-request': '1', 'sec-fetch-site': 'same-origin' }
  expect((await visitor.open('/app/api/pages?limit=1', headers)).status).toBe(200)
})
