import type { CodeOf, ErrorCode, RefusalKind } from './error-codes/index.ts'

export type { ErrorCode, RefusalKind } from './error-codes/index.ts'

/**
 * A refusal is an expected "no" whose reason the caller may read. Anything else that is thrown is
 * a bug: the caller sees 500 and a request id, and only the log sees why.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly kind: RefusalKind
  readonly code: ErrorCode
  readonly details: Record<string, unknown> | undefined

  constructor(
    kind: RefusalKind,
    code: ErrorCode,
    message: string,
    details?: Record<string, unknown>,
  ) {
    super(message)
    this.kind = kind
    this.code = code
    this.details = details
  }
}

/** @param code one of this kind, with its meaning and cure in `error-codes/` */
type Refuse<K extends RefusalKind> = (
  code: CodeOf<K>,
  message: string,
  details?: Record<string, unknown>,
) => Refusal

function of<K extends RefusalKind>(kind: K): Refuse<K> {
  return (code, message, details) => new Refusal(kind, code, message, details)
}

/** `throw refuse.notFound('page_not_found', 'There is no such page.')` */
export const refuse = {
  invalid: of('invalid'),
  unauthenticated: of('unauthenticated'),
  planRequired: of('plan_required'),
  forbidden: of('forbidden'),
  notFound: of('not_found'),
  methodNotAllowed: of('method_not_allowed'),
  conflict: of('conflict'),
  precondition: of('precondition'),
  tooLarge: of('too_large'),
  unsupportedMedia: of('unsupported_media'),
  unprocessable: of('unprocessable'),
  rateLimited: of('rate_limited'),
  unavailable: of('unavailable'),
}

/** The refusal of a write whose `If-Match` names another state of the page. */
export function preconditionFailed(): Refusal {
  return refuse.precondition(
    'precondition_failed',
    'The page is no longer what If-Match names: read it again.',
  )
}
