/** The kinds of refusals. Each has one HTTP status; every code belongs to one kind. */
export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'plan_required'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'precondition'
  | 'too_large'
  | 'unsupported_media'
  | 'unprocessable'
  | 'rate_limited'
  | 'unavailable'
  | 'no_space'
  | 'timed_out'

/** `fault` is no refusal but an error of the server (500). */
export type ErrorKind = RefusalKind | 'fault'

export interface ErrorMeaning {
  kind: ErrorKind
  /** What happened, in one sentence. */
  meaning: string
  /** What the caller can do about it. */
  cure: string
}

export type Errors = Record<string, ErrorMeaning>

/** Makes the meanings of one kind. */
const as =
  <K extends ErrorKind>(kind: K) =>
  (meaning: string, cure: string) => ({ kind, meaning, cure })

export const conflict = as('conflict')
export const fault = as('fault')
export const forbidden = as('forbidden')
export const invalid = as('invalid')
export const methodNotAllowed = as('method_not_allowed')
export const noSpace = as('no_space')
export const notFound = as('not_found')
export const planRequired = as('plan_required')
export const precondition = as('precondition')
export const rateLimited = as('rate_limited')
export const timedOut = as('timed_out')
export const tooLarge = as('too_large')
export const unauthenticated = as('unauthenticated')
export const unavailable = as('unavailable')
export const unprocessable = as('unprocessable')
export const unsupportedMedia = as('unsupported_media')
