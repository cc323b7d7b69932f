/**
 * A refusal is an expected "no" whose reason the caller may read. Anything else that is thrown is
 * a bug: the caller sees 500 and a request id, and only the log sees why.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly kind: RefusalKind
  readonly code: string
  readonly details: Record<string, unknown> | undefined

  constructor(kind: RefusalKind, code: string, message: string, details?: Record<string, unknown>) {
    super(message)
    this.kind = kind
    this.code = code
    this.details = details
  }
}

/** Kinds are few and belong to the model; codes are many and belong to the rooms. */
export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'plan_required'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition'
  | 'too_large'
  | 'unsupported_media'
  | 'unprocessable'
  | 'rate_limited'
  | 'unavailable'

type Refuse = (code: string, message: string, details?: Record<string, unknown>) => Refusal

function of(kind: RefusalKind): Refuse {
  return (code, message, details) => new Refusal(kind, code, message, details)
}

/** `throw refuse.notFound('page_not_found', 'There is no such page.')` */
export const refuse = {
  invalid: of('invalid'),
  unauthenticated: of('unauthenticated'),
  planRequired: of('plan_required'),
  forbidden: of('forbidden'),
  notFound: of('not_found'),
  conflict: of('conflict'),
  precondition: of('precondition'),
  tooLarge: of('too_large'),
  unsupportedMedia: of('unsupported_media'),
  unprocessable: of('unprocessable'),
  rateLimited: of('rate_limited'),
  unavailable: of('unavailable'),
}
