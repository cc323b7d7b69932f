/** The HTTP status of each kind of error; every code belongs to one kind. */
export const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  planRequired: 402,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  timedOut: 408,
  conflict: 409,
  precondition: 412,
  tooLarge: 413,
  unsupportedMedia: 415,
  unprocessable: 422,
  rateLimited: 429,
  fault: 500,
  unavailable: 503,
  noSpace: 507,
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

/** Makes something of each kind, also of `fault`, which no refusal has. */
export function ofEachKind(make: (kind: RefusalKind) => unknown): Record<string, unknown> {
  const kinds = Object.keys(STATUS) as RefusalKind[]
  return Object.fromEntries(kinds.map((kind) => [kind, make(kind)]))
}

/** Makes the meanings of each kind: `of.notFound('There is …', 'Take …')`. */
export const of = ofEachKind((kind) => (meaning: string, cure: string) => ({
  ...{ kind, meaning, cure },
})) as { [K in ErrorKind]: (meaning: string, cure: string) => ErrorMeaning & { kind: K } }
