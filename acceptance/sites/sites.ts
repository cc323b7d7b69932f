/** Sites that other people's tools have built (see README.md), and a plain server for them. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

export interface BuiltSite {
  /** Its paths (with a route in the fragment), and what each shows once its scripts have run. */
  documents: Record<string, string>
  /** The file that answers unknown routes, as for an app with a router. */
  routes?: string
}

export const SITES = {
  vite: {
    documents: {
      '/': 'The worker counted 16 trees.',
      '/orders': 'Forty crates of pears.',
    },
    routes: 'index.html',
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
  },
  next: {
    documents: { '/': '7 boats', '/about': '7 quays', '/docs': '7 knots' },
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
  reveal: { documents: { '/': 'Peaks' } },
  impress: { documents: { '/': 'Rivers' } },
} satisfies Record<string, BuiltSite>

export type SiteName = keyof typeof SITES
export const SITE_NAMES = Object.keys(SITES) as SiteName[]

/** The files of a site by their paths. */
export async function filesOf(name: SiteName): Promise<Map<string, Buffer>> {
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

/** Serves a folder as static hosts do, with the file that answers unknown routes. */
export function servePlainly(folder: string, routes?: string) {
  const fileAt = (path: string) => {
    const file = join(folder, path)
    return existsSync(file) && statSync(file).isFile() ? Bun.file(file) : undefined
  }
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ url }) {
      const path = decodeURIComponent(new URL(url).pathname)
      const found = fileAt(path) ?? fileAt(`${path}.html`) ?? fileAt(join(path, 'index.html'))
      if (found !== undefined) return new Response(found)
      const routed = routes !== undefined && !/\.[^/]*$/.test(path) && fileAt(routes)
      if (routed) return new Response(routed)
      // Browsers ask for it by themselves, and note a failure in the console.
      if (path === '/favicon.ico') return new Response(null, { status: 204 })
      return new Response(fileAt('404.html') ?? 'Not found', { status: 404 })
    },
  })
}
