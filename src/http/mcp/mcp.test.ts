import { describe, expect, test } from 'bun:test'
import { BASE_URL, type TestApp, testApp } from '../../testing/app.ts'
import { bodyReader } from '../../testing/body-reader.ts'
import { agentWith, jsonIn } from '../../testing/mcp.ts'
import { createAuthentication } from '../authenticate.ts'
import { createCompressor } from '../kit/compressor.ts'
import { mcpRoutes } from './routes.ts'

const CAPABILITIES = {
  tools: { listChanged: false },
  resources: { listChanged: false },
  extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
}
const PING = { jsonrpc: '2.0', id: 7, method: 'ping' }
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

async function withAgent(app: TestApp) {
  const owner = await app.owner()
  return { owner, agent: agentWith(app, owner.key) }
}

describe('a request', () => {
  test('without a valid key is refused, and lists no tools', async () => {
    await using app = await testApp('sqlite')
    const { owner } = await withAgent(app)
    const { id } = (await app.accounts.listKeys(owner.email))[0]!
    await app.accounts.revokeKey(id)
    for (const key of [null, 'sm_wrong', owner.key]) {
      for (const message of [PING, { ...PING, method: 'tools/list' }, 'half of {']) {
        const { status, headers, body } = await agentWith(app, key).send(message)
        expect(status).toBe(401)
        expect(headers.get('www-authenticate')).toMatch(/^Bearer .*resource_metadata=/)
        expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } })
        expect(JSON.stringify(body)).not.toContain('publish_page')
      }
    }
  })

  test('from another site or to another host name is refused before its key is checked', async () => {
    await using app = await testApp('sqlite')
    const { agent } = await withAgent(app)
    const wrong = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://handbill.test.evil.example' },
      { host: 'rebound.example' },
      { host: 'localhost:8787' },
    ]
    for (const headers of wrong) {
      const { status, headers: answered, body } = await agent.send(PING, headers)
      expect(status).toBe(403)
      expect(body.error.data.code).toBe('foreign_origin')
      expect(answered.has('access-control-allow-origin')).toBe(false)
    }
    for (const headers of [{}, { origin: BASE_URL }, { host: 'HANDBILL.test:80' }]) {
      const { status, headers: answered } = await agent.send(PING, headers)
      expect(status).toBe(200)
      expect(answered.has('access-control-allow-origin')).toBe(false)
    }
  })

  test('is a POST of one JSON message', async () => {
    await using app = await testApp('sqlite')
    const { agent } = await withAgent(app)
    for (const method of ['GET', 'DELETE', 'OPTIONS', 'PUT']) {
      const { status, headers } = await agent.send('', {}, method)
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST'])
    }
    const wrong: [string, number, number][] = [
      ['{"jsonrpc":"2.0","id":1,"meth', 400, -32_700],
      ['\ud800'.padEnd(3, '{'), 400, -32_700],
      ['"ping"', 400, -32_700],
      [JSON.stringify([PING]), 400, -32_600],
      [` \n[${JSON.stringify(PING)},${JSON.stringify(PING)}]`, 400, -32_600],
      ['[]', 400, -32_600],
      ['{}', 400, -32_600],
      ['', 400, -32_600],
      ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32_600],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32_600],
      ['{"jsonrpc":"2.0","id":1,"method":"prompts/list"}', 200, -32_601],
      ['{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 200, -32_602],
      ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}', 200, -32_602],
    ]
    for (const [sent, status, code] of wrong) {
      const answer = await agent.send(sent)
      expect([sent, answer.status, answer.body?.error?.code]).toEqual([sent, status, code])
    }
    expect((await agent.send(PING, { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await agent.send(PING, { 'content-encoding': 'gzip' })).status).toBe(415)
    expect((await agent.send(PING, { accept: 'text/html' })).status).toBe(406)
    expect((await agent.send(PING, { 'mcp-protocol-version': '2024-11-05' })).status).toBe(400)
    expect((await agent.send(PING)).body).toEqual({ jsonrpc: '2.0', id: 7, result: {} })
  })

  test('over 4 MB is refused, declared or chunked, with the way to send large content', async () => {
    await using app = await testApp('sqlite')
    const { agent, owner } = await withAgent(app)
    const call = { name: 'publish_page', arguments: { html: 'x'.repeat(4 * 1024 * 1024) } }
    const message = JSON.stringify({ ...PING, method: 'tools/call', params: call })
    const chunked = new Response(message).body!
    const headers = { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' }
    const streamed = await app.mcp({ method: 'POST', headers, body: chunked })
    for (const body of [(await agent.send(message)).body, await streamed.json()]) {
      expect(body.error.message).toContain('html_url')
    }
    expect((await agent.send(message)).status).toBe(413)
    expect(streamed.status).toBe(413)
    expect(await owner.ask<unknown[]>('GET', '/pages')).toEqual([])
  })

  test('counts towards the same rate limit as requests to the API', async () => {
    await using app = await testApp('sqlite', { rateLimits: true })
    const { agent, owner } = await withAgent(app)
    for (let at = 0; at < 599; at += 1) await owner.call('GET', '/pages?limit=1')
    expect((await agent.send(PING)).status).toBe(200)
    const { isError, json } = await agent.call('delete_page', { page_id: 'none' })
    expect([isError, json.error]).toMatchObject([true, { code: 'rate_limited' }])
    const { status, headers, body } = await agent.send(PING)
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body.error.data).toMatchObject({ code: 'rate_limited' })
    expect((await owner.refused('GET', '/pages')).status).toBe(429)
  })

  test('names the sets of tools in its address, and reaches no other tool', async () => {
    await using app = await testApp('sqlite')
    const { owner } = await withAgent(app)
    const at = (query: string) => agentWith({ mcp: (init) => app.mcp(init, query) }, owner.key)
    const namesAt = async (query: string): Promise<string[]> =>
      (await at(query).ask('tools/list')).result.tools.map(({ name }: { name: string }) => name)
    const all = await namesAt('')
    const versions = ['list_versions', 'get_version', 'name_version', 'restore_version']
    expect((await namesAt('?tools=versions')).sort()).toEqual(versions.sort())
    const both = await namesAt('?tools=publish,%20content')
    expect(both).toContain('publish_page')
    expect(both).toContain('edit_page')
    expect(both).not.toContain('get_responses')
    const sets = app.operations.flatMap(({ contract }) => Object.values(contract.tools ?? {}))
    const rest = sets.filter(({ set = 'feedback' }) => set === 'feedback' || set === 'links')
    expect(both.length + rest.length + versions.length).toBe(all.length)
    const params = { name: 'publish_page', arguments: { html: '<p>x' } }
    const hidden = await at('?tools=versions').ask('tools/call', params)
    expect(hidden.error.message).toContain('no such tool')
    for (const query of ['?tools=', '?tools=all', '?tools=publish,none', '?tools=toString']) {
      const { status, body } = await at(query).send({ ...PING, method: 'tools/list' })
      expect([query, status]).toEqual([query, 400])
      expect(body.error.message).toContain('publish, content, feedback')
    }
  })

  test('that waits ends where its client is gone', async () => {
    await using app = await testApp('sqlite')
    const { owner } = await withAgent(app)
    const gone = new AbortController()
    const mcp = (init: RequestInit) => app.mcp({ ...init, signal: gone.signal })
    const waiting = agentWith({ mcp }, owner.key).call('wait_for_feedback', { wait_s: 50 })
    while (app.feedback.countWaits() === 0) await Bun.sleep(5)
    gone.abort()
    await waiting
    expect(app.feedback.countWaits()).toBe(0)
  })

  test('that meets a bug gets a request id, and nothing of the bug', async () => {
    await using app = await testApp('sqlite')
    const { owner } = await withAgent(app)
    const broken = () => {
      throw new Error('a secret of the server')
    }
    const { operations, throttles, oauth, log, pages, secrets, clock } = app
    const { byHeader } = createAuthentication({ ...app, baseUrl: BASE_URL })
    const compressor = createCompressor()
    const parts = { operations, bodyReader, throttles, oauth, compressor, log, secrets, clock }
    const inputs = { ...parts, baseUrl: BASE_URL }
    const servers = [
      mcpRoutes({ ...inputs, authenticate: byHeader, findPage: broken }),
      mcpRoutes({ ...inputs, authenticate: broken, findPage: pages.get }),
    ]
    const params = { name: 'get_page', arguments: { page_id: 'plan' } }
    const answers = servers.map(async (server) => {
      const mcp = (init: RequestInit) => server(new Request(`${BASE_URL}/mcp`, init), 'req_1')
      return agentWith({ mcp }, owner.key).send({ ...PING, method: 'tools/call', params })
    })
    const [inTool, beforeTool] = await Promise.all(answers)
    expect(inTool!.body.result).toMatchObject({
      isError: true,
    })
    expect(jsonIn(inTool!.body.result).error).toMatchObject({
      code: 'internal',
      request_id: 'req_1',
    })
    expect([beforeTool!.status, beforeTool!.body.error.code]).toEqual([500, -32_603])
    expect(JSON.stringify([inTool!.body, beforeTool!.body])).not.toContain('secret')
    const logged = app.log.lines.filter(
      ({ fields }) => (fields as { request_id?: string })?.request_id === 'req_1',
    )
    expect(logged).toHaveLength(2)
  })
})

describe('the protocol versions', () => {
  test('of 2025: initialize answers the requested version, and starts no session', async () => {
    await using app = await testApp('sqlite')
    const { agent } = await withAgent(app)
    const initialize = (protocolVersion: string) => ({
      ...PING,
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    })
    const answered = async (request: string) => {
      const { headers, body } = await agent.send(initialize(request))
      expect(headers.has('mcp-session-id')).toBe(false)
      expect(headers.get('content-type')).toBe('application/json')
      expect(body.result.capabilities).toEqual(CAPABILITIES)
      return body.result.protocolVersion
    }
    expect(await answered('2025-06-18')).toBe('2025-06-18')
    expect(await answered('2025-11-25')).toBe('2025-11-25')
    // A version that allowed lists of messages, an unknown one, and one without `initialize`.
    for (const other of ['2025-03-26', '1999-01-01', '2026-07-28']) {
      expect(await answered(other)).toBe('2025-11-25')
    }
    for (const method of ['notifications/initialized', 'notifications/cancelled']) {
      const { status, body } = await agent.send({
        jsonrpc: '2.0',
        method,
        params: { requestId: 7 },
      })
      expect([status, body]).toEqual([202, null])
    }
  })

  test('of 2026: each request names its version, in its headers and its body', async () => {
    await using app = await testApp('sqlite')
    const { agent } = await withAgent(app)
    const headersFor = (method: string, name?: string) => ({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    })
    const message = (method: string, params: object = {}, meta: object = MODERN) => ({
      ...PING,
      method,
      params: { _meta: meta, ...params },
    })
    const discovered = await agent.send(message('server/discover'), headersFor('server/discover'))
    expect(discovered.body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: CAPABILITIES,
    })
    const call = message('tools/call', { name: 'list_pages', arguments: {} })
    const called = await agent.send(call, headersFor('tools/call', 'list_pages'))
    expect(jsonIn(called.body.result)).toEqual({ data: [], next_offset: null })

    const otherName = await agent.send(call, headersFor('tools/call', 'delete_page'))
    expect([otherName.status, otherName.body.error.code]).toEqual([400, -32_020])
    const noHeaders = await agent.send(call)
    expect([noHeaders.status, noHeaders.body.error.code]).toEqual([400, -32_020])
    const future = { ...MODERN, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' }
    const unknown = await agent.send(message('tools/list', {}, future), {
      ...headersFor('tools/list'),
      'mcp-protocol-version': '2030-01-01',
    })
    expect(unknown.body.error.data.supported).toEqual(['2026-07-28'])
    for (const gone of ['initialize', 'ping', 'subscriptions/listen', 'prompts/list']) {
      const { status, body } = await agent.send(message(gone), headersFor(gone))
      expect([gone, status, body.error.code]).toEqual([gone, 404, -32_601])
    }
  })

  test('a client may change nodes between requests', async () => {
    await using app = await testApp('postgres')
    const { owner, agent } = await withAgent(app)
    const other = agentWith(await app.node(), owner.key)
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }
    await agent.send({ ...PING, method: 'initialize', params })
    const { json } = await other.call('publish_page', { html: '<p>x' })
    const { id } = json.data
    expect((await agent.call('get_page', { page_id: id })).isError).toBeUndefined()
  })
})
