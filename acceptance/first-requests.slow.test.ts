/** What a server does at the first request of a kind alone is short enough for views meanwhile. */
import { afterAll, expect, test } from 'bun:test'
import { startWatched } from './event-loop.ts'
import { html } from './material.ts'
import { newKey } from './server.ts'
import { cleanUp, freshEnvironment } from './start.ts'

const LONGEST_TURN_MS = 40
/** Its SDK builds schemas in one turn at the first call: 30 to 60 ms, by how busy the machine is. */
const MCP_TURN_MS = 100

afterAll(cleanUp)

test('no first request takes long turns of the event loop', async () => {
  const env = freshEnvironment()
  const server = await startWatched(env)
  const headers = {
    authorization: `Bearer ${await newKey(env, 'pro')}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ html: html('first') })
  const call = { name: 'publish_page', arguments: { html: html('by MCP') } }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
  const mcp = {
    method: 'POST',
    headers: { ...headers, accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
  }
  const requests: [string, RequestInit, number][] = [
    ['/healthz', {}, 200],
    ['/api/v1/account', { headers }, 200],
    ['/api/v1/pages', { method: 'POST', headers, body }, 201],
    ['/mcp', mcp, 200],
    ['/', {}, 200],
    ['/docs', {}, 200],
    ['/app', { redirect: 'manual' }, 303],
  ]
  const slow: Record<string, number> = {}
  for (const [path, init, status] of requests) {
    const longestMs = await server.longestTurn(async () => {
      expect((await fetch(env.BASE_URL + path, init)).status, path).toBe(status)
    })
    const boundMs = path === '/mcp' ? MCP_TURN_MS : LONGEST_TURN_MS
    if (longestMs > boundMs) slow[path] = Math.round(longestMs)
  }
  expect(slow).toEqual({})
})
