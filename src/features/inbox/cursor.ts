import { refuse } from '../../model/errors.ts'
import type { Moment } from '../../model/newest-first.ts'
import { parseTimestamp } from '../../model/timestamp.ts'
import { isId } from '../../platform/ids.ts'

const PREFIXES = ['cmt', 'ar', 'dec']

/** The cursor after an item. It names the item, so it stays valid while other items come and go. */
export function cursorOf({ at, id }: Moment): string {
  return Buffer.from(`${at} ${id}`).toString('base64url')
}

/** The item that a cursor names. @throws Refusal `invalid_parameter` */
export function momentIn(cursor: string): Moment {
  const [at = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const isMoment = parseTimestamp(at) === at && PREFIXES.some((prefix) => isId(prefix, id))
  if (isMoment && rest.length === 0) return { at, id }
  const message = 'This is no cursor: pass the `next_cursor` of an answer, or none.'
  throw refuse.invalid('invalid_parameter', message, { param: 'cursor' })
}
