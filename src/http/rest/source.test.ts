import { expect, test } from 'bun:test'
import { SOURCES } from '../../model/page/index.ts'
import { testApp } from '../../testing/app.ts'

test('Handbill-Source names our own clients, and nothing else', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const made = async (headers: Record<string, string>) => {
    const answer = await owner.call<{ data: { id: string; source: string } }>(
      'POST',
      '/pages',
      { html: '<p>x' },
      headers,
    )
    return answer.body.data
  }
  const told: Record<string, string> = {}
  for (const source of [...SOURCES, 'CLI', 'cli, api', '']) {
    told[source] = (await made({ 'handbill-source': source })).source
  }
  expect(told).toEqual({
    api: 'api',
    // The MCP server over stdio is a client too.
    mcp: 'mcp',
    cli: 'cli',
    upload: 'upload',
    editor: 'editor',
    CLI: 'api',
    'cli, api': 'api',
    '': 'api',
  })
  const { id, source } = await made({})
  expect(source).toBe('api')
  const changed = await owner.call(
    'PATCH',
    `/pages/${id}`,
    { title: 'x' },
    { 'handbill-source': 'cli' },
  )
  expect(changed.body).toMatchObject({ data: { source: 'api' } })
})
