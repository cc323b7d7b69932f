import { expect, test } from 'bun:test'
import { type Answer, api, pro, type Sent, send } from './client.ts'
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
      ['a name twice', '{"html": "<p>x</p>", "access": "private", "access": "link"}'],
      [
        'a name twice, escaped',
        '{"html": "<p>x</p>", "access": "private", "\\u0061ccess": "link"}',
      ],
      ['a name twice further in', '{"files": [{"path": "a.html", "html": "a", "html": "b"}]}'],
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

test('a method that a path does not support is 405 with Allow', async () => {
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
    expect(allow.includes('HEAD')).toBe(allowed.includes('GET'))
  })
  expect(await pro.page(page.id)).toEqual(page)
})

test('an unknown endpoint is 404 as JSON', async () => {
  for (const path of ['/nothing', '/pages/a/b/c/d', '/page', '/Pages', '']) {
    expectRefusal(await pro.call('GET', path), 404)
  }
  expectRefusal(await pro.call('POST', '/pages/pg_x/unpublish', {}), 404)
  for (const path of ['/api', '/api/', '/api/pages', '/api/v2/pages', '/api/v10/pages']) {
    for (const method of ['GET', 'POST']) {
      expectRefusal(await send(path, { method }), 404, 'unknown_endpoint')
    }
  }
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

test('a refused write changes nothing', async () => {
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

test('lone surrogates and control characters are refused or stored, never a 500', async () => {
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

const texts: Record<string, (text: string) => Record<string, unknown>> = {
  title: (text) => ({ title: text }),
  slug: (text) => ({ slug: text }),
  og_title: (text) => ({ og_title: text }),
  og_description: (text) => ({ og_description: text }),
  password: (text) => ({ access: 'password', password: text }),
  allowed_emails: (text) => ({ allowed_emails: [`${text}@example.com`] }),
  allowed_domains: (text) => ({ allowed_domains: [text] }),
  poll_question: (text) => ({ poll_question: text }),
  poll_options: (text) => ({ poll_options: [text, 'other'] }),
  html_url: (text) => ({ html: undefined, html_url: `https://example.invalid/${text}` }),
  expires_at: (text) => ({ expires_at: text }),
  html_upload: (text) => ({ html: undefined, html_upload: text }),
  filename: (text) => ({ html: undefined, file_base64: btoa('%PDF-1.4'), filename: text }),
  path: (text) => ({ html: undefined, files: [{ path: text, html: '<p>x</p>' }] }),
  asset: (text) => ({
    html: undefined,
    files: [{ path: 'index.html', html: '<p>x</p>' }],
    assets: [{ path: `${text}.css`, data_base64: '' }],
  }),
}

test('unusual text in any parameter is accepted or refused, never a 500', async () => {
  const odd: [string, string][] = [
    ['NUL', 'a\u0000b'],
    ['a lone surrogate', 'a\ud800b'],
    ['a line end', 'a\r\nb'],
    ['right to left', 'a\u202eb'],
    ['a long one', 'x'.repeat(300_000)],
    ['an emoji', '👩‍👩‍👧'],
    ['a quote', '\'"`\\;--'],
  ]
  const cases = Object.entries(texts).flatMap(([name, fields]) =>
    odd.map(([kind, text]) => [`${name}: ${kind}`, fields(text)] as const),
  )
  await everyCase(cases, async (fields) => {
    const answer = await pro.create({ html: '<p>x</p>', ...fields })
    if (answer.status !== 201) expect(answer.status, answer.text.slice(0, 200)).toBeLessThan(500)
    if (answer.status !== 201) expectRefusal(answer, answer.status)
  })
})

test('unusual numbers in any parameter are accepted or refused, never a 500', async () => {
  const page = await pro.publish({ html: html('x') })
  const numbers = ['2147483648', '9007199254740993', '1e308', '99999999999999999999', '-0', '1e999']
  await everyCase(
    numbers.map((number) => [number, number] as const),
    async (number) => {
      const answers = [
        await post(`{"html":"<p>x</p>","max_views":${number}}`),
        await pro.call('GET', `/pages?offset=${number}`),
        await pro.call('GET', `/pages?limit=${number}`),
        await pro.call('GET', `/pages/${page.id}/versions/${number}`),
        await pro.call('POST', `/pages/${page.id}/versions/${number}/restore`, {}),
        await pro.call('PATCH', `/pages/${page.id}/versions/${number}`, { label: 'x' }),
      ]
      for (const answer of answers) {
        expect(answer.status, answer.text.slice(0, 200)).toBeLessThan(500)
        if (answer.status >= 400) expectRefusal(answer, answer.status)
      }
    },
  )
})

test('unusual URLs and headers never get a 500', async () => {
  const page = await pro.publish({ html: html('x') })
  for (const id of ['%00', '%ff', '%E0%A4%A', '%', 'a%2fb', 'x'.repeat(3000), `${page.id}%00`]) {
    for (const path of ['', '/html', '/versions', '/versions/1']) {
      const answer = await exchange([
        head(`GET /api/v1/pages/${id}${path}`, {
          Authorization: authorization,
          Connection: 'close',
        }),
      ])
      expect([400, 404, 414], `${id}${path}`).toContain(answer.status)
    }
  }
  for (const key of ['', ' ', 'x'.repeat(5000), 'ü', '"quoted"']) {
    const answer = await pro.create({ html: html('x') }, { 'idempotency-key': key })
    if (answer.status !== 201) expectRefusal(answer, 400)
  }
  for (const etag of ['', 'x', '"', 'W/', '"a" "b"', ',,,', 'x'.repeat(5000)]) {
    const answer = await pro.patch(page.id, { indexed: true }, { 'if-match': etag })
    if (answer.status !== 200) expectRefusal(answer, answer.status === 412 ? 412 : 400)
  }
})

test('a header that is too large is refused, and the server keeps running', async () => {
  const headers = { Authorization: authorization, 'X-Large': 'x'.repeat(200_000) }
  const answer = await exchange([head('GET /api/v1/pages', headers)]).catch(() => undefined)
  if (answer) {
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  }
  expect((await pro.call('GET', '/pages?limit=1')).status).toBe(200)
})

test('an unknown parameter is answered with the name that was meant', async () => {
  const page = await pro.publish({ html: html('x') })
  const sent: [Promise<Answer>, string][] = [
    [pro.create({ content: html('x') }), 'html'],
    [pro.create({ html: html('x'), titel: 'A' }), 'title'],
    [pro.create({ html: html('x'), maxViews: 3 }), 'max_views'],
    [pro.create({ files: [{ path: 'index.html', content: html('x') }] }), 'html'],
    [pro.patch(page.id, { colour: 'red' }), 'accent'],
    [
      pro.call('PATCH', `/pages/${page.id}/html`, { edits: [{ find: 'x', replaces: 'y' }] }),
      'replace',
    ],
    [
      pro.call('PATCH', `/pages/${page.id}/html`, { edits: [{ find: 'x', replacement: 'y' }] }),
      'replace',
    ],
    [pro.call('PATCH', `/pages/${page.id}/html`, { edits: [{ old: 'x', replace: 'y' }] }), 'find'],
    [pro.call('GET', '/pages?limt=3'), 'limit'],
  ]
  for (const [answer, meant] of sent) {
    const error = expectRefusal(await answer, 400)
    expect(error).toMatchObject({ code: 'unknown_parameter', did_you_mean: meant })
    expect(error.message).toContain(`did you mean ${meant}?`)
  }
  const withoutOther = [
    pro.create({ html: 'x', zzzzzz: 1 }),
    pro.patch(page.id, { source: 'mcp' }),
    pro.patch(page.id, { url: 'https://example.com' }),
  ]
  for (const answer of withoutOther) {
    expect(expectRefusal(await answer, 400)).not.toHaveProperty('did_you_mean')
  }
  const asset = { path: 'a.png', octets: '' }
  const files = [{ path: 'index.html', html: html('x') }]
  expect(expectRefusal(await pro.create({ files, assets: [asset] }), 400).message).toBe(
    'There is no parameter assets.0.octets: the parameters here are path, data_base64, upload.',
  )
})

test('/api/v1 answers scripts of any site that hold a key, and never with credentials', async () => {
  const origin = 'https://tool.example'
  const preflight = await send('/api/v1/pages/pg_x', {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,content-type,if-match',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH')
  const allowed = preflight.headers.get('access-control-allow-headers')!.toLowerCase()
  for (const name of ['authorization', 'content-type', 'if-match', 'idempotency-key']) {
    expect(allowed).toContain(name)
  }
  const page = await pro.publish({ html: html('x') })
  const answers = [
    preflight,
    await send(`/api/v1/pages/${page.id}`, { headers: { origin, authorization } }),
    await send('/api/v1/pages', { headers: { origin } }),
    await send('/api/v1/nowhere', { headers: { origin, authorization } }),
    await send('/api/v1/pages', { method: 'PUT', headers: { origin, authorization } }),
    await post('{', { ...asJson, origin }),
    await post(JSON.stringify({ html: 'x'.repeat(4_200_000) }), { ...asJson, origin }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([204, 200, 401, 404, 405, 400, 413])
  for (const { headers } of answers) {
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.has('access-control-allow-credentials')).toBe(false)
    expect(headers.get('access-control-expose-headers')).toContain('ETag')
  }
  const elsewhere = await send('/mcp', {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  })
  expect(elsewhere.headers.has('access-control-allow-origin')).toBe(false)
})
