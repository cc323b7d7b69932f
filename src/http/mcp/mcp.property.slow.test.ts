import { expect, test } from 'bun:test'
import { ENGINES, type Engine, testApp } from '../../testing/app.ts'
import { bodies } from '../../testing/bodies.ts'
import { rowCounts } from '../../testing/dump.ts'
import { agentWith, jsonIn } from '../../testing/mcp.ts'
import { anyJson, anyText, fc, runs } from '../../testing/property.ts'

const RUNS: Record<Engine, number> = { sqlite: 600, postgres: 60 }

const anyObject = fc.dictionary(anyText, anyJson, { maxKeys: 4 })
const bodyOf = bodies.map((text) => JSON.parse(text) as unknown)

for (const engine of ENGINES) {
  test(`arbitrary arguments of a tool are accepted, or refused and leave nothing, on ${engine}`, async () => {
    await using app = await testApp(engine)
    const owner = await app.owner()
    const agent = agentWith(app, owner.key)
    const { tools } = (await agent.ask('tools/list')).result as { tools: { name: string }[] }
    await owner.publish('<p>x', { slug: 'the-page' })
    const named = fc.oneof(fc.constant('the-page'), anyText, anyJson)
    const calls = fc.record({
      name: fc.constantFrom(...tools.map(({ name }) => name)),
      page_id: fc.option(named, { nil: undefined }),
      more: fc.oneof(bodyOf, anyObject, fc.constant({})),
    })
    const check = fc.asyncProperty(calls, async ({ name, page_id, more }) => {
      const before = await rowCounts(app)
      const input = { ...(page_id !== undefined && { page_id }), ...(more as object) }
      const { body } = await agent.send({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: input },
      })
      const { isError, content } = body.result
      expect(content.length).toBeGreaterThan(0)
      if (!isError) return
      const { error } = jsonIn(body.result)
      expect(error.code).not.toBe('internal')
      expect(error.message).toMatch(/^[^\0-\x1f]{10,}[.!?…]$/)
      await app.quiet()
      expect(await rowCounts(app)).toEqual(before)
    })
    await fc.assert(check, runs(RUNS[engine]))
  })
}

test('an arbitrary message gets a JSON-RPC answer, or none', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const agent = agentWith(app, owner.key)
  const messages = fc.oneof(
    anyJson,
    fc.record(
      {
        jsonrpc: fc.oneof(fc.constant('2.0'), anyJson),
        id: fc.oneof(fc.integer(), anyJson),
        method: fc.oneof(
          fc.constantFrom('initialize', 'ping', 'tools/list', 'tools/call'),
          anyText,
        ),
        params: fc.oneof(anyObject, anyJson),
      },
      { requiredKeys: [] },
    ),
  )
  const check = fc.asyncProperty(messages, async (message) => {
    const { status, body } = await agent.send(message)
    expect([200, 202, 400, 404]).toContain(status)
    if (body === null) return expect(status).toBe(202)
    expect(body.jsonrpc).toBe('2.0')
    expect('result' in body).toBe(body.error === undefined)
  })
  await fc.assert(check, runs(600))
  expect(app.log.lines.filter(({ level }) => level === 'error')).toEqual([])
})
