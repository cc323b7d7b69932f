import { describe, expect, test } from 'bun:test'
import { pro, visitor } from './client.ts'
import { html, word } from './material.ts'
import { agent, ERAS, TRANSPORTS } from './mcp-client.ts'

const TOOLS = [
  'delete_page',
  'delete_response',
  'edit_page',
  'get_page',
  'get_page_html',
  'get_responses',
  'get_version',
  'list_pages',
  'list_versions',
  'publish',
  'publish_file',
  'publish_page',
  'restore_version',
  'unpublish',
  'update_page',
]
const ways = TRANSPORTS.flatMap((transport) => ERAS.map((era) => ({ transport, era })))

test('publish_page, publish_file, update_page, get_version and get_responses do what REST does', async () => {
  await using it = await agent('http')
  const made = await it.call('publish_page', { html: html('Plan', 'one'), title: word('Plan') })
  const { id: pageId } = made.json.data
  const file = { file_base64: btoa('%PDF-1.7\nhello'), filename: 'a.pdf' }
  const { id: fileId } = (await it.call('publish_file', file)).json.data
  const accent = 'green'
  const updated = await it.call('update_page', {
    page_id: pageId,
    accent,
    html: html('Plan', 'two'),
  })
  const rest = async (path: string) => (await pro.call('GET', path)).json
  expect(await rest(`/pages/${pageId}`)).toMatchObject({ data: { accent, source: 'mcp' } })
  expect(await rest(`/pages/${pageId}`)).toEqual({ data: updated.json.data })
  expect(await rest(`/pages/${fileId}`)).toMatchObject({ data: { file: { name: 'a.pdf' } } })
  for (const [tool, args, path] of [
    ['get_version', { version_no: 1 }, 'versions/1'],
    ['get_responses', {}, 'responses'],
  ] as const) {
    const { etag: _, ...answer } = (await it.call(tool, { page_id: pageId, ...args })).json
    expect(answer).toEqual(await rest(`/pages/${pageId}/${path}`))
  }
})

describe.each(ways)('the official client over $transport, of $era', ({ transport, era }) => {
  test('lists the tools, with instructions', async () => {
    await using it = await agent(transport, { era })
    expect(it.client.getNegotiatedProtocolVersion()).toBe(era)
    expect(it.client.getServerVersion()).toMatchObject({ name: 'handbill', title: 'Handbill' })
    expect(it.client.getInstructions()).toContain('publish_page')
    const { tools } = await it.client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS)
    const publish = tools.find(({ name }) => name === 'publish_page')!
    expect(Object.keys(publish.inputSchema.properties ?? {})).toContain('expires_at')
    expect(Object.keys(publish.inputSchema.properties ?? {})).not.toContain('file_base64')
  })

  test('publishes a page, edits it, undoes the edit and deletes it', async () => {
    await using it = await agent(transport, { era })
    const [before, after] = [word('before'), word('after')]
    const made = await it.call('publish_page', { html: html('Plan', before), slug: word('plan') })
    expect(made.isError, made.text).toBe(false)
    const { data, received } = made.json
    expect(data).toMatchObject({ source: 'mcp', is_published: true })
    const bytes = new TextEncoder().encode(html('Plan', before))
    const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
    expect(received).toEqual({ size_bytes: bytes.byteLength, sha256 })
    for (const text of [data.url, `${bytes.byteLength} bytes`, sha256]) {
      expect(made.text).toContain(text)
    }
    const shown = async () => (await visitor.open(data.slug)).text
    expect(await shown()).toContain(before)

    const { etag: ifMatch } = (await it.call('get_page_html', { page_id: data.url })).json
    const edit = {
      page_id: data.url,
      edits: [{ find: before, replace: after }],
      publish: true,
      if_match: ifMatch,
    }
    const edited = await it.call('edit_page', edit)
    expect(edited.isError, edited.text).toBe(false)
    expect(await shown()).toContain(after)
    expect((await it.call('edit_page', edit)).json.error.code).toBe('precondition_failed')
    const { previous_version: versionNo } = edited.json.edits
    await it.call('restore_version', { page_id: data.slug, version_no: versionNo, publish: true })
    expect(await shown()).toContain(before)
    expect(await shown()).not.toContain(after)

    const deleted = await it.call('delete_page', { page_id: data.id })
    expect(deleted.isError).toBe(false)
    expect((await visitor.open(data.slug)).status).toBe(404)
  })

  test('gets the reason of a refusal and what to do, and can go on', async () => {
    await using it = await agent(transport, { era })
    const refused = async (name: string, args: object) => {
      const { isError, json, text } = await it.call(name, args)
      expect(isError, text).toBe(true)
      expect(text).toContain(json.error.message)
      return json.error
    }
    expect(await refused('publish_page', { html: 7 })).toMatchObject({ param: 'html' })
    expect(await refused('publish_page', {})).toMatchObject({ code: 'content_source' })
    expect(await refused('publish_page', { html: '<p>x', colour: 'red' })).toMatchObject({
      code: 'unknown_parameter',
      param: 'colour',
    })
    expect(await refused('get_page', {})).toMatchObject({ param: 'page_id' })
    for (const pageId of ['pg_none', 'no-such-page', '', '..', 'https://example.com/p/plan']) {
      expect(await refused('get_page', { page_id: pageId })).toMatchObject({
        code: 'page_not_found',
      })
    }
    await expect(it.client.callTool({ name: 'drop_tables', arguments: {} })).rejects.toThrow(
      'no such tool',
    )
    expect((await it.call('list_pages', { limit: 1 })).isError).toBe(false)
  })
})
