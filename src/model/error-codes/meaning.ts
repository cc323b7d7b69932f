/** Kinds are few and belong to the model; codes are many, and each has one kind. */
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

/** `fault` is no refusal: something of ours that went wrong, and is answered as 500. */
export type ErrorKind = RefusalKind | 'fault'

export interface ErrorMeaning {
  kind: ErrorKind
  /** What happened, in one sentence. */
  meaning: string
  /** What whoever called does about it. */
  cure: string
}

export type Errors = Record<string, ErrorMeaning>
