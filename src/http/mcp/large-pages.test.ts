import { expect, test } from 'bun:test'
import { testApp } from '../../testing/app.ts'
import { agentWith } from '../../testing/mcp.ts'

/** Characters that JSON escapes, and characters of several bytes at the edges of slices. */
const LINE = `<p title="a\\b">\u0001 "quoted" ü 😀 </p>\n`
const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

test('a large page is read unchanged', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const agent = agentWith(app, owner.key)
  for (const start of ['', 'x', 'xy', 'xyz']) {
    const html = `<!doctype html><title>Large${start}</title>${start}${LINE.repeat(12_000)}`
    const { id } = await owner.publish(html)
    for (const meta of [undefined, MODERN]) {
      const params = {
        name: 'get_page_html',
        arguments: { page_id: id },
        ...(meta && { _meta: meta }),
      }
      const headers: Record<string, string> = meta
        ? {
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': params.name,
          }
        : {}
      const message = { jsonrpc: '2.0', id: 'is "mine"', method: 'tools/call', params }
      const { status, body } = await agent.send(message, headers)
      expect([status, body.id]).toEqual([200, 'is "mine"'])
      const { content, structuredContent } = body.result
      expect(structuredContent).toBeUndefined()
      expect(content).toHaveLength(1)
      const { data, etag } = JSON.parse(content[0].text)
      expect(data.html === html).toBe(true)
      expect(etag).toMatch(/^pg_/)
    }
  }
})
