import { expect, test } from 'bun:test'
import { api, pro, type Sent, send } from './client.ts'
import { everyCase, expectRefusal } from './expect.ts'
import { html, word } from './material.ts'
import { exchange, head } from './raw.ts'

const authorization = `Bearer ${pro.key}`
const asJson = { authorization, 'content-type': 'application/json' }

function post(body: string, headers: Sent = asJson) {
  return send('/api/v1/pages', { method: 'POST', headers, body })
}

test('an error is { "error": { "code", "message" } } as JSON, the code in snake_case', async () => {
  const error = expectRefusal(await pro.create({ html: 5 }), 400)
  expect(error.param).toBe('html')
})

test('malformed JSON is 400', async () => {
  await everyCase(
    [
      ['cut', '{"html": "<p>'],
      ['not JSON', 'html=<p>x</p>'],
      ['single quotes', "{'html': '<p>x</p>'}"],
      ['a comma too many', '{"html": "<p>x</p>",}'],
      ['two values', '{"html": "<p>x</p>"} {}'],
      ['empty', ''],
      ['NaN', '{"html": "<p>x</p>", "max_views": NaN}'],
    ],
    async (body) => expectRefusal(await post(body as string), 400),
  )
})

test('a body that is not an object is 400', async () => {
  for (const body of ['[]', '"html"', '5', 'null', 'true', '[{"html":"<p>x</p>"}]']) {
    expectRefusal(await post(body), 400)
  }
})

test('a body that is not UTF-8 is 400', async () => {
  const body = Buffer.concat([
    Buffer.from('{"html":"<p>'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('</p>"}'),
  ])
  const answer = await send('/api/v1/pages', { method: 'POST', headers: asJson, body })
  expectRefusal(answer, 400)
})

test('deep nesting is 400, not 500', async () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  expectRefusal(await post(`{"html": ${deep}}`), 400)
  expectRefusal(await post(`{"html": "<p>x</p>", "poll_options": ${deep}}`), 400)
})

test('a body that is not JSON is 415', async () => {
  const body = JSON.stringify({ html: html('x') })
  await everyCase(
    [
      'text/plain',
      'text/html',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/octet-stream',
      'application/jsonp',
    ].map((type) => [type, type] as const),
    async (type) => expectRefusal(await post(body, { authorization, 'content-type': type }), 415),
  )
  const page = await pro.publish({ html: html('x') })
  const headers = { authorization, 'content-type': 'text/plain' }
  for (const path of ['', '/html', '/versions/1']) {
    const answer = await send(`/api/v1/pages/${page.id}${path}`, { method: 'PATCH', headers, body })
    expectRefusal(answer, 415)
  }
})

test('application/json with parameters is JSON', async () => {
  for (const type of ['application/json; charset=utf-8', 'application/json;charset=UTF-8']) {
    const body = JSON.stringify({ html: html('x') })
    const answer = await post(body, { authorization, 'content-type': type })
    expect(answer.status).toBe(201)
  }
})

test('a method that a path does not take is 405 with Allow', async () => {
  const page = await pro.publish({ html: html('x') })
  const paths: Record<string, [string[], string[]]> = {
    '/pages': [
      ['GET', 'POST'],
      ['PUT', 'PATCH', 'DELETE'],
    ],
    [`/pages/${page.id}`]: [
      ['GET', 'PATCH', 'DELETE'],
      ['PUT', 'POST'],
    ],
    [`/pages/${page.id}/html`]: [
      ['GET', 'PATCH'],
      ['PUT', 'POST', 'DELETE'],
    ],
    [`/pages/${page.id}/publish`]: [
      ['POST', 'DELETE'],
      ['GET', 'PUT', 'PATCH'],
    ],
    [`/pages/${page.id}/versions`]: [['GET'], ['POST', 'PUT', 'PATCH', 'DELETE']],
    [`/pages/${page.id}/versions/1`]: [
      ['GET', 'PATCH'],
      ['PUT', 'POST', 'DELETE'],
    ],
    [`/pages/${page.id}/versions/1/restore`]: [['POST'], ['GET', 'PUT', 'PATCH', 'DELETE']],
    '/uploads': [['POST'], ['PUT', 'PATCH', 'DELETE']],
  }
  const cases = Object.entries(paths).flatMap(([path, [allowed, refused]]) =>
    refused.map((method) => [`${method} ${path}`, { path, allowed, method }] as const),
  )
  await everyCase(cases, async ({ path, allowed, method }) => {
    const answer = await pro.call(method, path)
    expectRefusal(answer, 405)
    const allow = (answer.headers.get('allow') ?? '').split(/\s*,\s*/)
    expect(allow).toEqual(expect.arrayContaining(allowed))
    expect(allow).not.toContain(method)
  })
  expect(await pro.page(page.id)).toEqual(page)
})

test('an unknown endpoint is 404 as JSON', async () => {
  for (const path of ['/nothing', '/pages/a/b/c/d', '/page', '/Pages', '']) {
    expectRefusal(await pro.call('GET', path), 404)
  }
  expectRefusal(await pro.call('POST', '/pages/pg_x/unpublish', {}), 404)
})

test('the API version is part of the path', async () => {
  expect(api.endsWith('/api/v1')).toBe(true)
  for (const path of ['/api/pages', '/api/v2/pages', '/pages', '/v1/pages']) {
    const answer = await send(path, { headers: { authorization } })
    expect(answer.status, path).toBe(404)
    expect(answer.text).not.toContain('"next_offset"')
  }
})

test('a success wraps its result in data, and has no error', async () => {
  const page = await pro.publish({ html: html('x') })
  for (const path of ['', '/html', '/versions', '/versions/1']) {
    const body = (await pro.call('GET', `/pages/${page.id}${path}`)).json as object
    expect(Object.keys(body), path).toEqual(['data'])
  }
})

test('a refused write leaves nothing behind', async () => {
  const count = (await pro.everyPage()).length
  const title = word('Refused')
  const bad: Record<string, unknown>[] = [
    { html: html('x'), title, max_views: 0 },
    { html: html('x'), title, access: 'nobody' },
    { html: html('x'), title, slug: 'NO' },
    { html: html('x'), title, collect_votes: true },
    { html_base64: '', title },
    { file_base64: 'AAAA', filename: 'a.pdf', title },
  ]
  for (const fields of bad) expectRefusal(await pro.create(fields), 400)
  expect((await pro.everyPage()).length).toBe(count)
  expect((await pro.publish({ html: html('x'), title })).title).toBe(title)
})

test('lone surrogates and control characters are refused or kept, never a 500', async () => {
  const bodies = [
    '{"html":"<p>\\ud800</p>"}',
    '{"html":"<p>x</p>","title":"\\udc00"}',
    '{"html":"<p>x</p>","title":"a\\u0000b"}',
    '{"html":"<p>\\u0000</p>"}',
    '{"html":"<p>x</p>","og_title":"\\u0000"}',
    '{"html":"<p>x</p>","__proto__":{"publish":false}}',
    '{"html":"<p>x</p>","constructor":{"prototype":{}}}',
  ]
  await everyCase(
    bodies.map((body) => [body, body] as const),
    async (body) => {
      const answer = await post(body)
      if (answer.status !== 201) expectRefusal(answer, 400)
    },
  )
})

test('a header that is too large is refused, and the server goes on', async () => {
  const headers = { Authorization: authorization, 'X-Large': 'x'.repeat(200_000) }
  const answer = await exchange([head('GET /api/v1/pages', headers)]).catch(() => undefined)
  if (answer) {
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  }
  expect((await pro.call('GET', '/pages?limit=1')).status).toBe(200)
})
