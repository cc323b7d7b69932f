import { describe, expect, it } from 'bun:test'
import { ENGINES, type Engine, type TestApp, testApp } from '../../testing/app.ts'
import { bodies } from '../../testing/bodies.ts'
import { rowCounts, storedKeys } from '../../testing/dump.ts'
import { base64 } from '../../testing/material.ts'
import type { Owner } from '../../testing/people.ts'
import { anyText, fc, runs } from '../../testing/property.ts'

interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  body?: BodyInit | null
}

const RUNS: Record<Engine, number> = { sqlite: 1, postgres: 0.1 }
const JSON_TYPE = { 'content-type': 'application/json' }

/** Checks what holds for every answer of the API. Returns whether it was a success. */
async function expectWellFormed(answer: Response, method: string): Promise<boolean> {
  const text = await answer.text()
  const { status, headers } = answer
  expect([status, text.slice(0, 300)]).toEqual([status < 500 ? status : 400, text.slice(0, 300)])
  if (status < 300) return true
  expect(status).toBeGreaterThanOrEqual(400)
  expect(headers.get('cache-control')).toBe('no-store')
  if (method === 'HEAD') return false
  if (status === 413 && headers.get('content-type') === 'text/plain') {
    expect(text).toBe('Request Entity Too Large')
    return false
  }
  expect(headers.get('content-type')).toBe('application/json')
  const { error, ...others } = JSON.parse(text) as { error: { code: string; message: string } }
  expect(others).toEqual({})
  expect(error.code).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/)
  expect(error.message).toMatch(/^[^\0-\x1f]{10,}[.!?…]$/)
  expect(text).not.toMatch(/SQLITE|PostgresError|ZodError|node_modules|\.ts:\d|undefined|\[object/)
  return false
}

/** Facts of earlier views are written with a delay. */
async function rowsNow(app: TestApp): Promise<Record<string, number>> {
  return { ...(await rowCounts(app)), view_facets: 0 }
}

/** Sends a request, and checks that a refusal leaves no row and no file behind. */
async function send(app: TestApp, owner: Owner, { method, path, headers, body }: Sent) {
  const before = await rowsNow(app)
  const sent = { authorization: `Bearer ${owner.key}`, ...headers }
  const answer = await app.api(path, { method, headers: sent, ...(body != null && { body }) })
  const isDone = await expectWellFormed(answer.clone() as Response, method)
  if (!isDone) {
    await app.quiet()
    expect(await rowsNow(app)).toEqual(before)
  }
  return answer
}

async function check<T>(
  engine: Engine,
  count: number,
  sent: fc.Arbitrary<T>,
  run: (options: T, app: TestApp, owner: Owner) => Promise<unknown>,
): Promise<void> {
  await using app = await testApp(engine)
  const owner = await app.owner()
  await owner.ask('GET', '/pages')
  await app.quiet()
  const property = fc.asyncProperty(sent, async (input) => {
    await run(input, app, owner)
  })
  await fc.assert(property, runs(count * RUNS[engine]))
  expect(app.log.lines.filter(({ level }) => level === 'error')).toEqual([])
}

const OPERATIONS: [string, (id: string) => string][] = [
  ['POST', () => '/pages'],
  ['PATCH', (id) => `/pages/${id}`],
  ['PATCH', (id) => `/pages/${id}/html`],
  ['POST', (id) => `/pages/${id}/publish`],
  ['POST', (id) => `/pages/${id}/versions/1/restore`],
  ['PATCH', (id) => `/pages/${id}/versions/1`],
]

for (const engine of ENGINES) {
  describe(`arbitrary input on ${engine} is accepted or refused in form, and leaves nothing`, () => {
    it('in the body of a create', () =>
      check(engine, 800, bodies, async (body, app, owner) => {
        const sent = { method: 'POST', path: '/pages', headers: JSON_TYPE, body }
        await send(app, owner, sent)
      }))

    it('in the body of any write to a page', async () => {
      const sent = fc.tuple(fc.constantFrom(...OPERATIONS), bodies)
      let id = ''
      await check(engine, 800, sent, async ([[method, pathOf], body], app, owner) => {
        if (id === '') ({ id } = await owner.publish('<p>x'))
        const versions = (await owner.versions(id)).length
        const path = pathOf(id)
        const answer = await send(app, owner, { method, path, headers: JSON_TYPE, body })
        if (answer.status < 300) return
        expect(await owner.versions(id)).toHaveLength(versions)
      })
    })

    it('as bytes of any content type and encoding', async () => {
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        bodies.map((text) => new Uint8Array(Buffer.from(text))),
        fc.tuple(bodies, fc.nat()).map(([text, at]) => Buffer.from(text).subarray(0, at % 99)),
        fc.integer({ min: 1, max: 200_000 }).map((deep) => Buffer.from('['.repeat(deep))),
        fc.integer({ min: 1, max: 50_000 }).map((deep) => Buffer.from('{"a":'.repeat(deep))),
      )
      const types = ['application/json', 'text/plain', 'application/json; charset=latin1', 'json']
      const encodings = ['identity', 'gzip', 'br', 'chunked', '']
      const sent = fc.record({
        bytes,
        type: fc.constantFrom(...types, 'APPLICATION/JSON', 'application/ld+json', ''),
        encoding: fc.option(fc.constantFrom(...encodings), { freq: 4 }),
        method: fc.constantFrom('POST', 'PATCH', 'PUT', 'GET', 'DELETE', 'OPTIONS'),
        path: fc.constantFrom('/pages', '/pages/pg_none', '/nothing', '/openapi', '/'),
      })
      await check(
        engine,
        500,
        sent,
        async ({ bytes, type, encoding, method, path }, app, owner) => {
          const headers = {
            ...(type && { 'content-type': type }),
            ...(encoding !== null && { 'content-encoding': encoding }),
          }
          const body = method === 'GET' ? null : new Blob([bytes])
          await send(app, owner, { method, path, headers, body })
        },
      )
    })

    it('in the path and the query', async () => {
      const part = fc.oneof(
        anyText.map(encodeLoosely),
        fc.constantFrom('pages', 'versions', 'html', 'publish', 'restore', '1', '0', '-1', '1.5'),
        fc.constantFrom('%00', '%ff', '%', '%zz', '.', '..', '', '%2e%2e', '2147483648', '9e9'),
        fc.constant('x'.repeat(5000)),
      )
      const query = fc.array(
        fc.tuple(fc.oneof(part, fc.constantFrom('limit', 'offset', 'full')), part),
        {
          maxLength: 3,
        },
      )
      const sent = fc.record({
        method: fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT'),
        parts: fc.array(part, { maxLength: 5 }),
        query,
      })
      await check(engine, 800, sent, async ({ method, parts, query }, app, owner) => {
        const pairs = query.map((pair) => pair.join('='))
        const path = `/pages/${parts.join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
        await send(app, owner, { method, path })
      })
    })

    it('in headers', async () => {
      const latin = fc.string({
        unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)),
      })
      const value = fc.oneof(latin, fc.constantFrom('', '*', '"', 'W/""', 'x'.repeat(100_000)))
      const names = ['authorization', 'idempotency-key', 'if-match', 'content-length', 'accept']
      const name = fc.constantFrom(...names, 'content-type', 'range', 'x-forwarded-for', 'cookie')
      const sent = fc.record({
        headers: fc.dictionary(name, value, { maxKeys: 4 }),
        method: fc.constantFrom('POST', 'GET', 'PATCH', 'DELETE'),
      })
      let id = ''
      await check(engine, 400, sent, async ({ headers, method }, app, owner) => {
        if (id === '' || method === 'DELETE') ({ id } = await owner.publish('<p>x'))
        const path = method === 'POST' ? '/pages' : `/pages/${id}`
        const body = method === 'POST' || method === 'PATCH' ? '{"html":"<p>x"}' : null
        await send(app, owner, { method, path, headers: { ...JSON_TYPE, ...headers }, body })
      })
    })

    it('as base64, which is decoded exactly or refused', async () => {
      const html = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
      const sent = fc.oneof(
        html.map((text) => base64(text)),
        html.map((text) => Buffer.from(text).toString('base64url')),
        fc.uint8Array({ maxLength: 60 }).map((bytes) => base64(bytes)),
        fc.tuple(html, fc.nat(), anyText).map(([text, at, junk]) => {
          const encoded = base64(text)
          return encoded.slice(0, at % encoded.length) + junk + encoded.slice(at % encoded.length)
        }),
      )
      await check(engine, 600, sent, async (htmlBase64, app, owner) => {
        const body = JSON.stringify({ html_base64: htmlBase64, title: null })
        const sent = { method: 'POST', path: '/pages', headers: JSON_TYPE, body }
        const answer = await send(app, owner, sent)
        if (answer.status !== 201) return
        const { data } = (await answer.json()) as { data: { id: string } }
        const stored = await owner.ask<{ html: string }>('GET', `/pages/${data.id}/html?full=true`)
        const plain = htmlBase64.replace(/^data:[^,]*,/, '').replaceAll(/\s/g, '')
        expect(Buffer.from(stored.html).toString('base64url')).toBe(
          Buffer.from(plain, 'base64').toString('base64url'),
        )
      })
      expect(true).toBe(true)
    })

    it('as edits, which are all made or none', async () => {
      const text = fc.oneof(anyText, fc.constantFrom('a', 'ab', 'aa', '<p>', 'é', '\n'))
      const edit = fc.record(
        { find: text, replace: text, replace_all: fc.boolean() },
        { requiredKeys: ['find', 'replace'] },
      )
      const sent = fc.record({
        html: fc.array(text, { minLength: 1, maxLength: 8 }).map((parts) => `<p>${parts.join('')}`),
        edits: fc.array(edit, { maxLength: 5 }),
        publish: fc.boolean(),
      })
      await check(engine, 400, sent, async ({ html, edits, publish }, app, owner) => {
        const created = await owner.call<{ data: { id: string } }>('POST', '/pages', { html })
        if (created.status !== 201) return
        const { id } = created.body.data
        const before = await owner.html(id)
        const body = JSON.stringify({ edits, publish })
        const path = `/pages/${id}/html`
        const answer = await send(app, owner, { method: 'PATCH', path, headers: JSON_TYPE, body })
        if (answer.status !== 200) {
          expect(await owner.html(id)).toBe(before)
          expect(await owner.versions(id)).toHaveLength(1)
          return
        }
        const { edits: made } = (await answer.json()) as { edits: { previous_version: number } }
        await owner.ask('POST', `/pages/${id}/versions/${made.previous_version}/restore`)
        expect(await owner.html(id)).toBe(before)
      })
    })

    it('as a deck, whose files are then served byte for byte, or were named as left out', async () => {
      const name = fc.oneof(
        anyText,
        fc.stringMatching(/^[a-zé ]{1,6}(\/[a-z.~%&+]{1,5}){0,3}$/),
        fc.constantFrom('index', 'a', 'a/b', 'A', 'a//b', './a', 'a/../b', 'a?b', 'a#b', 'CON'),
      )
      const sent = fc.record({
        pages: fc.array(name, { minLength: 1, maxLength: 4 }),
        assets: fc.array(name, { maxLength: 3 }),
      })
      await check(engine, 400, sent, async ({ pages, assets }, app, owner) => {
        const files = pages.map((path, at) => ({
          path: `${path}.html`,
          html: `<!doctype html><p>${at}`,
        }))
        const texts = assets.map((path, at) => ({ path: `${path}.json`, text: `[${at}]` }))
        const body = JSON.stringify({
          ...{ files, title: null },
          assets: texts.map(({ path, text }) => ({ path, data_base64: base64(text) })),
        })
        const sent = { method: 'POST', path: '/pages', headers: JSON_TYPE, body }
        const answer = await send(app, owner, sent)
        if (answer.status !== 201) return
        const { data, warnings } = (await answer.json()) as {
          data: { slug: string }
          warnings: { code: string; path: string }[]
        }
        const leftOut = warnings.filter(({ code }) => code === 'left_out')
        const isLeftOut = ({ path: input }: { path: string }) =>
          leftOut.some(({ path }) => input.toWellFormed().startsWith(path.replace(/…$/, '')))
        const all = [...files.map(({ path, html }) => ({ path, text: html })), ...texts]
        const remaining = all.filter((each) => !isLeftOut(each))
        expect(all.length - remaining.length).toBeLessThanOrEqual(leftOut.length)
        for (const { path, text } of remaining) {
          const spelled = path.replace(/^\.\//, '').split('/').map(encodeURIComponent).join('/')
          const served = await app.open(`/p/${data.slug}/${spelled}`)
          expect([path, served.status, await served.text()]).toEqual([path, 200, text])
        }
      })
    })

    it('as a body over the limit, declared or chunked', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const limit = 4 * 1024 * 1024
      const bodyOf = (size: number) => {
        const rest = size - JSON.stringify({ html: '', title: 'T' }).length
        return JSON.stringify({ html: 'x'.repeat(rest), title: 'T' })
      }
      async function* chunks(text: string) {
        for (let at = 0; at < text.length; at += 99_999)
          yield Buffer.from(text.slice(at, at + 99_999))
      }
      for (const size of [limit + 1, limit * 2]) {
        for (const body of [bodyOf(size), chunks(bodyOf(size)) as unknown as BodyInit]) {
          const sent = { method: 'POST', path: '/pages', headers: JSON_TYPE, body }
          const answer = await send(app, owner, sent)
          expect([answer.status, await answer.text()]).toEqual([413, 'Request Entity Too Large'])
        }
      }
      expect(await storedKeys(app)).toEqual([])
      const sent = { method: 'POST', path: '/pages', headers: JSON_TYPE, body: bodyOf(limit) }
      expect((await send(app, owner, sent)).status).toBe(201)
    })
  })
}

/** Encodes most characters, so that a URL can contain them. */
function encodeLoosely(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(/%(20|3C|22)/g, '%$1')
}
