import type { ErrorKind, ErrorMeaning } from './meaning.ts'
import {
  CONTENT_ERRORS,
  CONVERSATION_ERRORS,
  EDIT_ERRORS,
  PAGE_ERRORS,
  RESPONSE_ERRORS,
  SETTINGS_ERRORS,
} from './pages.ts'
import { REQUEST_ERRORS, WEB_ERRORS } from './requests.ts'

export type { ErrorKind, ErrorMeaning, RefusalKind } from './meaning.ts'

/**
 * The catalogue of error codes. `refuse` accepts no other code, and the reference is generated from
 * this catalogue, so no code is undocumented.
 */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...PAGE_ERRORS,
  ...SETTINGS_ERRORS,
  ...CONTENT_ERRORS,
  ...EDIT_ERRORS,
  ...RESPONSE_ERRORS,
  ...CONVERSATION_ERRORS,
  ...WEB_ERRORS,
} as const

export type ErrorCode = keyof typeof ERRORS
/** The codes of one kind. Every code has one kind, and so one HTTP status. */
export type CodeOf<K extends ErrorKind> = {
  [C in ErrorCode]: (typeof ERRORS)[C]['kind'] extends K ? C : never
}[ErrorCode]

export const CONTENT_CODES = keysOf(CONTENT_ERRORS)
export const EDIT_CODES = keysOf(EDIT_ERRORS)
export const SETTINGS_CODES = keysOf(SETTINGS_ERRORS)
/** The codes for comments that a change of a page resolves. */
export const ADDRESS_CODES = ['comment_not_found', 'comment_is_reply'] as const
/** The codes that `Service.submit` rejects with. */
export const FORM_CODES = [...keysOf(RESPONSE_ERRORS), 'rate_limited'] as const

export function meaningOf(code: ErrorCode): ErrorMeaning {
  return ERRORS[code]
}

function keysOf<T extends object>(record: T): (keyof T)[] {
  return Object.keys(record) as (keyof T)[]
}
