/** The HTTP status of each kind of error; every code belongs to one kind. */
export const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  plan_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timed_out: 408,
  conflict: 409,
  precondition: 412,
  too_large: 413,
  unsupported_media: 415,
  unprocessable: 422,
  rate_limited: 429,
  fault: 500,
  unavailable: 503,
  no_space: 507,
} as const

export type ErrorKind = keyof typeof STATUS
/** `fault` is no refusal but an error of the server. */
export type RefusalKind = Exclude<ErrorKind, 'fault'>

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
