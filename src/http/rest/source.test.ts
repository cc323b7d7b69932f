import { expect, test } from 'bun:test'
import { SOURCES } from '../../model/page/index.ts'
import { testApp } from '../../testing/app.ts'

test('the source of a page is the client that Handbill-Source names, or api', async () => {
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
  const stored: Record<string, string> = {}
  for (const source of [...SOURCES, 'CLI', 'cli, api', '']) {
    stored[source] = (await made({ 'handbill-source': source })).source
  }
  expect(stored).toEqual({
    api: 'api',
    // The MCP server over stdio is a client of the API.
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
