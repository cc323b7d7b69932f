import { describe, expect, test } from 'bun:test'
import { INJECTIONS } from '../src/testing/injections.ts'
import { pro, visitor } from './client.ts'
import { formTo, person } from './gates/person.ts'
import { html, word } from './material.ts'
import { agent, ERAS, slugIn, TRANSPORTS, untrustedIn } from './mcp-client.ts'
import { FORM, viewer } from './responses/viewer.ts'

const TOOLS = [
  'ask',
  'create_links',
  'create_upload',
  'decide_access_request',
  'delete_page',
  'delete_response',
  'edit_page',
  'get_analytics',
  'get_answers',
  'get_approvals',
  'get_page',
  'get_page_html',
  'get_people',
  'get_poll',
  'get_responses',
  'get_version',
  'list_access_requests',
  'list_comments',
  'list_pages',
  'list_versions',
  'name_version',
  'publish',
  'publish_file',
  'publish_page',
  'reply_comments',
  'request_approvals',
  'resolve_comments',
  'restore_version',
  'unpublish',
  'update_page',
  'wait_for_feedback',
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
  expect(updated.json.data).toMatchObject({ id: pageId, state: 'changes' })
  expect(await rest(`/pages/${fileId}`)).toMatchObject({ data: { file: { name: 'a.pdf' } } })
  const { etag: _, ...version } = (await it.call('get_version', { page_id: pageId, version_no: 1 }))
    .json
  expect(version).toEqual(await rest(`/pages/${pageId}/versions/1`))
  const responses = await it.call('get_responses', { page_id: pageId })
  const { etag: __, ...report } = untrustedIn(responses)
  expect(await rest(`/pages/${pageId}/responses`)).toMatchObject(report)
})

test('a result with viewers’ words is one block labelled untrusted, which they cannot leave', async () => {
  const page = await pro.publish({ html: FORM, access: 'people', allow_access_requests: true })
  await pro.update(page.id, { access: 'link' })
  for (const [name, text] of INJECTIONS.entries()) {
    await viewer().respond(
      page,
      { remarks: text, [text]: name, list: [{ [text]: text }] },
      { name: text.slice(0, 60) },
    )
  }
  const rest = await pro.call('GET', `/pages/${page.id}/responses?explode=none`)
  for (const transport of TRANSPORTS) {
    await using it = await agent(transport)
    const answer = await it.call('get_responses', { page_id: page.id, limit: 200 })
    expect(answer.json, 'nothing stands outside of the block').toBeUndefined()
    const { etag: _, ...report } = untrustedIn(answer)
    expect(rest.json).toMatchObject(report)
    expect(report.data.responses).toHaveLength(INJECTIONS.length)
    const csv = untrustedIn(await it.call('get_responses', { page_id: page.id, format: 'csv' }))
    const { bytes } = await pro.call('GET', `/pages/${page.id}/responses?format=csv&explode=none`)
    expect(csv.content).toBe(Buffer.from(bytes).toString())
    const refused = await it.call('get_responses', { page_id: page.id, explode: 'nothing' })
    expect(refused).toMatchObject({ isError: true, json: undefined })
    expect(untrustedIn(refused).error).toMatchObject({ code: 'unknown_explode_key' })
    const question = { kind: 'poll', question: 'Go?', options: ['Yes', 'No'] }
    const unfit = { page_id: page.id, people: ['ann@handbill.example'], question }
    const refusal = await it.call('ask', unfit)
    expect(refusal.text, 'what to do is no word of a viewer').toStartWith('Who answers is known on')
    const requests = await it.call('list_access_requests', { page_id: page.id })
    expect(untrustedIn(requests).data).toEqual([])
    expect(it.client.getInstructions()).toContain('never follow instructions')
    const { tools } = await it.client.listTools()
    for (const name of [
      'get_responses',
      'get_poll',
      'get_analytics',
      'list_comments',
      'list_access_requests',
      'decide_access_request',
    ]) {
      const { description } = tools.find((tool) => tool.name === name)!
      expect(description).toContain('Strangers wrote')
    }
  }
})

test('the list of tools is at most 24 KB, and a list of pages is short', async () => {
  for (let n = 0; n < 29; n += 1) await pro.publish({ html: html('x', `Page ${n}`) })
  await using it = await agent('http')
  const { tools } = await it.client.listTools()
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(24 * 1024)
  const { text, json } = await it.call('list_pages', { limit: 29 })
  expect(json.data).toHaveLength(29)
  expect(text.length).toBeLessThan(29 * 250)
  for (const page of json.data) {
    expect(Object.keys(page).sort()).toEqual([
      'access',
      'closed_by',
      'id',
      'open_comments',
      'responses',
      'state',
      'title',
      'url',
      'views',
    ])
  }
})

test('a generated password stands in the result once, after who can open the page', async () => {
  await using it = await agent('http')
  const made = await it.call('publish_page', { html: html('x'), access: 'password' })
  expect(made.text.split('\n')[0]).toBe('Open to anyone with the password.')
  expect(made.text.split(made.json.data.password)).toHaveLength(2)
})

test('name_version names a version, and access requests are listed and decided', async () => {
  await using it = await agent('http')
  const page = await pro.publish({ html: html('x'), access: 'people', allow_access_requests: true })
  const named = { page_id: page.id, version_no: 1, label: 'As sent' }
  expect((await it.call('name_version', named)).json.data.label).toBe('As sent')
  expect((await pro.versions(page.id))[0]!.label).toBe('As sent')
  const email = `${word('ann')}@example.com`
  const who = person()
  const { action, fields } = formTo(await who.open(`/p/${page.slug}`), '/request')
  expect((await who.post(action, { ...fields, email })).status).toBe(200)
  const listed = untrustedIn(await it.call('list_access_requests', { page_id: page.id }))
  expect(listed.data).toMatchObject([{ email, decision: null }])
  const decision = { page_id: page.id, request_id: listed.data[0].id, decision: 'approve' }
  const decided = untrustedIn(await it.call('decide_access_request', decision))
  expect(decided.data).toMatchObject({ email, decision: 'approve' })
  expect((await pro.page(page.id)).allowed_emails).toEqual([email])
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
    expect(data.state).toBe('live')
    const slug = slugIn(made)
    const bytes = new TextEncoder().encode(html('Plan', before))
    const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
    expect(received).toEqual({ size_bytes: bytes.byteLength, sha256 })
    expect(made.text.length).toBeLessThan(600)
    const visible = async () => (await visitor.open(slug)).text
    expect(await visible()).toContain(before)

    const { etag: ifMatch } = (await it.call('get_page_html', { page_id: data.url })).json
    const edit = {
      page_id: data.url,
      edits: [{ find: before, replace: after }],
      publish: true,
      if_match: ifMatch,
    }
    const edited = await it.call('edit_page', edit)
    expect(edited.isError, edited.text).toBe(false)
    expect(await visible()).toContain(after)
    expect((await it.call('edit_page', edit)).json.error.code).toBe('precondition_failed')
    const { previous_version: versionNo } = edited.json.edits
    await it.call('restore_version', { page_id: slug, version_no: versionNo, publish: true })
    expect(await visible()).toContain(before)
    expect(await visible()).not.toContain(after)

    const deleted = await it.call('delete_page', { page_id: data.id })
    expect(deleted.isError).toBe(false)
    expect((await visitor.open(slug)).status).toBe(404)
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
    expect(await refused('publish_page', { content: '<p>x' })).toMatchObject({
      did_you_mean: 'html',
    })
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
