import { preconditionFailed } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import { ENCODINGS, type Encoding } from './encodings.ts'

/** The ETag of a page. Every write changes it. */
export function etagOf({ id, revision }: Page): string {
  return `"${id}.${revision}"`
}

/** `"abc"` becomes `"abc-br"`: an ETag names the bytes, and each encoding has others. */
export function etagOfEncoding(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)}-${encoding}"`
}

/**
 * Checks the `If-Match` header against the page's ETag, in any encoding: a client sends the one of
 * the bytes that it got. @throws Refusal `precondition_failed`
 */
export function assertMatches(ifMatch: string | null, tag: string): void {
  if (ifMatch === null || ifMatch.trim() === '*') return
  const tags = [tag, ...ENCODINGS.map((encoding) => etagOfEncoding(tag, encoding))]
  if (ifMatch.split(',').some((one) => tags.includes(one.trim()))) return
  throw preconditionFailed()
}
