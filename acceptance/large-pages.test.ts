/** Work on large pages holds up nobody else. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from './client.ts'
import { newKey, server } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)

const own = test.skipIf(!server.own)
const SLOW = 120_000
/** One element, with what a scan looks at. */
const ELEMENT =
  '<p id=a><a href="/team.html" onclick="go()">word &amp; more</a><img src=x alt=""></p>\n'

let base = ''
let key = ''
let small = ''
beforeAll(async () => {
  if (!server.own) return
  const env = freshEnvironment()
  base = env.BASE_URL!
  await start(env)
  key = await newKey(env, 'pro')
  small = (await call<Page>('POST', '/pages', json({ html: '<!doctype html><p>small' }))).url
}, SLOW)

const json = (body: object) => Buffer.from(JSON.stringify(body))

async function call<T>(method: string, path: string, body: Uint8Array<ArrayBuffer>): Promise<T> {
  const type = path === '/uploads' ? 'application/octet-stream' : 'application/json'
  const headers = { authorization: `Bearer ${key}`, 'content-type': type }
  const answer = await fetch(`${base}/api/v1${path}`, { method, headers, body })
  expect([200, 201]).toContain(answer.status)
  return ((await answer.json()) as { data: T }).data
}

/** A fragment, which takes more work than a document. */
function markup(bytes: number, start: string): string {
  return start + ELEMENT.repeat((bytes - start.length) / ELEMENT.length)
}

/** The longest time in milliseconds that a visitor waited for a small page meanwhile. */
async function longestWait(work: Promise<unknown>): Promise<number> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  let longest = 0
  while (!isDone) {
    const began = performance.now()
    await (await fetch(small)).text()
    longest = Math.max(longest, performance.now() - began)
    await Bun.sleep(1)
  }
  await done
  return longest
}

/** Another program may hold up one round; what holds up all of them is the server's own work. */
async function leastOfLongestWaits(rounds: (() => Promise<unknown>)[]): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (const round of rounds) least = Math.min(least, await longestWait(round()))
  return least
}

own(
  'no visitor waits while a page of 4 MB is created, edited and published',
  async () => {
    const bodies = [1, 2, 3, 4, 5].map((n) =>
      json({ html: markup(3_600_000, `<h1>Page ${n}</h1>`) }),
    )
    const pages: Page[] = []
    const creates = bodies.map((body) => async () => {
      pages.push(await call<Page>('POST', '/pages', body))
    })
    expect(await leastOfLongestWaits(creates)).toBeLessThan(100)
    const edits = pages.map(({ id }, n) => () => {
      const edit = { find: `<h1>Page ${n + 1}</h1>`, replace: '<h1>Edited</h1>' }
      return call('PATCH', `/pages/${id}/html`, json({ edits: [edit], publish: true }))
    })
    expect(await leastOfLongestWaits(edits)).toBeLessThan(100)
  },
  SLOW,
)

own(
  'nor while one of 24 MB is',
  async () => {
    const uploads: string[] = []
    for (const n of [1, 2]) {
      const html = Buffer.from(markup(24_000_000, `<h1>Large ${n}</h1>`))
      uploads.push((await call<{ id: string }>('POST', '/uploads', html)).id)
    }
    const pages: Page[] = []
    const creates = uploads.map((id) => async () => {
      pages.push(await call<Page>('POST', '/pages', json({ html_upload: id })))
    })
    expect(await leastOfLongestWaits(creates)).toBeLessThan(250)
    const edits = pages.slice(0, 1).map(({ id }, n) => () => {
      const edit = { find: `<h1>Large ${n + 1}</h1>`, replace: '<h1>Edited</h1>' }
      return call('PATCH', `/pages/${id}/html`, json({ edits: [edit], publish: true }))
    })
    expect(await leastOfLongestWaits(edits)).toBeLessThan(250)
  },
  SLOW,
)
