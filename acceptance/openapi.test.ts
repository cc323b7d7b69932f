import { expect, test } from 'bun:test'
import { send } from './client.ts'
import { pageFields } from './expect.ts'

interface Schema {
  readonly $ref?: string
  readonly properties?: Record<string, Schema>
  readonly allOf?: Schema[]
  readonly anyOf?: Schema[]
  readonly oneOf?: Schema[]
}

interface Operation {
  readonly responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>
  readonly requestBody?: { content?: Record<string, { schema?: Schema }> }
}

interface Document {
  readonly openapi: string
  readonly info: { title: string; version: string }
  readonly servers?: { url: string }[]
  readonly paths: Record<string, Record<string, Operation>>
  readonly components?: { schemas?: Record<string, Schema> }
}

async function document(): Promise<Document> {
  const answer = await send('/openapi.json')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/json/)
  return answer.json as Document
}

/** A path without the API's prefix and without the names of parameters. */
function plain(path: string): string {
  return path.replace(/^\/api\/v1/, '').replace(/\{[^}]+\}/g, '{}')
}

function operation(doc: Document, method: string, path: string): Operation | undefined {
  const result = Object.entries(doc.paths).find(([each]) => plain(each) === path)
  return result?.[1][method.toLowerCase()]
}

/** All properties of a schema, with those of the schemas it refers to. */
function properties(doc: Document, schema: Schema | undefined): Record<string, Schema> {
  if (!schema) return {}
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const result: Record<string, Schema> = { ...schema.properties }
  for (const part of parts) Object.assign(result, properties(doc, part))
  const name = schema.$ref?.split('/').at(-1)
  if (name) Object.assign(result, properties(doc, doc.components?.schemas?.[name]))
  return result
}

test('GET /openapi.json is an OpenAPI 3.1 document', async () => {
  const doc = await document()
  expect(doc.openapi).toMatch(/^3\.1\./)
  expect(doc.info.title.length).toBeGreaterThan(0)
  expect(JSON.stringify(doc)).toMatch(/"bearer"/i)
})

test('it has every endpoint for pages that the summary names', async () => {
  const doc = await document()
  for (const endpoint of [
    'POST /pages',
    'GET /pages',
    'GET /pages/{}',
    'PATCH /pages/{}',
    'DELETE /pages/{}',
    'GET /pages/{}/html',
    'PATCH /pages/{}/html',
    'POST /pages/{}/publish',
    'DELETE /pages/{}/publish',
    'GET /pages/{}/versions',
    'GET /pages/{}/versions/{}',
    'POST /pages/{}/versions/{}/restore',
    'PATCH /pages/{}/versions/{}',
    'POST /uploads',
    'GET /pages/{}/access-requests',
    'POST /pages/{}/access-requests/{}',
    'GET /pages/{}/responses',
    'DELETE /pages/{}/responses/{}',
  ]) {
    const [method, path] = endpoint.split(' ')
    expect(operation(doc, method!, path!), endpoint).toBeDefined()
  }
})

test('it has the success statuses of the spec', async () => {
  const doc = await document()
  for (const [method, path, status] of [
    ['POST', '/pages', '201'],
    ['GET', '/pages', '200'],
    ['DELETE', '/pages/{}', '204'],
    ['PATCH', '/pages/{}/html', '200'],
  ] as const) {
    const responses = operation(doc, method, path)?.responses ?? {}
    expect(Object.keys(responses), `${method} ${path}`).toContain(status)
  }
})

test('it has the errors of every operation, with an example for each code', async () => {
  const doc = await document()
  for (const [path, methods] of Object.entries(doc.paths)) {
    for (const [method, { responses = {} }] of Object.entries(methods)) {
      const name = `${method} ${path}`
      expect(Object.keys(responses), name).toEqual(
        expect.arrayContaining(['401', '429', 'default']),
      )
      // An ask makes its page, which may be deleted while it waits.
      const mayBeGone = /\{(\w+_)?id\}/.test(path) || name === 'post /asks'
      expect('404' in responses, name).toBe(mayBeGone)
      expect('412' in responses, name).toBe(path.includes('{id}') && method !== 'get')
    }
  }
  const create = operation(doc, 'POST', '/pages')!.responses!
  const { content } = create['409'] as unknown as { content: Record<string, { examples: object }> }
  const examples = Object.keys(content['application/json']!.examples)
  expect(examples).toEqual(expect.arrayContaining(['duplicate_title', 'slug_taken']))
  expect(examples).not.toContain('page_not_found')
})

test('it says which responses may be a file', async () => {
  const doc = await document()
  const types = (path: string) =>
    Object.keys(operation(doc, 'GET', path)!.responses!['200']!.content!)
  expect(types('/pages/{}/responses')).toEqual(['application/json', 'text/csv'])
  expect(types('/pages')).toEqual(['application/json'])
})

test('it names every field of the page object', async () => {
  const doc = await document()
  const success = operation(doc, 'GET', '/pages/{}')!.responses!['200']!
  const envelope = properties(doc, success.content!['application/json']!.schema)
  const page = properties(doc, envelope.data)
  expect(Object.keys(page)).toEqual(expect.arrayContaining(Object.keys(pageFields)))
  expect(Object.keys(page)).toContain('password')
})

test('it names every parameter of POST /pages', async () => {
  const doc = await document()
  const body = operation(doc, 'POST', '/pages')!.requestBody!
  const parameters = properties(doc, body.content!['application/json']!.schema)
  for (const name of [
    'html html_base64 html_url sha256 files assets entry file_base64 file_url filename mime title',
    'access allowed_emails password publish indexed expires_at max_views download_disabled',
    'watermark notify_on_view og_title og_description allow_comments comments_require_email require_signin',
    'allow_access_requests business_only allowed_domains collect_approvals approver_emails',
    'approvals_visibility collect_votes poll_question poll_options poll_require_email',
    'poll_results poll_named poll_closes_at',
  ].flatMap((line) => line.split(' '))) {
    expect(parameters, name).toHaveProperty(name)
  }
})

test('every reference in it resolves', async () => {
  const doc = await document()
  const text = JSON.stringify(doc)
  const names = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, n]) => n!))
  for (const name of names) expect(doc.components?.schemas ?? {}).toHaveProperty([name])
})

test('GET /docs shows it', async () => {
  const answer = await send('/docs', { redirect: 'follow' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
  const reference = (await send('/docs/api')).text
  for (const path of Object.keys((await document()).paths!)) {
    expect(reference, path).toContain(`</span> ${path}</code>`)
  }
})

test('/healthz and /readyz answer 200', async () => {
  for (const path of ['/healthz', '/readyz']) {
    expect((await send(path)).status, path).toBe(200)
  }
})
