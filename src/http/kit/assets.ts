import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ASSET_PREFIX = '/~/'

/** What `web/build.ts` writes: logical name → what it became. */
export type Manifest = Record<string, ManifestEntry>
export interface ManifestEntry {
  /** Below the build's folder, its content's hash in the name. A folder ends with a slash. */
  file: string
  mime: string
  /** Set where `{file}.gz` lies beside it. */
  gzip?: true
}

export interface Assets {
  /** The address of a built file by its logical name; an unknown name is a bug. */
  url(name: string): string
  /** Answers a path below `/~/`, or null where no such file was built. */
  respond(path: string, acceptEncoding?: string | null): Response | null
}

/**
 * Our own public files. Nothing is read before it is asked for, and nothing is kept: the names hold
 * the content's hash, so each browser asks once.
 */
export function loadAssets(distDir: string): Assets {
  const manifest = readManifest(distDir)
  const byFile = new Map(Object.values(manifest).map((entry) => [entry.file, entry]))
  return {
    url(name) {
      const entry = manifest[name]
      if (entry === undefined) throw new Error(`no asset is called ${name}`)
      return ASSET_PREFIX + entry.file
    },
    respond(path, acceptEncoding) {
      if (!path.startsWith(ASSET_PREFIX)) return null
      const entry = byFile.get(path.slice(ASSET_PREFIX.length))
      if (entry === undefined || entry.file.endsWith('/')) return null
      const zipped = entry.gzip === true && acceptsGzip(acceptEncoding ?? '')
      const file = Bun.file(join(distDir, zipped ? `${entry.file}.gz` : entry.file))
      return new Response(file, { headers: headersOf(entry, zipped) })
    },
  }
}

function readManifest(distDir: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(distDir, 'manifest.json'), 'utf8')) as Manifest
  } catch (cause) {
    throw new Error(`${distDir} holds no build of the web files: run npm run build`, { cause })
  }
}

/**
 * Used from sandboxed pages too, whose origin is opaque: hence the two cross-origin headers. The
 * policy is for the file that runs as a worker: it reaches nothing but what it is handed.
 */
function headersOf(entry: ManifestEntry, zipped: boolean): Record<string, string> {
  return {
    'content-type': entry.mime,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': "default-src 'none'; script-src 'wasm-unsafe-eval'",
    ...(entry.gzip === true ? { vary: 'accept-encoding' } : {}),
    ...(zipped ? { 'content-encoding': 'gzip' } : {}),
  }
}

function acceptsGzip(acceptEncoding: string): boolean {
  return acceptEncoding.split(',').some((part) => {
    const [name, ...parameters] = part.trim().toLowerCase().split(';')
    return name?.trim() === 'gzip' && !parameters.some((text) => /^\s*q=0(\.0*)?\s*$/.test(text))
  })
}
