/** A server with its large files in an object store, which fails and comes back. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { S3Settings } from '../src/platform/blobs/s3/client.ts'
import { type FaultProxy, startFaultProxy } from '../src/testing/fault-proxy.ts'
import { type S3Server, s3Environment, startS3 } from '../src/testing/s3-server.ts'
import { type Answer, dataOf, type Owner, ownerOf, type Page, send } from './client.ts'
import { base64, html, htmlOfSize, pdf, sha256, word } from './material.ts'
import { agent } from './mcp-client.ts'
import { handbill, newKey, runProgram } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

const SLOW = 240_000

let store: S3Server
let proxy: FaultProxy
let settings: S3Settings
let env: Record<string, string>
let running: Awaited<ReturnType<typeof start>>
let key = ''
let call: Owner['call']
let upload: Owner['upload']
beforeAll(async () => {
  store = await startS3()
  proxy = await startFaultProxy(store.port)
  settings = { ...(await store.newBucket()), endpoint: proxy.endpoint }
  env = { ...freshEnvironment(), ...s3Environment(settings) }
  running = await start(env)
  key = await newKey(env, 'pro')
  ;({ call, upload } = ownerOf(key, env.BASE_URL))
}, SLOW)
beforeEach(() => proxy.always(null))
afterAll(async () => {
  await cleanUp()
  await proxy.close()
  await store.close()
})

const publish = async (content: object) => dataOf<Page>(await call('POST', '/pages', content), 201)
const open = (path: string, headers = {}, method = 'GET') =>
  send(`${env.BASE_URL}/p/${path}`, { method, headers })
const readiness = async () => JSON.parse((await send(`${env.BASE_URL}/readyz`)).text)

/** Nothing in the answer leads to the object store. */
function expectOwn({ headers }: Answer): void {
  const all = [...headers].flat().join('\n')
  expect(headers.get('location')).toBeNull()
  expect(all).not.toMatch(/amz|signature/i)
  for (const secret of [settings.bucket, settings.endpoint, settings.accessKeyId, store.endpoint]) {
    expect(all).not.toContain(secret)
  }
}

function expectBytes(answer: Answer, bytes: Uint8Array, status = 200): void {
  expect(answer.status, answer.text.slice(0, 300)).toBe(status)
  expectOwn(answer)
  expect(Buffer.compare(answer.bytes, bytes)).toBe(0)
}

/** Random bytes after the start of a film. */
function film(sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(Buffer.alloc(sizeBytes, `film ${word()} `))
  bytes.set(Buffer.from('\0\0\0\x18ftypisom', 'latin1'))
  return bytes
}

/** A PDF with something after its end, which readers ignore. */
function largePdf(sizeBytes: number): Uint8Array {
  const start = pdf(word('large'))
  return new Uint8Array(Buffer.concat([start, Buffer.alloc(sizeBytes - start.length, ' ')]))
}

test(
  'pages with large files are published, served, edited and deleted',
  async () => {
    const large = htmlOfSize(300_000, 'before')
    const single = await publish({ html: large })
    expectBytes(await open(single.slug), Buffer.from(large))
    dataOf(
      await call('PATCH', `/pages/${single.id}/html`, {
        edits: [{ find: 'before', replace: 'after' }],
        publish: true,
      }),
    )
    expectBytes(await open(single.slug), Buffer.from(large.replace('before', 'after')))
    const read = await call('GET', `/pages/${single.id}/html?full=true`)
    expect(dataOf<{ html: string }>(read).html).toContain('after')

    const [clip, image] = [film(2_500_000), largePdf(200_000)]
    const deck = await publish({
      files: [{ path: 'index.html', html: html('film') }],
      assets: [
        { path: 'clip.mp4', upload: (await upload(clip)).id },
        { path: 'notes.pdf', data_base64: base64(image) },
      ],
    })
    expectBytes(await open(`${deck.slug}/clip.mp4`), clip)
    expectBytes(await open(`${deck.slug}/notes.pdf`), image)

    const bytes = largePdf(2_000_000)
    const file = await publish({ file_upload: (await upload(bytes)).id, filename: 'large.pdf' })
    expectBytes(await open(file.slug), bytes)
    const raw = `/pages/${file.id}/download`
    expectBytes(await call('GET', raw), bytes)

    for (const { id, slug } of [single, deck, file]) {
      expect((await call('DELETE', `/pages/${id}`)).status).toBe(204)
      expect((await open(slug)).status).toBe(404)
    }
    expect(existsSync(join(env.DATA_DIR!, 'blobs'))).toBe(false)
    expect(proxy.requests.every(({ url }) => url.startsWith(`/${settings.bucket}`))).toBe(true)
    expect(proxy.requests.every(({ hasSignedHash }) => hasSignedHash)).toBe(true)
  },
  SLOW,
)

test(
  'parts of a large file are sent with their length, and a video is sought',
  async () => {
    const clip = film(2_500_000)
    const deck = await publish({
      files: [{ path: 'index.html', html: html('film') }],
      assets: [{ path: 'clip.mp4', upload: (await upload(clip)).id }],
    })
    const path = `${deck.slug}/clip.mp4`
    for (const [start, end, range] of [
      [0, 2, 'bytes=0-1'],
      [1_900_000, 2_500_000, 'bytes=1900000-'],
      [1_000_000, 1_000_100, 'bytes=1000000-1000099'],
      [2_499_990, 2_500_000, 'bytes=-10'],
    ] as const) {
      const part = await open(path, { range })
      expectBytes(part, clip.subarray(start, end), 206)
      expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/2500000`)
      expect(part.headers.get('content-length')).toBe(String(end - start))
    }
    expect((await open(path, { range: 'bytes=2500000-' })).status).toBe(416)
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await open(path, {}, method)
      expect(headers.get('content-length')).toBe('2500000')
    }
  },
  SLOW,
)

test(
  'while the object store fails, what needs it answers 503 and all else goes on',
  async () => {
    const [small, inMemory] = [
      await publish({ html: html('small words') }),
      await publish({ html: htmlOfSize(300_000, 'memory') }),
    ]
    await open(inMemory.slug)
    const before = dataOf<Page[]>(await call('GET', '/pages')).length
    const bytes = largePdf(200_000)
    const lost = await publish({ file_base64: base64(bytes), filename: `${word('lost')}.pdf` })

    for (const fault of ['wrong-byte', 'reset'] as const) {
      proxy.always(fault)
      const answer = await open(lost.slug)
      expect(answer.status, fault).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(answer.headers.get('cache-control')).toContain('no-store')
      expect(answer.text).toContain('This page cannot be shown right now')
      expect(answer.text).not.toMatch(/S3|BlobsUnavailable|object store|Error:/)
      expect(answer.text).not.toContain(settings.bucket)
      expectOwn(answer)
      const read = await call('GET', `/pages/${lost.id}/download`)
      expect([read.status, JSON.parse(read.text).error.code]).toEqual([503, 'files_down'])
    }
    proxy.always('reset')
    for (const { slug } of [small, inMemory]) expect((await open(slug)).status).toBe(200)
    for (const refused of [
      await call('POST', '/pages', { html: htmlOfSize(400_000) }),
      await call('PATCH', `/pages/${small.id}`, { html: htmlOfSize(400_000) }),
      await send(`${env.BASE_URL}/api/v1/uploads`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' },
        body: bytes as BodyInit,
      }),
    ]) {
      expect(refused.status, refused.text).toBe(503)
      expect(refused.headers.get('retry-after')).toBe('5')
      expect(JSON.parse(refused.text).error.code).toBe('files_down')
    }
    await using model = await agent('http', { url: env.BASE_URL!, key })
    const tool = await model.call('publish_page', { html: htmlOfSize(400_000) })
    expect(tool).toMatchObject({ isError: true, json: { error: { code: 'files_down' } } })
    expect(dataOf<Page[]>(await call('GET', '/pages'))).toHaveLength(before + 1)
    expect((await open(small.slug)).text).toContain('small words')
    dataOf(await call('POST', '/pages', { html: html('still published') }), 201)
    // What readiness says may be seconds old.
    for (let left = 100; (await readiness()).files !== 'unavailable' && left > 0; left--) {
      await Bun.sleep(100)
    }
    expect(await readiness()).toMatchObject({ status: 'ok', files: 'unavailable' })

    proxy.always(null)
    for (let left = 100; (await open(lost.slug)).status !== 200 && left > 0; left--) {
      await Bun.sleep(100)
    }
    expectBytes(await open(lost.slug), bytes)
    dataOf(await call('POST', '/pages', { html: htmlOfSize(400_000) }), 201)
    const log = running.output()
    expect(log).toContain('the object store fails')
    expect(log).toContain('the object store sends wrong bytes')
    expect(log).toContain('the object store answers again')
    expect(log).not.toContain('"S3RVER"')
  },
  SLOW,
)

test('a start with a wrong bucket or key says so in one line, without the secret', async () => {
  const { host } = new URL(settings.endpoint)
  for (const [changed, line] of [
    [{ bucket: 'nowhere' }, `${host} has no bucket nowhere: make it, or correct S3_BUCKET`],
    [{ secretAccessKey: 'hunter2' }, `${host} refuses the key for the bucket ${settings.bucket}`],
  ] as const) {
    const wrong = { ...freshEnvironment(), ...s3Environment({ ...settings, ...changed }) }
    const { code, stderr } = await runProgram([handbill, 'serve'], wrong)
    expect(code).toBe(1)
    const said = stderr.split('\n').filter((each) => each.startsWith('handbill: '))
    expect(said).toHaveLength(1)
    expect(said[0]).toStartWith(`handbill: ${line}`)
    expect(stderr).not.toMatch(/hunter2|\n\s+at /)
  }
})

test(
  'a start without an object store that answers serves what is in the database',
  async () => {
    const small = await publish({ html: html('in the database') })
    expect(await running.stop()).toBe(0)
    expect(readdirSync(join(env.DATA_DIR!, 'cache'))).toEqual([])
    proxy.always('reset')
    running = await start(env)
    expect((await open(small.slug)).text).toContain('in the database')
    expect(running.output()).toContain('the object store fails')
    proxy.always(null)
    expect(sha256((await open(small.slug)).bytes)).toBe(sha256(html('in the database')))
    expect(await running.stop()).toBe(0)
  },
  SLOW,
)
