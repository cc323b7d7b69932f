import { preconditionFailed } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'

/** Names the page as it is: with every write it is another. */
export function etagOf({ id, revision }: Page): string {
  return `"${id}.${revision}"`
}

/**
 * Whether the page is still one of those that `If-Match` wants.
 *
 * @throws Refusal `precondition_failed`
 */
export function assertMatches(wanted: string | null, tag: string): void {
  if (wanted === null || wanted.trim() === '*') return
  if (wanted.split(',').some((one) => one.trim() === tag)) return
  throw preconditionFailed()
}
