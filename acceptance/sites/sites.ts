/** Sites as other people's tools write them (see README.md), and a plain server for them. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { MADE } from './made.ts'

export interface BuiltSite {
  /** Its paths (with a route in the fragment), and what each shows once its scripts have run. */
  documents: Record<string, string>
  /** The file that answers unknown routes, as for an app with a router. */
  routes?: string
  /** The file that the root shows, where it has another name than index.html. */
  entry?: string
  /** Headers of the plain server, for a site whose `_headers` ask for them. */
  headers?: Record<string, string>
  /** What publishing warns of where pages have no hosts of their own; nothing where it is whole. */
  warned?: RegExp
  /** The warning is of one part of it; the walk is as on a plain server. */
  isWarnedOfPart?: true
}

const ROUTER = /takes its route from the path/
const ROOT = /is an address at the root of a host/
const SPEAKER = /window for the speaker cannot follow/
const needs = (name: string) => new RegExp(`${name} works only where a page has a host of its own`)
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}

export const SITES = {
  vite: {
    documents: {
      '/': 'The worker counted 16 trees.',
      '/orders': 'Forty crates of pears.',
    },
    routes: 'index.html',
    warned: ROUTER,
  },
  'vite-relative': {
    documents: {
      '/': 'The worker counted 16 trees.',
      '/#/orders': 'Forty crates of pears.',
    },
  },
  vitepress: {
    documents: {
      '/': 'There are 12 paths.',
      '/guide/start.html': 'The first hut is at 812 metres.',
      '/guide/weather.html': 'Rain falls on 4 days of the week.',
    },
    warned: ROUTER,
  },
  next: {
    documents: { '/': '7 boats', '/about': '7 quays', '/docs': '7 knots' },
    warned: ROOT,
  },
  typedoc: {
    documents: {
      '/': 'Computes what a bridge carries.',
      '/modules.html': 'Classes Bridge Interfaces Load',
      '/classes/Bridge.html': 'What it carries, in tonnes.',
      '/interfaces/Load.html': 'A load on a Bridge.',
    },
  },
  marp: { documents: { '/': 'Lakes' } },
  reveal: { documents: { '/': 'Peaks' }, warned: SPEAKER, isWarnedOfPart: true },
  impress: { documents: { '/': 'Rivers' }, warned: SPEAKER, isWarnedOfPart: true },
  angular: {
    documents: { '/': 'It carries 42 cars.', '/times': 'It leaves at nine.' },
    routes: 'index.html',
    warned: ROUTER,
  },
  'tanstack-router': {
    documents: { '/': 'The canal is 72 km long.', '/locks': 'Eleven locks lift the boats.' },
    routes: 'index.html',
    warned: ROUTER,
  },
  wouter: {
    documents: { '/': 'There are 15 bridges.', '/spans': 'The widest spans 90 metres.' },
    routes: 'index.html',
    warned: ROUTER,
  },
  'preact-iso': {
    documents: { '/': 'There are 16 wells.', '/depth': 'The deepest is 31 metres deep.' },
    routes: 'index.html',
    warned: ROUTER,
  },
  mithril: {
    documents: { '/': 'There are 21 mills.', '/sails': 'Each has four sails.' },
    routes: 'index.html',
    warned: ROUTER,
  },
  starlight: {
    documents: {
      '/': 'The longest is 76 km.',
      '/guides/walking/': 'Crampons have twelve points.',
    },
    warned: ROOT,
  },
  leaflet: { documents: { '/': 'All four tiles are here.' } },
  three: { documents: { '/': 'The roof is 2 by 1; its texture is 64 wide.' } },
  // Its bundle has calls that this page never makes.
  'swagger-ui': {
    documents: { '/': 'How much rain fell' },
    warned: needs('CacheStorage'),
    isWarnedOfPart: true,
  },
  htmx: {
    documents: { '/': 'It rains on nine days.' },
    warned: needs('A request of the mode same-origin'),
  },
  'sql-js': { documents: { '/': '3 birds have 6 wings.' } },
  unity: { documents: { '/': 'The answer is 42, of 3000 bytes, ' } },
  'saved-page': {
    documents: { '/': 'It flies at 40 km/h.' },
    entry: 'Heron - Birds of the lake.html',
  },
  xhtml: {
    documents: { '/': 'A book in one chapter.', '/chapter.xhtml': 'The lake is rough.' },
    warned: needs('A document of XML'),
  },
  xslt: {
    documents: { '/': 'A list of birds.', '/birds.xml': 'heron' },
    warned: needs('A document of XML'),
  },
  word: {
    documents: { '/': 'Die Größe – sie ist’s – kostet 20 €.' },
    entry: 'Bericht.htm',
  },
  indexeddb: { documents: { '/': 'The boat is a ketch.' }, warned: needs('IndexedDB') },
  opfs: { documents: { '/': 'The file says sloop.' }, warned: needs('The private file system') },
  'cache-storage': {
    documents: { '/': 'The cache keeps a yawl.' },
    warned: needs('CacheStorage'),
  },
  'web-locks': { documents: { '/': 'At the pier: first, second.' }, warned: needs('Web Locks') },
  'shared-memory': {
    documents: { '/': 'Together they count 27.' },
    headers: ISOLATED,
    warned: needs('SharedArrayBuffer'),
  },
} satisfies Record<string, BuiltSite>

export type SiteName = keyof typeof SITES
export const SITE_NAMES = Object.keys(SITES) as SiteName[]
export const siteOf = (name: SiteName): BuiltSite => SITES[name]

/** The files of a site by their paths. */
export async function filesOf(name: SiteName): Promise<Map<string, Buffer>> {
  const made = Object.entries(MADE[name] ?? {})
  if (made.length > 0) return new Map(made.map(([path, data]) => [path, Buffer.from(data)]))
  const zip = await fromBufferPromise(readFileSync(join(import.meta.dir, 'built', `${name}.zip`)))
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  }
  return files
}

/** Writes a site into a folder. @returns the site's own folder there */
export async function unpack(name: SiteName, into: string): Promise<string> {
  const folder = join(into, name)
  for (const [path, bytes] of await filesOf(name)) await Bun.write(join(folder, path), bytes)
  return folder
}

/**
 * Serves a folder as static hosts do, with the file that answers unknown routes. Documents say their
 * charset themselves.
 */
export function servePlainly(folder: string, { routes, entry, headers }: BuiltSite) {
  const fileAt = (path: string) => {
    const file = join(folder, path)
    return existsSync(file) && statSync(file).isFile() ? Bun.file(file) : undefined
  }
  const answer = (file: Bun.BunFile, status = 200) => {
    const [type = ''] = /\.xhtml$/.test(file.name!)
      ? ['application/xhtml+xml']
      : file.type.split(';')
    return new Response(file, { status, headers: { ...headers, 'content-type': type } })
  }
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ url }) {
      const path = decodeURIComponent(new URL(url).pathname)
      const names = path === '/' && entry ? [entry] : [path, `${path}.html`, `${path}/index.html`]
      const result = names.map(fileAt).find((file) => file !== undefined)
      if (result !== undefined) return answer(result)
      const routed = routes !== undefined && !/\.[^/]*$/.test(path) && fileAt(routes)
      if (routed) return answer(routed)
      // Browsers ask for it by themselves, and note a failure in the console.
      if (path === '/favicon.ico') return new Response(null, { status: 204 })
      const lost = fileAt('404.html')
      return lost ? answer(lost, 404) : new Response('Not found', { status: 404 })
    },
  })
}
