import { type Content, insertIntoHead, type ReleaseFile } from '../../features/content/index.ts'
import type { PageSettings } from '../../model/page/index.ts'

/** What one file may take of the memory, and all of them. */
const FILE_BYTES = 1024 * 1024
const ALL_BYTES = 64 * 1024 * 1024

export type Body = Uint8Array | Blob

/**
 * Bytes ready to send, the recently asked-for in memory. Content never changes under its hash, so
 * nothing here is ever out of date.
 */
export function createBodies(content: Content) {
  const kept = new Map<string, Uint8Array>()
  let kept_bytes = 0

  function keep(key: string, bytes: Uint8Array): void {
    kept.set(key, bytes)
    kept_bytes += bytes.byteLength
    for (const [oldest, { byteLength }] of kept) {
      if (kept_bytes <= ALL_BYTES) return
      kept.delete(oldest)
      kept_bytes -= byteLength
    }
  }

  return {
    /** In memory already: the hot path asks this first and waits for nothing. */
    known: (key: string): Uint8Array | undefined => kept.get(key),
    async load(key: string, file: ReleaseFile, settings: PageSettings): Promise<Body> {
      const has_tags = file.html !== null && hasOwnTags(settings)
      if (!has_tags && file.size_bytes > FILE_BYTES) return content.body(file.hash)
      const stored = await content.bytes(file.hash)
      const bytes = has_tags ? insertIntoHead(stored, file.html!, settings) : stored
      if (bytes.byteLength <= FILE_BYTES && !kept.has(key)) keep(key, bytes)
      return bytes
    },
  }
}
export type Bodies = ReturnType<typeof createBodies>

/** Names the bytes that `load` gives: the file, and what is put into its head. */
export function bodyKey({ hash, html }: ReleaseFile, settings: PageSettings): string {
  if (html === null || !hasOwnTags(settings)) return hash
  return JSON.stringify([hash, settings.og_title, settings.og_description])
}

function hasOwnTags({ og_title, og_description }: PageSettings): boolean {
  return og_title !== null || og_description !== null
}
