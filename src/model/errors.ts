import type { CodeOf, ErrorCode, RefusalKind } from './error-codes/index.ts'
import { ofEachKind } from './error-codes/meaning.ts'

export type { ErrorCode, RefusalKind } from './error-codes/index.ts'

/**
 * An expected error, whose message the caller may read. Any other error is a bug: the response is
 * 500 with a request id, and only the log has the reason.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly kind: RefusalKind
  readonly code: ErrorCode
  details: Record<string, unknown> | undefined

  constructor({ kind, code, message, details }: RefusalFields) {
    super(message)
    this.kind = kind
    this.code = code
    this.details = details
  }
}

export type RefusalFields = Pick<Refusal, 'kind' | 'code' | 'message' | 'details'>

/** @param code a code of this kind, from the catalogue in `error-codes/` */
type Refuse<K extends RefusalKind> = (
  code: CodeOf<K>,
  message: string,
  details?: Record<string, unknown>,
) => Refusal

const refusals = ofEachKind(
  (kind) =>
    (...[code, message, details]: Parameters<Refuse<RefusalKind>>) =>
      new Refusal({ kind, code, message, details }),
) as { [K in RefusalKind]: Refuse<K> }

/** @param account whose plan does not include it */
function refusePlan(
  account: { email: string; plan: string },
  message: string,
  details: { param: string },
): Refusal {
  const cure = `On your own server, run: handbill account plan ${account.email} pro`
  return refusals.planRequired('plan_required', `${message} ${cure}`, {
    ...details,
    plan: account.plan,
  })
}

/** `throw refuse.notFound('page_not_found', 'There is no such page.')` */
export const refuse = {
  ...refusals,
  /** Adds a sentence to the message about what to do on one's own server. */
  planRequired: refusePlan,
  invalidParameter: (param: string, message: string) =>
    refusals.invalid('invalid_parameter', message, { param }),
}

/** Runs a step that is about one member of the input: a refusal that names none names this one. */
export async function aboutParam<T>(param: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (err) {
    if (err instanceof Refusal && err.details?.param === undefined) {
      err.details = { param, ...err.details }
    }
    throw err
  }
}

/** The refusal of a request whose `Idempotency-Key` came with another body before. */
export function idempotencyKeyReused(): Refusal {
  return refuse.conflict(
    'idempotency_key_reused',
    'This Idempotency-Key came with another body before: use a new key for a new request.',
  )
}

/** What a viewer is told whose page was deleted. */
export function pageGone() {
  return refuse.notFound('gone', 'This page is no longer there.')
}

/** The refusal of a change of a page that is in the trash. */
export function isInTrash(): Refusal {
  return refuse.conflict('in_trash', 'It is in the trash: take it back first.')
}

/** The refusal of a write whose `If-Match` is not the current ETag of the page. */
export function preconditionFailed(): Refusal {
  return refuse.precondition(
    'precondition_failed',
    'The page has changed since it had the ETag in If-Match: read it again.',
  )
}
