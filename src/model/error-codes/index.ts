import { CONTENT_ERRORS, EDIT_ERRORS } from './content.ts'
import type { ErrorKind, ErrorMeaning } from './meaning.ts'
import { PAGE_ERRORS, SETTINGS_ERRORS } from './pages.ts'
import { REQUEST_ERRORS } from './requests.ts'
import { FORM_ERRORS, HOUSE_ERRORS } from './requests-refused.ts'

export type { ErrorKind, ErrorMeaning, RefusalKind } from './meaning.ts'

/**
 * Every code that a refusal can have. `refuse` takes no other, so that none is answered without
 * standing in the reference, which is made from this.
 */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...PAGE_ERRORS,
  ...SETTINGS_ERRORS,
  ...CONTENT_ERRORS,
  ...EDIT_ERRORS,
  ...FORM_ERRORS,
  ...HOUSE_ERRORS,
} as const

export type ErrorCode = keyof typeof ERRORS
/** The codes of one kind: a code has one kind, and so one status, wherever it is answered. */
export type CodeOf<K extends ErrorKind> = {
  [C in ErrorCode]: (typeof ERRORS)[C]['kind'] extends K ? C : never
}[ErrorCode]

export const CONTENT_CODES = keysOf(CONTENT_ERRORS)
export const EDIT_CODES = keysOf(EDIT_ERRORS)
export const SETTINGS_CODES = keysOf(SETTINGS_ERRORS)
/** What a page's own `Service.submit` is refused with, beside `rate_limited`. */
export const FORM_CODES = [...keysOf(FORM_ERRORS), 'rate_limited'] as const

export function meaningOf(code: ErrorCode): ErrorMeaning {
  return ERRORS[code]
}

function keysOf<T extends object>(record: T): (keyof T)[] {
  return Object.keys(record) as (keyof T)[]
}
