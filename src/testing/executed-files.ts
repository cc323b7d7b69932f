import { Session } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Serves a plain page from a new data folder, views it until it is warm, and prints as JSON which of
 * our files execute a function during one more view. With the argument `own-host`, the page has a
 * host of its own, and the view is one of a visit there; with `create`, it counts the files of a
 * request that creates another page. It is a program of its own: in a test, the files of the test
 * would be among them.
 */
const isOnOwnHost = process.argv[2] === 'own-host'
const isCreate = process.argv[2] === 'create'
const ROOT = join(import.meta.dir, '../')
const session = new Session()
session.connect()

interface Coverage {
  result: { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] }[]
}

function post<T>(method: string, parameters: object = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (err: Error | null, result?: object) =>
      err ? reject(err) : resolve(result as T)
    session.post(method, parameters, settle)
  })
}

/** Files with a function that ran since the last call; the code of a module itself counts as none. */
async function takeExecutedFiles(): Promise<string[]> {
  const { result } = await post<Coverage>('Profiler.takePreciseCoverage')
  const executed = result.filter(({ functions }) =>
    functions.some(({ ranges }) => ranges[0]!.startOffset > 0 && ranges[0]!.count > 0),
  )
  return executed
    .map(({ url }) => url.replace(/^file:\/\//, ''))
    .filter((file) => file.startsWith(ROOT))
    .map((file) => file.slice(ROOT.length))
    .filter((file) => !file.startsWith('testing/'))
    .sort()
}

await post('Profiler.enable')
await post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
// Imported now: what was compiled before is not counted.
const { openRuntime } = await import('../commands/runtime.ts')
const { readConfig } = await import('../platform/config.ts')
const { createServer } = await import('../server.ts')
const { mkdtemp, rm } = await import('node:fs/promises')

const dataDir = await mkdtemp(join(tmpdir(), 'handbill-executed-'))
const CONTENT_URL = isOnOwnHost ? 'http://{page}.content.test' : 'off'
const settings = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error', CONTENT_URL })
const runtime = await openRuntime(settings)
const { platform, app } = runtime
const { NO_ASSETS: assets } = await import('./no-assets.ts')
const server = createServer(platform, app, { assets }).listen({
  port: 0,
  host: '127.0.0.1',
})
const url = `http://127.0.0.1:${server.port}`

const token = await app.accounts.createSetupLink()
const input = { email: 'owner@example.com', name: null, plan: 'pro' } as const
const { key } = await app.accounts.setUp(token, input)
const create = () =>
  fetch(`${url}/api/v1/pages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      html: `<!doctype html><p>words${isOnOwnHost ? '<script></script>' : ''}`,
    }),
  })
const { data } = (await (await create()).json()) as { data: { slug: string } }
const viewed = isOnOwnHost ? await enterOwnHost() : { url: `${url}/p/${data.slug}`, headers: {} }
const view = async () => (await fetch(viewed.url, viewed)).text()

/** A browser that is sent on to the page's own host. @returns what it asks for there */
async function enterOwnHost() {
  const browser = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }
  const ask = (to: string, host: string) =>
    fetch(url + to, { headers: { ...browser, host }, redirect: 'manual' })
  const sent = await ask(`/p/${data.slug}`, 'localhost:8787')
  const { host, pathname, search } = new URL(sent.headers.get('location')!)
  const taken = await ask(pathname + search, host)
  const cookie = taken.headers.getSetCookie()[0]!.split(';')[0]!
  return { url: `${url}/`, headers: { ...browser, host, cookie } }
}

const measured = isCreate ? async () => String((await create()).status) : view
for (let i = 0; i < 5; i++) await measured()
// What is counted of them is written now, and not during the view that is measured.
await app.views.flush()
// Until the relaxed commits of these views are on the disk.
await Bun.sleep(300)
// What the view counts is moved to the database later, however slow the machine is.
const { setTimeout: later } = globalThis
globalThis.setTimeout = (() => later(() => {}, 0)) as unknown as typeof setTimeout
await takeExecutedFiles()
const text = await measured()
console.log(JSON.stringify({ text, files: await takeExecutedFiles() }))
globalThis.setTimeout = later

await server.stop()
await runtime.close()
await rm(dataDir, { recursive: true })
process.exit(0)
