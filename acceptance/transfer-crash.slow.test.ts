/** A server that is killed while it imports. */
import { Database } from 'bun:sqlite'
import { afterAll, expect } from 'bun:test'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { newOwner, own } from './gates/setup.ts'
import { html, word } from './material.ts'
import { command, server } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)

const PAGES = 150
/** The most that a page can have: an import of them takes long enough to be interrupted. */
const COMMENTS = 10_000

/** The entries of an export of one page with two versions and three comments. */
async function exportOfOne() {
  const by = await newOwner()
  const page = await by.publish({ html: html('one'), slug: word('many'), allow_comments: true })
  await by.patch(page.id, { html: html('two') })
  for (const body of ['a', 'b', 'c']) await by.call('POST', `/pages/${page.id}/comments`, { body })
  const headers = { authorization: `Bearer ${by.key}` }
  const answer = await fetch(`${server.url}/api/v1/account/export`, { headers })
  const exported = await fromBufferPromise(Buffer.from(await answer.bytes()))
  const entries: { name: string; content: string }[] = []
  for await (const entry of exported.eachEntry()) {
    const content = await text(await exported.openReadStreamPromise(entry))
    entries.push({ name: entry.fileName, content })
  }
  return { page, entries }
}

async function zipOf(entries: Iterable<[name: string, content: string]>): Promise<BodyInit> {
  const zip = new ZipFile()
  for (const [name, content] of entries) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks) as unknown as BodyInit
}

/** An archive of many pages like one that was exported. */
async function archiveOfMany(): Promise<BodyInit> {
  const { page, entries } = await exportOfOne()
  const all = entries.flatMap(({ name, content }): [string, string][] => {
    const [folder, , file] = name.split('/')
    if (folder !== 'pages') return [[name, content]]
    return Array.from({ length: PAGES }, (_, at) => {
      const own = content
        .replaceAll(page.slug, `many-${at}`)
        .replaceAll(page.id, `${page.id}-${at}`)
      return [`pages/${String(at).padStart(5, '0')}/${file}`, own]
    })
  })
  return zipOf(all)
}

/** An archive of one page with very many comments, and after them as many requests. */
async function archiveOfLarge(): Promise<BodyInit> {
  const { entries } = await exportOfOne()
  const file = entries.find(({ name }) => name.endsWith('/comments.ndjson'))!
  const first = JSON.parse(file.content.split('\n')[0]!)
  const lines = (make: (at: number, createdAt: string) => object) =>
    Array.from({ length: COMMENTS }, (_, at) =>
      JSON.stringify(make(at, `2026-01-01T00:00:00.${String(at).padStart(6, '0')}Z`)),
    ).join('\n')
  const comments = lines((at, time) => ({ ...first, id: `c${at}`, created_at: time }))
  const requests = lines((at, time) => ({
    ...{ email: `v${at}@example.com`, created_at: time, decided_at: null, decision: null },
  }))
  const all = new Map(entries.map(({ name, content }) => [name, content]))
  all.set(file.name, comments)
  return zipOf(all.set(file.name.replace('comments', 'access_requests'), requests))
}

/** A server with one account, and what it asks. */
async function serverOfAda() {
  const env = freshEnvironment()
  const first = await start(env)
  await command(env, 'account', 'add', 'ada@example.com', '--plan', 'pro')
  const made = await command(env, 'key', 'create', 'ada@example.com', '--json')
  const { key } = JSON.parse(made.stdout) as { key: string }
  const headers = { authorization: `Bearer ${key}` }
  const api = (path: string, more: RequestInit = {}) =>
    fetch(`${env.BASE_URL}/api/v1${path}`, { headers, ...more })
  const listed = async () => {
    const answer = await api('/pages?limit=200')
    return ((await answer.json()) as { data: { id: string }[] }).data
  }
  return { env, first, api, listed }
}

own(
  'kill -9 in the middle of an import leaves whole pages, and the same import brings the rest',
  async () => {
    const body = await archiveOfMany()
    const { env, first, api, listed } = await serverOfAda()
    const importing = api('/account/import', { method: 'POST', body }).catch(() => null)
    while ((await listed()).length === 0) await Bun.sleep(5)
    await first.kill()
    expect(await importing).toBeNull()

    const second = await start(env)
    const rest = await listed()
    expect(rest.length).toBeGreaterThan(0)
    expect(rest.length).toBeLessThan(PAGES)
    for (const { id } of rest.slice(-20)) {
      const counts = []
      for (const part of ['comments', 'versions']) {
        const answer = await api(`/pages/${id}/${part}`)
        counts.push(((await answer.json()) as { data: object[] }).data.length)
      }
      expect(counts).toEqual([3, 2])
    }
    const again = await api('/account/import', { method: 'POST', body })
    const { data } = (await again.json()) as { data: { imported: number; skipped: number } }
    expect(data).toMatchObject({
      ...{ imported: PAGES - rest.length, skipped: rest.length, failed: 0 },
    })
    expect(await second.stop()).toBe(0)
  },
  240_000,
)

own(
  'kill -9 in the middle of a page leaves nothing of it, and the same import brings it whole',
  async () => {
    const body = await archiveOfLarge()
    const { env, first, api, listed } = await serverOfAda()
    // Closed each time: the server is the only one that keeps the database open.
    const stored = () => {
      using data = new Database(join(env.DATA_DIR!, 'handbill.db'), { readonly: true })
      const count = (table: string) =>
        (data.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n
      return { pages: count('pages'), comments: count('comments'), versions: count('versions') }
    }
    const importing = api('/account/import', { method: 'POST', body }).catch(() => null)
    while (stored().comments < 500) await Bun.sleep(1)
    expect(await listed()).toEqual([])
    await first.kill()
    expect(await importing).toBeNull()
    expect(stored()).toMatchObject({ pages: 1, versions: 2 })
    expect(stored().comments).toBeLessThan(COMMENTS)

    const second = await start(env)
    expect(stored()).toEqual({ pages: 0, comments: 0, versions: 0 })
    expect(await listed()).toEqual([])
    const again = await api('/account/import', { method: 'POST', body })
    const { data } = (await again.json()) as { data: { imported: number } }
    expect(data.imported).toBe(1)
    expect(stored()).toEqual({ pages: 1, comments: COMMENTS, versions: 2 })
    expect(await second.stop()).toBe(0)
  },
  240_000,
)
