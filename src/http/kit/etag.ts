import { preconditionFailed } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'

/** The ETag of a page. Every write changes it. */
export function etagOf({ id, revision }: Page): string {
  return `"${id}.${revision}"`
}

/** Checks the `If-Match` header against the page's ETag. @throws Refusal `precondition_failed` */
export function assertMatches(ifMatch: string | null, tag: string): void {
  if (ifMatch === null || ifMatch.trim() === '*') return
  if (ifMatch.split(',').some((one) => one.trim() === tag)) return
  throw preconditionFailed()
}
