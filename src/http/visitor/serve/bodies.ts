import {
  type Content,
  insertIntoHead,
  type ReleaseFile,
  type StoredContent,
} from '../../../features/content/index.ts'
import { createBoundedCache } from './bounded-cache.ts'

/** What one file may take of the memory, and all of them. */
const FILE_BYTES = 1024 * 1024
const ALL_BYTES = 64 * 1024 * 1024

export type Body = Uint8Array | StoredContent

/**
 * Bytes ready to send, the recently asked-for in memory. Content never changes under its hash, so
 * nothing here is ever out of date.
 */
export function createBodies(content: Content) {
  const kept = createBoundedCache<string, Uint8Array>({
    itemBytes: FILE_BYTES,
    allBytes: ALL_BYTES,
  })

  return {
    /** In memory already: the hot path asks this first and waits for nothing. */
    known: (key: string): Uint8Array | undefined => kept.get(key),
    async load(key: string, file: ReleaseFile, tags: HeadTags): Promise<Body> {
      const isTagged = file.html !== null && hasTags(tags)
      if (!isTagged && file.size_bytes > FILE_BYTES) return content.body(file.hash)
      const stored = await content.bytes(file.hash)
      const bytes = isTagged ? insertIntoHead(stored, file.html!, tags) : stored
      kept.put(key, bytes, bytes.byteLength)
      return bytes
    },
  }
}
export type Bodies = ReturnType<typeof createBodies>

/** What is put into the head of HTML. */
export interface HeadTags {
  og_title: string | null
  og_description: string | null
  /** Tags of ours. */
  headHtml?: string
}

/** Names the bytes that `load` gives: the file, and what is put into its head. */
export function bodyKey({ hash, html }: ReleaseFile, tags: HeadTags): string {
  if (html === null || !hasTags(tags)) return hash
  return JSON.stringify([hash, tags.og_title, tags.og_description, tags.headHtml])
}

function hasTags({
  og_title: ogTitle,
  og_description: ogDescription,
  headHtml = '',
}: HeadTags): boolean {
  return ogTitle !== null || ogDescription !== null || headHtml !== ''
}
