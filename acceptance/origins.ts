/** A server that gives each page its own origin, for browsers that resolve names of localhost. */
import { becomes } from './browser.ts'
import { base64 } from './material.ts'
import { newKey } from './server.ts'
import { freshEnvironment, start } from './start.ts'

export interface Published {
  id: string
  url: string
  slug: string
  password: string | null
}

interface Settings {
  /** Of BASE_URL. */
  host?: string
  /** CONTENT_URL; hosts below `localhost` unless given. */
  contentUrl?: string
}

/** CONTENT_URL is not set: pages that need an origin have it on `localhost`. */
export const BY_ITSELF: Settings = { contentUrl: '' }

export async function startOrigins({ host = 'localhost', contentUrl }: Settings = {}) {
  const env = freshEnvironment()
  const port = env.PORT!
  const base = `http://${host}:${port}`
  const CONTENT_URL = contentUrl ?? `http://{page}.localhost:${port}`
  await start({ ...env, BASE_URL: base, CONTENT_URL })
  const key = await newKey({ ...env, BASE_URL: base }, 'pro')

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
    return text === '' ? (undefined as T) : (JSON.parse(text) as { data: T }).data
  }
  return {
    base,
    port,
    key,
    call,
    publish: (fields: object) => call<Published>('POST', '/pages', fields),
  }
}
export type OriginSite = Awaited<ReturnType<typeof startOrigins>>

const asset = (path: string, text: string) => ({ path, data_base64: base64(text) })

/** A built site as tools make it: addresses from the root, a router, a module, a worker, storage. */
export const BUILT_SITE = {
  fallback: 'index.html',
  files: [
    {
      path: 'index.html',
      html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Built</title>
<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/assets/main.css">
<script type="module" crossorigin src="/assets/main.js"></script></head>
<body><nav><a id="team" href="/team">Team</a> <a id="docs" href="/docs/intro">Docs</a></nav>
<img id="image" src="/icon.svg" alt=""><main id="view"></main><p id="count"></p>
<p id="worker"></p></body></html>`,
    },
    {
      path: 'docs/intro.html',
      html: `<!doctype html><title>Intro</title><h1 id="intro">Intro</h1><a id="home" href="/">Home</a>
<img id="image" src="../icon.svg" alt="">`,
    },
  ],
  assets: [
    asset(
      'icon.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>',
    ),
    asset('assets/main.css', 'nav { color: rgb(1, 2, 3) }'),
    asset('assets/chunk.js', 'export const name = (path) => "route " + path'),
    asset('assets/worker.js', 'postMessage("worker runs")'),
    asset(
      'assets/main.js',
      `const show = async () => {
  const { name } = await import('./chunk.js')
  document.querySelector('#view').textContent = name(location.pathname)
}
document.querySelector('#team').addEventListener('click', (event) => {
  event.preventDefault()
  history.pushState(null, '', '/team')
  show()
})
addEventListener('popstate', show)
localStorage.count = Number(localStorage.count ?? 0) + 1
document.querySelector('#count').textContent = localStorage.count
new Worker('/assets/worker.js').onmessage = ({ data }) => {
  document.querySelector('#worker').textContent = data
}
show()
`,
    ),
  ],
}

/** What a document of the site shows, as JSON. An expression for any browser. */
const SHOWN = `JSON.stringify({
  path: location.pathname,
  view: document.querySelector('#view')?.textContent ?? null,
  worker: document.querySelector('#worker')?.textContent ?? null,
  image: (document.querySelector('#image')?.naturalWidth ?? 0) > 0,
})`

const shownAt = (path: string) =>
  JSON.stringify({ path, view: `route ${path}`, worker: 'worker runs', image: true })

/** Waits until a document of the site shows this path, also while another one is being left. */
export function shows(evaluate: (expression: string) => Promise<unknown>, path: string) {
  return becomes(() => evaluate(SHOWN).catch(() => null), shownAt(path))
}
