/** A server on a small disk, which the test fills and frees again. Needs the right to mount. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataOf, type Owner, ownerOf, type Page, send } from './client.ts'
import { person } from './gates/person.ts'
import { html, htmlOfSize, word } from './material.ts'
import { agent } from './mcp-client.ts'
import { credentialsIn, FORM, type Report, submission } from './responses/viewer.ts'
import { command, handbill, newKey, server } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

const disk = mkdtempSync(join(tmpdir(), 'handbill-small-'))
const canMount =
  server.own !== undefined && run('mount', '-t', 'tmpfs', '-o', 'size=24m', 'x', disk)
const SLOW = 240_000

function run(...words: string[]): boolean {
  return Bun.which(words[0]!) !== null && Bun.spawnSync(words, { stderr: 'ignore' }).exitCode === 0
}

function freeBytes(): number {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize
}

let env: Record<string, string>
let running: Awaited<ReturnType<typeof start>>
let base = ''
let key = ''
let call: Owner['call']
beforeAll(async () => {
  if (!canMount) return
  // Limits on requests are counted in the database, which must not keep anybody from deleting.
  env = { ...freshEnvironment(), RATE_LIMITS: 'on' }
  base = env.BASE_URL!
  env.DATA_DIR = join(disk, 'data')
  mkdirSync(env.DATA_DIR)
  running = await start(env)
  key = await newKey(env, 'pro')
  call = ownerOf(key, base).call
}, SLOW)
afterAll(async () => {
  await cleanUp()
  if (canMount) run('umount', '--lazy', disk)
  rmSync(disk, { recursive: true, force: true })
})

/**
 * Fills the disk with smaller and smaller pieces: to the last byte, or until so many are left.
 *
 * @returns how to free it
 */
function fill(left = 0): () => void {
  const path = join(disk, 'fill')
  const file = openSync(path, 'w')
  for (const size of [65_536, 4096, 1]) {
    try {
      while (left === 0 || freeBytes() > left) writeSync(file, Buffer.alloc(size))
    } catch (err) {
      expect((err as NodeJS.ErrnoException).code).toBe('ENOSPC')
    }
  }
  closeSync(file)
  return () => rmSync(path)
}

test.skipIf(!canMount)(
  'a full disk is reported, leaves no partial write, and writes work again once space is free',
  async () => {
    const page = dataOf<Page>(await call('POST', '/pages', { html: FORM }), 201)
    const credentials = credentialsIn(await send(`${base}/p/${page.slug}`))
    const respond = (data: object) =>
      send(`${base}/~/responses`, {
        method: 'POST',
        body: JSON.stringify({ ...submission(data), ...credentials }),
      })
    expect((await respond({ n: 1 })).status).toBe(200)
    const path = `/pages/${page.id}/responses`
    const before = (await call('GET', path)).text
    const drafts = (await call('GET', `/pages/${page.id}/html`)).text

    const free = fill()
    const big = { html: htmlOfSize(900_000) }
    const refused = [
      await respond({ n: 2, long: 'x'.repeat(200_000) }),
      await call('POST', '/pages', big),
      await call('PATCH', `/pages/${page.id}`, big),
      await send(`${base}/api/v1/uploads`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' },
        body: 'x'.repeat(3_000_000),
      }),
    ]
    for (const answer of refused) {
      expect(answer.status, answer.text).toBe(507)
      const { error } = JSON.parse(answer.text) as { error: { code: string; message: string } }
      expect(error.code).toBe('storage_full')
      expect(error.message).toBe(
        'The server has no space left, and nothing was saved. Tell its operator.',
      )
    }
    await using model = await agent('http', { url: base, key })
    const tool = await model.call('publish_page', { html: htmlOfSize(200_000) })
    expect(tool).toMatchObject({ isError: true, json: { error: { code: 'storage_full' } } })
    const file = join(disk, '..', `${word('big')}.html`)
    await Bun.write(file, htmlOfSize(5_000_000))
    const cli = Bun.spawn([handbill, 'publish', file], {
      env: { PATH: process.env.PATH ?? '', HOME: disk, HANDBILL_URL: base, HANDBILL_API_KEY: key },
      stderr: 'pipe',
    })
    expect(await new Response(cli.stderr).text()).toContain('no space left')
    expect(await cli.exited).toBe(1)
    rmSync(file)
    expect((await call('GET', path)).text).toBe(before)
    expect((await call('GET', `/pages/${page.id}/html`)).text).toBe(drafts)
    expect(dataOf<Page[]>(await call('GET', '/pages'))).toHaveLength(1)

    free()
    expect((await respond({ n: 3 })).status).toBe(200)
    expect(dataOf<Report>(await call('GET', path)).responses[0]!.data).toEqual({ n: 3 })
    expect((await call('POST', '/pages', { html: html('there is space') })).status).toBe(201)
    expect((await call('PATCH', `/pages/${page.id}`, big)).status).toBe(200)
  },
  SLOW,
)

test.skipIf(!canMount)(
  'a full disk takes no page offline: views are counted later, limits hold, and deleting works',
  async () => {
    const text = word('published')
    const [page, cold, limited] = [
      dataOf<Page>(await call('POST', '/pages', { html: html(text) }), 201),
      dataOf<Page>(await call('POST', '/pages', { html: html(text) }), 201),
      dataOf<Page>(await call('POST', '/pages', { html: html(text), max_views: 900 }), 201),
    ]
    const unwanted: Page[] = []
    for (let n = 0; n < 12; n += 1) {
      unwanted.push(dataOf<Page>(await call('POST', '/pages', { html: htmlOfSize(90_000) }), 201))
    }
    const open = (slug: string) => send(`${base}/p/${slug}`)
    for (const { slug } of [page, limited]) expect((await open(slug)).status).toBe(200)
    const viewsOf = async ({ id }: Page) => dataOf<Page>(await call('GET', `/pages/${id}`)).views

    const free = fill()
    for (let n = 0; n < 300; n += 1) {
      const { status, text: body } = await open((n % 3 === 0 ? cold : page).slug)
      expect([status, body.includes(text)]).toEqual([200, true])
    }
    const refused = await open(limited.slug)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(refused.text).toContain('no space left')
    expect(refused.text).not.toContain(text)
    const deleted = await Promise.all(unwanted.map(({ id }) => call('DELETE', `/pages/${id}`)))
    expect(deleted.map(({ status }) => status)).toEqual(unwanted.map(() => 204))
    for (const { slug } of unwanted) expect((await open(slug)).status).toBe(404)

    free()
    expect((await open(limited.slug)).status).toBe(200)
    const until = performance.now() + 20_000
    while ((await viewsOf(page)) < 201 && performance.now() < until) await Bun.sleep(50)
    expect(await viewsOf(page)).toBe(201)
    expect(await viewsOf(cold)).toBe(100)
    expect(await viewsOf(limited)).toBe(2)
  },
  SLOW,
)

test.skipIf(!canMount)(
  'on a full disk everything that deletes or takes offline works, and readiness and the log say so',
  async () => {
    const form = dataOf<Page>(
      await call('POST', '/pages', { html: FORM, allow_comments: true }),
      201,
    )
    const credentials = credentialsIn(await send(`${base}/p/${form.slug}`))
    const init = {
      method: 'POST',
      body: JSON.stringify({ ...submission({ n: 1 }), ...credentials }),
    }
    expect((await send(`${base}/~/responses`, init)).status).toBe(200)
    const list = dataOf<Report>(await call('GET', `/pages/${form.id}/responses`))
    const { id: responseId } = list.responses[0]!
    const comments = `/pages/${form.id}/comments`
    const { email } = dataOf<{ email: string }>(await call('GET', '/account'))
    const thread = dataOf<{ id: string }>(await call('POST', comments, { body: 'first' }), 201)
    const reply = { body: 'second', parent_id: thread.id }
    dataOf(await call('POST', comments, reply), 201)
    const made = await command(env, 'key', 'create', email, '--json')
    const unwanted = JSON.parse(made.stdout) as { id: string; key: string }

    const free = fill()
    expect((await call('POST', '/pages', { html: htmlOfSize(200_000) })).status).toBe(507)
    for (const [method, path, status] of [
      ['DELETE', `/pages/${form.id}/responses/${responseId}`, 204],
      ['DELETE', `${comments}/${thread.id}`, 204],
      ['DELETE', `/pages/${form.id}/publish`, 200],
      ['DELETE', `/pages/${form.id}`, 204],
    ] as const) {
      const answer = await call(method, path)
      expect(answer.status, `${path} ${answer.text}`).toBe(status)
    }
    expect((await send(`${base}/p/${form.slug}`)).status).toBe(404)
    const ready = await send(`${base}/readyz`)
    expect([ready.status, ready.json]).toEqual([200, { status: 'ok', files: 'ok', disk: 'full' }])
    expect(running.output()).toContain(
      'the disk is nearly full: free space on the disk of DATA_DIR',
    )
    const revoked = await command(env, 'key', 'revoke', unwanted.id)
    expect([revoked.code, revoked.stderr]).toEqual([0, ''])
    expect((await ownerOf(unwanted.key, base).call('GET', '/pages')).status).toBe(401)
    free()
  },
  SLOW,
)

/** Signs in by mail, whose link the log has. @returns the browser */
async function signIn(email: string) {
  const who = person(base)
  const linkIn = (from: number) =>
    /http[^\s"]+\/app\/confirm\/[\w-]+/.exec(running.output().slice(from))
  const from = running.output().length
  const form = await who.open('/app/sign-in')
  const sent = await who.submit(form, { email })
  expect(sent.status, sent.text).toBe(200)
  const until = performance.now() + 20_000
  while (linkIn(from) === null && performance.now() < until) await Bun.sleep(20)
  const link = linkIn(from)?.[0] ?? ''
  const done = await who.submit(await who.open(link))
  expect(done.status, done.text).toBe(303)
  expect((await who.open('/app')).status).toBe(200)
  return who
}

test.skipIf(!canMount)(
  'people sign in and close their pages on a disk with its reserve alone, and on one without a byte',
  async () => {
    const { email } = dataOf<{ email: string }>(await call('GET', '/account'))
    const page = dataOf<Page>(await call('POST', '/pages', { html: html('x') }), 201)
    const path = `/pages/${page.id}`
    for (const left of [700_000, 0]) {
      const free = fill(left)
      const small = { html: html('small') }
      for (const [method, where, body] of [
        ['POST', '/pages', small],
        ['PATCH', path, small],
        ['PATCH', `${path}/html`, { edits: [{ find: 'x', replace: 'y' }] }],
      ] as const) {
        const answer = await call(method, where, body)
        expect(answer.status, `${left} ${method} ${where} ${answer.text}`).toBe(507)
      }
      await signIn(email)
      for (const access of ['private', 'link']) {
        const closed = await call('PATCH', path, { access })
        expect(closed.status, closed.text).toBe(200)
        expect((await send(`${base}/p/${page.slug}`)).status).toBe(access === 'link' ? 200 : 403)
      }
      free()
    }
  },
  SLOW,
)

test.skipIf(!canMount)(
  'a server stops in order on a full disk, and the next one has the views that it served',
  async () => {
    const page = dataOf<Page>(await call('POST', '/pages', { html: html('x') }), 201)
    const open = async () => expect((await send(`${base}/p/${page.slug}`)).status).toBe(200)
    for (let n = 0; n < 5; n += 1) await open()
    const free = fill()
    for (let n = 0; n < 5; n += 1) await open()
    expect(await running.stop(), running.output()).toBe(0)
    free()
    running = await start(env)
    expect(dataOf<Page>(await call('GET', `/pages/${page.id}`)).views).toBe(10)
  },
  SLOW,
)
