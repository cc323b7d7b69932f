import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { contentFields } from '../../features/content/contract.ts'
import { createPage, updatePage } from '../../features/pages/contract.ts'
import { type ListedTool, offerTools } from '../../model/mcp/tools.ts'
import { BASE_URL, ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { base64 } from '../../testing/material.ts'
import { agentWith, untrustedIn } from '../../testing/mcp.ts'
import { createForm } from '../../testing/test-form.ts'

async function withAgent(app: TestApp) {
  const owner = await app.owner()
  return { owner, agent: agentWith(app, owner.key) }
}

const FILES = ['file_base64', 'file_url', 'file_upload', 'mime']

/** What each tool takes, without `page_id` and `if_match`. */
function membersOf({ operations }: TestApp, tool: string): string[] {
  const offered = offerTools(operations.map(({ contract }) => contract))
  return Object.keys(offered.get(tool)!.contract.input.shape).sort()
}

test('tools are described in few words, and say what they do to a page', async () => {
  await using app = await testApp('sqlite')
  const { agent } = await withAgent(app)
  const { tools } = (await agent.ask('tools/list')).result as { tools: ListedTool[] }
  for (const { name, description, inputSchema } of tools) {
    const [, example = '{}'] = /Example: (\{.*?\})\.(?: |$)/.exec(description) ?? []
    const properties = Object.keys(inputSchema.properties as object)
    expect(properties, name).toEqual(expect.arrayContaining(Object.keys(JSON.parse(example))))
    expect(description.length, name).toBeLessThan(400)
  }
  const listed = JSON.stringify(tools)
  expect(listed).not.toMatch(/"(\$schema|additionalProperties|anyOf|outputSchema|pattern)"/)
  expect(listed.split('Mails the owner each opening')).toHaveLength(2)
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(24 * 1024)
  const namesOf = (hints?: ListedTool['annotations']) =>
    tools.filter((tool) => Bun.deepEquals(tool.annotations, hints)).map(({ name }) => name)
  expect(namesOf({ readOnlyHint: true }).sort()).toEqual([
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
    'wait_for_feedback',
  ])
  expect(namesOf({ destructiveHint: false })).toContain('publish_page')
  // Clients take a tool without hints for destructive.
  expect(namesOf()).toContain('delete_page')
})

test('docs/mcp.md lists exactly the tools there are, and those whose results have text of strangers', async () => {
  await using app = await testApp('sqlite')
  const { agent } = await withAgent(app)
  const { tools } = (await agent.ask('tools/list')).result as { tools: ListedTool[] }
  const text = await Bun.file(join(import.meta.dir, '../../../docs/mcp.md')).text()
  const table = /\| tool \| does \|[^#]*?\n\n/.exec(text)![0]
  const named = [...table.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
  expect(named.sort()).toEqual(tools.map(({ name }) => name).sort())
  const [, marked = ''] = /Results with such text \(([^)]*)\)/.exec(text) ?? []
  const untrusted = tools.filter(({ description }) => description!.includes('<untrusted>'))
  expect([...marked.matchAll(/\w+/g)].map(([name]) => name).sort()).toEqual(
    untrusted.map(({ name }) => name).sort(),
  )
})

test('a tool takes what its operation takes in REST, but for what docs/mcp.md says', async () => {
  await using app = await testApp('sqlite')
  const text = await Bun.file(join(import.meta.dir, '../../../docs/mcp.md')).text()
  const [table = ''] = /\| tool \| leaves out \|[^#]*?\n\n/.exec(text) ?? []
  const leftOut = new Map(
    [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, tool, names]) => [
      tool!,
      [...names!.split(/[:]|, which/)[0]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
    ]),
  )
  const differences = new Map<string, string[]>()
  for (const { contract } of app.operations) {
    for (const tool of Object.keys(contract.tools ?? {})) {
      const own = membersOf(app, tool)
      const inRest = Object.keys(contract.input.shape)
      expect(inRest, tool).toEqual(expect.arrayContaining(own))
      const missing = inRest.filter((name) => !own.includes(name))
      if (missing.length > 0) differences.set(tool, missing)
    }
  }
  const sorted = (map: Map<string, string[]>) => [...map].map(([k, v]) => [k, v.sort()]).sort()
  expect(sorted(leftOut)).toEqual(sorted(differences))
})

test('publish_page, publish_file and update_page take every setting there is', async () => {
  await using app = await testApp('sqlite')
  const all = Object.keys(createPage.input.shape)
  const ofHtml = Object.keys(contentFields).filter((name) => ![...FILES, 'filename'].includes(name))
  expect(membersOf(app, 'publish_page')).toEqual(all.filter((name) => !FILES.includes(name)).sort())
  expect(membersOf(app, 'publish_file')).toEqual(
    all.filter((name) => !ofHtml.includes(name)).sort(),
  )
  const ofUpdate = Object.keys(updatePage.input.shape).filter((name) => name !== 'autosave')
  expect(membersOf(app, 'update_page')).toEqual(ofUpdate.sort())
})

test('a result names the size and hash of the content that arrived', async () => {
  await using app = await testApp('sqlite')
  const { agent, owner } = await withAgent(app)
  const hash = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
  const receivedOf = (text: string) => ({ size_bytes: Buffer.byteLength(text), sha256: hash(text) })
  const received = async (name: string, options: object) => {
    const { json, isError, content } = await agent.call(name, options)
    expect(isError, content[0]!.text).toBeUndefined()
    return json.received
  }
  const html = '<title>Ö</title><p>ünïcode \u{1f600}'
  expect(await received('publish_page', { html })).toEqual(receivedOf(html))
  const lines = base64(html).replaceAll(/.{20}/g, '$&\n').replace(/=+$/, '')
  expect(await received('publish_page', { html_base64: lines })).toEqual(receivedOf(html))
  const pdf = '%PDF-1.7\nhello'
  const file = { file_base64: base64(pdf), filename: 'a.pdf' }
  expect(await received('publish_file', file)).toEqual(receivedOf(pdf))
  const deck = {
    files: [{ path: 'index.html', html }],
    assets: [{ path: 'a.css', data_base64: base64('p{}') }],
  }
  expect(await received('publish_page', deck)).toEqual({
    size_bytes: Buffer.byteLength(html) + 3,
    files: [
      { path: 'index.html', ...receivedOf(html) },
      { path: 'a.css', ...receivedOf('p{}') },
    ],
  })
  const { id: htmlUpload } = await owner.upload(html)
  expect(await received('publish_page', { html_upload: htmlUpload })).toBeUndefined()
  const { id: pageId } = await owner.publish('<p>x')
  expect(await received('update_page', { page_id: pageId, html })).toEqual(receivedOf(html))
  expect(await received('update_page', { page_id: pageId, title: 'X' })).toBeUndefined()
})

test('a page is named by its id, slug or link, and only by its own account', async () => {
  await using app = await testApp('sqlite')
  const { agent, owner } = await withAgent(app)
  const { agent: other } = await withAgent(app)
  const { id, slug, url } = await owner.publish('<p>x')
  const names = [id, slug, url, `${url}/`, `${url}/a/b.html?c#d`, ` ${slug}\n`]
  for (const pageId of names) {
    const { json } = await agent.call('get_page', { page_id: pageId })
    expect(json).toMatchObject({ data: { id } })
    const { isError, json: refused } = await other.call('get_page', {
      page_id: pageId,
    })
    expect([isError, refused]).toMatchObject([true, { error: { code: 'page_not_found' } }])
  }
  const wrong = [
    '',
    'x',
    `${slug}x`,
    'pg_',
    `https://evil.example/p/${slug}`,
    `${BASE_URL}/${slug}`,
  ]
  for (const pageId of [...wrong, `${id}\0`, `${BASE_URL}/p/`, '/p/'.repeat(9999)]) {
    const { json } = await agent.call('get_page', { page_id: pageId })
    expect([pageId, json]).toMatchObject([pageId, { error: { code: 'page_not_found' } }])
  }
  for (const pageId of [7, null, undefined, [id], { id }]) {
    const { json } = await agent.call('delete_page', { page_id: pageId })
    expect(json).toMatchObject({ error: { param: 'page_id' } })
  }
  expect(await owner.page(id)).toMatchObject({ id })
})

test('a tool with if_match is refused once the page has changed', async () => {
  await using app = await testApp('sqlite')
  const { agent, owner } = await withAgent(app)
  const { id: pageId } = await owner.publish('<p>one')
  const read = await agent.call('get_page_html', { page_id: pageId })
  const ifMatch = read.json.etag
  const edit = (find: string, replace: string) => ({
    page_id: pageId,
    if_match: ifMatch,
    edits: [{ find, replace }],
  })
  expect((await agent.call('edit_page', edit('one', 'two'))).isError).toBeUndefined()
  for (const [name, given] of [
    ['edit_page', edit('two', 'three')],
    ['update_page', { page_id: pageId, if_match: ifMatch, html: '<p>mine' }],
    ['publish', { page_id: pageId, if_match: ifMatch }],
    ['delete_page', { page_id: pageId, if_match: `"${ifMatch}"` }],
  ] as const) {
    const { isError, json } = await agent.call(name, given)
    expect([name, isError, json]).toMatchObject([
      name,
      true,
      { error: { code: 'precondition_failed' } },
    ])
  }
  expect(await owner.html(pageId)).toBe('<p>two')
  const wrong = await agent.call('publish', { page_id: pageId, if_match: 7 })
  expect(wrong.json).toMatchObject({ error: { param: 'if_match' } })
  const reading = await agent.call('get_page', { page_id: pageId, if_match: ifMatch })
  expect(reading.json).toMatchObject({ error: { param: 'if_match' } })
})

test('a page that a tool creates has the source mcp, and a change keeps the source', async () => {
  await using app = await testApp('sqlite')
  const { agent, owner } = await withAgent(app)
  await agent.call('publish_page', { html: '<p>x', title: 'By a tool' })
  const { id } = await owner.publish('<p>x', { title: 'By the API' })
  await agent.call('update_page', { page_id: id, accent: 'red' })
  const pages = await owner.ask<{ title: string; source: string }[]>('GET', '/pages')
  expect(Object.fromEntries(pages.map(({ title, source }) => [title, source]))).toEqual({
    'By a tool': 'mcp',
    'By the API': 'api',
  })
})

test('a line before the JSON says first who can open the page, then what to do next', async () => {
  await using app = await testApp('sqlite')
  const { agent } = await withAgent(app)
  const line = async (name: string, options: object) =>
    (await agent.call(name, options)).content[0]!.text
  const pageId = 'the-plan'
  expect(await line('publish_page', { html: '<p>x', slug: pageId, publish: false })).toBe(
    'Open to nobody: it is not published. Call publish to show it.',
  )
  expect(await line('publish', { page_id: pageId })).toStartWith('Open to anyone with the link.')
  expect(await line('update_page', { page_id: pageId, html: '<p>y' })).toStartWith(
    'Open to anyone with the link. Visitors do not see the changes until you call publish.',
  )
  const people = { access: 'people', allowed_emails: ['a@x.example', 'b@x.example'] }
  expect(await line('update_page', { page_id: pageId, ...people })).toStartWith(
    'Open to only 2 invited people. ',
  )
  expect(await line('update_page', { page_id: pageId, access: 'private' })).toStartWith(
    'Open to only you. ',
  )
  const past = { expires_at: '2020-01-01T00:00:00Z', access: 'link' }
  expect(await line('update_page', { page_id: pageId, ...past })).toStartWith(
    'Open to nobody: it expired on 2020-01-01 00:00 UTC. ',
  )
  await agent.call('update_page', { page_id: pageId, expires_at: null })
  expect(await line('get_page', { page_id: pageId })).toStartWith('Open to anyone with the link. ')
  expect(await line('unpublish', { page_id: pageId })).toBe('Open to nobody: it is not published.')
  expect(await line('delete_page', { page_id: pageId })).toBe('Done.')
})

test('a write answers a few members of the page, each once, with its password', async () => {
  await using app = await testApp('sqlite')
  const { agent } = await withAgent(app)
  const html =
    '<!doctype html><meta name="viewport" content="width=device-width"><title>Plan</title>9 May'
  const made = await agent.call('publish_page', { html, slug: 'the-plan', access: 'password' })
  const { password } = made.json.data
  expect(made).toEqual({
    content: [
      { type: 'text', text: 'Open to anyone with the password.' },
      { type: 'text', text: JSON.stringify(made.json) },
    ],
    json: {
      data: {
        id: expect.stringMatching(/^pg_/),
        url: `${BASE_URL}/p/the-plan`,
        title: 'Plan',
        state: 'live',
        password: expect.stringMatching(/^\w+(-\w+){3}$/),
      },
      received: { size_bytes: html.length, sha256: expect.any(String) },
    },
  })
  const edits = [{ find: '9 May', replace: '16 May' }]
  const edited = await agent.call('edit_page', { page_id: 'the-plan', edits })
  expect(edited.json).toEqual({
    data: { ...made.json.data, state: 'changes' },
    edits: { previous_version: 1, version: 2 },
  })
  const replaced = await agent.call('update_page', { page_id: 'the-plan', html: '<p>New' })
  expect(replaced.json).toMatchObject({ data: { state: 'changes' }, previous_version: 2 })
  const setting = await agent.call('update_page', { page_id: 'the-plan', indexed: false })
  expect(setting.json).toEqual({ data: replaced.json.data })
  const restored = await agent.call('restore_version', { page_id: 'the-plan', version_no: 2 })
  expect(restored.json).toEqual({ ...edited.json, edits: undefined, previous_version: 3 })
  const published = await agent.call('publish', { page_id: 'the-plan' })
  expect(published.json).toEqual({ data: made.json.data })
  for (const { content } of [made, edited, published]) {
    const text = content.map((each) => each.text).join('')
    expect(text.length).toBeLessThan(600)
    expect(text.split(password)).toHaveLength(2)
  }
})

test('an error about content names what the tool takes, and the tool for other content', async () => {
  await using app = await testApp('sqlite')
  const { agent } = await withAgent(app)
  const refused = async (name: string, options: object) =>
    (await agent.call(name, options)).json.error
  for (const [tool, members] of [
    ['publish_page', ['html', 'html_base64', 'html_url', 'html_upload', 'markdown', 'files']],
    ['publish_file', ['file_base64', 'file_url', 'file_upload']],
  ] as const) {
    const { message, one_of: names } = await refused(tool, {})
    expect(message).toBe('There is no content: send one of the members that `one_of` lists.')
    expect(names.filter((name: string) => name !== 'markdown_upload')).toEqual(members)
  }
  const file = { file_base64: 'AAAA', filename: 'photo.png' }
  expect((await refused('publish_page', file)).message).toBe(
    'There is no parameter file_base64: use publish_file.',
  )
  expect((await refused('publish_file', { html: '<p>x' })).message).toBe(
    'There is no parameter html: use publish_page.',
  )
})

test('a setting without effect is said, and a password that closes nothing is refused', async () => {
  await using app = await testApp('sqlite')
  const { agent } = await withAgent(app)
  const page = { html: '<p>x', slug: 'the-plan' }
  const refused = await agent.call('publish_page', { ...page, password: 'four short words' })
  expect(refused).toMatchObject({
    isError: true,
    json: { error: { code: 'contradictory_settings', param: 'password' } },
  })
  const emails = { allowed_emails: ['a@x.example'] }
  const published = await agent.call('publish_page', { ...page, ...emails })
  expect(published.content[0]!.text).toBe(
    'Open to anyone with the link. Mend what `warnings` names.',
  )
  expect(published.json.warnings).toContainEqual({
    code: 'no_effect',
    message: 'allowed_emails has no effect while access is link: set access to people.',
    param: 'allowed_emails',
  })
  const updated = await agent.call('update_page', { page_id: 'the-plan', password: 'four words' })
  expect(updated.content[0]!.text).toBe('Open to anyone with the link. Mend what `warnings` names.')
  expect(updated.json).toMatchObject({ warnings: [{ code: 'no_effect', param: 'password' }] })
  const closed = await agent.call('update_page', {
    ...{ page_id: 'the-plan', access: 'people', allowed_emails: [] },
  })
  expect(closed.content[0]!.text).toStartWith('Open to nobody: no one is invited. ')
  expect(closed.json).toMatchObject({ warnings: [{ code: 'nobody_can_open' }] })
})

for (const engine of ENGINES) {
  test(`responses come as they were sent, as JSON and as CSV, on ${engine}`, async () => {
    await using app = await testApp(engine)
    const { agent, owner } = await withAgent(app)
    const form = await createForm(app, owner)
    await form.send('device', '{"2":"two","1":"one","n":12345678901234567890,"__proto__":"p"}')
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_responses', arguments: { page_id: form.id } },
    }
    const headers = {
      authorization: `Bearer ${owner.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const answer = await app.mcp({ method: 'POST', headers, body: JSON.stringify(message) })
    const sent = await answer.text()
    const { content } = JSON.parse(sent).result as { content: { text: string }[] }
    const rest = await app.api(`/pages/${form.id}/responses`, { headers })
    const values = '{"2":"two","1":"one","n":12345678901234567890,"__proto__":"p"}'
    expect(await rest.text()).toContain(`"data":${values}`)
    expect(content).toHaveLength(1)
    const read = untrustedIn(content[0]!.text)
    expect(read.split(values)).toHaveLength(2)
    expect(JSON.parse(read)).not.toHaveProperty('etag')
    expect(sent).not.toContain('"structuredContent"')

    const csv = await agent.call('get_responses', { page_id: form.id, format: 'csv' })
    const download = await app.api(`/pages/${form.id}/responses?format=csv`, { headers })
    const bytes = new Uint8Array(await download.arrayBuffer())
    const { file, content: text } = JSON.parse(untrustedIn(csv.content[0]!.text))
    expect(Buffer.from(text)).toEqual(Buffer.from(bytes))
    expect(file).toEqual({
      filename: expect.stringMatching(/\.csv$/),
      mime: 'text/csv; charset=utf-8',
      size_bytes: bytes.byteLength,
    })
  })
}

test('a result that is too long for a model is refused', async () => {
  await using app = await testApp('sqlite')
  const { agent, owner } = await withAgent(app)
  const { id: htmlUpload } = await owner.upload(`<title>L</title>${'x'.repeat(4 * 1024 * 1024)}`)
  const made = await agent.call('publish_page', { html_upload: htmlUpload })
  expect(made.isError).toBeUndefined()
  const { id: pageId } = made.json.data
  for (const [name, more] of [
    ['get_page_html', {}] as const,
    ['get_version', { version_no: 1 }] as const,
  ]) {
    const { isError, json, content } = await agent.call(name, {
      page_id: pageId,
      ...more,
    })
    expect([isError, json]).toMatchObject([true, { error: { code: 'content_too_large' } }])
    expect(JSON.stringify(content).length).toBeLessThan(1000)
  }
})
