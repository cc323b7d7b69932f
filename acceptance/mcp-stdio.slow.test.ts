import { expect, test } from 'bun:test'
import { agent } from './mcp-client.ts'

test('an unreachable server and an unknown key are explained in the tool’s result', async () => {
  await using lost = await agent('stdio', { url: 'http://127.0.0.1:9' })
  const unreachable = await lost.call('list_pages', {})
  expect([unreachable.isError, unreachable.json.error.code]).toEqual([true, 'unreachable'])
  await using client = await agent('stdio', { key: 'sm_wrong' })
  const refused = await client.call('publish_page', { html: '<p>x' })
  expect([refused.isError, refused.json.error.code]).toEqual([true, 'bad_key'])
})
