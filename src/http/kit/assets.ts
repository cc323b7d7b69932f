import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Encoding, FILE_SUFFIX, preferredEncoding } from './encodings.ts'
import { buildResponse } from './response.ts'

export const ASSET_PREFIX = '/~/'

/** The file that `web/build.ts` writes: each built file by its logical name. */
export type Manifest = Record<string, ManifestEntry>
export interface ManifestEntry {
  /** The path in the build's folder, with the content's hash. A folder ends with a slash. */
  file: string
  /** Empty for a folder, and for a text that is not served as it is. */
  mime: string
  /** There is also a file for each encoding, with its suffix. */
  isEncoded?: true
}

/**
 * Serves the built web files. It caches none of them: their names contain a content hash, so each
 * browser requests a file once.
 */
export function loadAssets(distDir: string) {
  const manifest = readManifest(distDir)
  const byFile = new Map(Object.values(manifest).map((entry) => [entry.file, entry]))
  const embedded = new Map<string, string>()

  function entryOf(name: string): ManifestEntry {
    const entry = manifest[name]
    if (entry === undefined) throw new Error(`There is no asset ${name}`)
    return entry
  }
  return {
    /** The address of a built file by its logical name. Throws for an unknown name. */
    url: (name: string) => ASSET_PREFIX + entryOf(name).file,
    /** The path of a built file, for what the server itself reads. */
    path: (name: string) => join(distDir, entryOf(name).file),
    has: (name: string) => Object.hasOwn(manifest, name),
    /**
     * The text of a built file, to stand in a document. Documents contain scripts because a
     * sandboxed page shares no HTTP cache with others: it would fetch its own file at every view.
     * Scripts and styles are read once: a later build replaces them.
     */
    text(name: string) {
      const cached = embedded.get(name)
      if (cached !== undefined) return cached
      const text = readFileSync(join(distDir, entryOf(name).file), 'utf8')
      if (!/\.(?:js|css)$/.test(name)) return text
      if (/<\/(?:script|style)|<!--/i.test(text))
        throw new Error(`${name} cannot stand in a document`)
      embedded.set(name, text.trim())
      return text.trim()
    },
    /** Answers a path below `/~/`. Null if there is no such file. */
    respond(path: string, acceptEncoding?: string | null) {
      if (!path.startsWith(ASSET_PREFIX)) return null
      const entry = byFile.get(path.slice(ASSET_PREFIX.length))
      if (entry === undefined || entry.mime === '') return null
      const encoding = entry.isEncoded ? preferredEncoding(acceptEncoding ?? null) : null
      const suffix = encoding === null ? '' : FILE_SUFFIX[encoding]
      const file = Bun.file(join(distDir, entry.file + suffix))
      return buildResponse(null, { headers: headersOf(entry, encoding), body: file })
    },
  }
}
export type Assets = ReturnType<typeof loadAssets>

function readManifest(distDir: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(distDir, 'manifest.json'), 'utf8')) as Manifest
  } catch (cause) {
    throw new Error(`${distDir} holds no build of the web files: run npm run build`, { cause })
  }
}

/**
 * The two cross-origin headers let sandboxed pages load the files. The content security policy is
 * for the file that runs as a worker: it cannot make requests.
 */
function headersOf(entry: ManifestEntry, encoding: Encoding | null): Record<string, string> {
  return {
    'content-type': entry.mime,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': "default-src 'none'; script-src 'wasm-unsafe-eval'",
    ...(entry.isEncoded && { vary: 'accept-encoding' }),
    ...(encoding !== null && { 'content-encoding': encoding }),
  }
}
