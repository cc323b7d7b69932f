import { inMegabytes } from '../model/plan.ts'

/** Codes for failures that are not an answer of Handbill. */
type ClientErrorCode =
  | 'unreachable'
  | 'redirected'
  | 'not_handbill'
  | 'body_too_large'
  | 'answer_too_large'

interface ErrorInfo {
  status: number | null
  code: string
  details?: Record<string, unknown>
}

/** Why a call failed. The message is one sentence that says what to do. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status; null if there was no answer, which `cause` explains. */
  readonly status: number | null
  /** Stable, such as `duplicate_title`: see /docs. Or a `ClientErrorCode`. */
  readonly code: string
  readonly param: string | undefined
  /** Further members of the error, such as `limit` and `plan`. */
  readonly details: Record<string, unknown>
  readonly request_id: string | undefined

  constructor(message: string, info: ErrorInfo, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    const { param, request_id, ...details } = info.details ?? {}
    this.status = info.status
    this.code = info.code
    this.param = stringOrUndefined(param)
    this.request_id = stringOrUndefined(request_id)
    this.details = details
  }

  /** The same error in other words. */
  reworded(message: string): ApiError {
    const { status, code, param, request_id } = this
    const details = { ...this.details, param, request_id }
    return new ApiError(message, { status, code, details }, this)
  }
}

export function unreachable(baseUrl: string, cause: unknown): ApiError {
  const reason = reasonText(cause)
  const message = `Cannot reach ${baseUrl}${reason}: check the address, and that the server runs.`
  return clientError(null, 'unreachable', message, cause)
}

const REQUEST_LIMIT =
  'The request is over 4 MB, or what a proxy takes: send what is large with createUpload first.'
/** Handbill itself says in JSON what is too large of an upload. */
const PROXY_LIMIT = 'A proxy takes no upload of this size: the operator can raise its limit.'

/** What was sent, and the body of the answer. */
interface Exchange {
  text: string
  baseUrl: string
  isUpload: boolean
}

export function errorFromResponse(
  response: Response,
  { text, baseUrl, isUpload }: Exchange,
): ApiError {
  const { status } = response
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const location = response.headers.get('location')
    const target = location === null ? 'elsewhere' : `to ${location}`
    const message = `${baseUrl} redirects ${target}: use the address it names.`
    return clientError(status, 'redirected', message)
  }
  const error = parseError(text)
  if (error !== null) {
    const { code, message, ...details } = error
    return new ApiError(message, { status, code, details })
  }
  if (status === 413) {
    return clientError(status, 'body_too_large', isUpload ? PROXY_LIMIT : REQUEST_LIMIT)
  }
  if (status >= 502 && status <= 504) {
    const message = `A proxy at ${baseUrl} answered ${status}: check that the server runs.`
    return clientError(status, 'unreachable', message)
  }
  return notHandbill(status, baseUrl)
}

/** The answer exceeds every answer of Handbill. */
export function answerTooLarge(baseUrl: string, limit: number): ApiError {
  const message = `${baseUrl} answered with more than ${inMegabytes(limit)}: check the address.`
  return clientError(null, 'answer_too_large', message)
}

export function notHandbill(status: number, baseUrl: string): ApiError {
  const message = `${baseUrl} answered ${status}, and not as Handbill does: check the address.`
  return clientError(status, 'not_handbill', message)
}

function clientError(
  status: number | null,
  code: ClientErrorCode,
  message: string,
  cause?: unknown,
): ApiError {
  return new ApiError(message, { status, code }, cause)
}

type ErrorBody = { code: string; message: string; [detail: string]: unknown }

/** The error in the body of one of Handbill's answers; null for any other body. */
function parseError(text: string): ErrorBody | null {
  try {
    const { error } = JSON.parse(text) as { error?: Partial<ErrorBody> }
    const isError = typeof error?.code === 'string' && typeof error.message === 'string'
    return isError ? (error as ErrorBody) : null
  } catch {
    return null
  }
}

function stringOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function reasonText(cause: unknown): string {
  if (!(cause instanceof Error) || cause.message === '') return ''
  // Node.js says only `fetch failed`, and why in the cause of that.
  const reason = cause.cause instanceof Error ? cause.cause : cause
  const { code = '' } = reason as NodeJS.ErrnoException
  const text = REASONS.find(([codes]) => codes.test(code))?.[1]
  // Where several addresses of a host fail, there is a code and no message.
  return ` (${text || firstLine(reason) || code || firstLine(cause)})`
}
/** By the codes of Bun and of Node.js. */
const REASONS: [code: RegExp, text: string][] = [
  [/refused/i, 'nothing listens there'],
  [/RESET|_SOCKET/, 'the connection ended'],
  [/NOTFOUND/, 'no host has that name'],
  [/WRONG_VER/, 'it answers http, and not https'],
]

function firstLine({ message }: Error): string {
  return message.split('\n')[0]!.replace(/[.:\s]+$/, '')
}
