/** Codes of the client's own, for what no server of ours would answer. */
type OwnCode = 'unreachable' | 'redirected' | 'not_handbill' | 'body_too_large'

/** Why a call failed. The message is one sentence that says what to do. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** Of the answer; null where there was none, and `cause` says why. */
  readonly status: number | null
  /** Stable, such as `duplicate_title`: see /docs. Of failures without an answer, an `OwnCode`. */
  readonly code: string
  /** The parameter to change, where it is one. */
  readonly param: string | undefined
  /** Whatever else the answer told, such as `limit` and `plan`. */
  readonly details: Record<string, unknown>
  /** Of a failure of the server's own: its log tells more under this id. */
  readonly request_id: string | undefined

  constructor(
    message: string,
    told: { status: number | null; code: string; details?: Record<string, unknown> },
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    const { param, request_id: requestId, ...details } = told.details ?? {}
    this.status = told.status
    this.code = told.code
    this.param = textOr(param)
    this.request_id = textOr(requestId)
    this.details = details
  }
}

export function unreachable(baseUrl: string, cause: unknown): ApiError {
  const why = whyNot(cause)
  const message = `Cannot reach ${baseUrl}${why}: check the address, and that the server runs.`
  return new ApiError(message, { status: null, code: 'unreachable' satisfies OwnCode }, cause)
}

/** What an answer that is no success says. */
export async function errorOf(response: Response, baseUrl: string): Promise<ApiError> {
  const { status } = response
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const location = response.headers.get('location')
    const where = location === null ? 'elsewhere' : `to ${location}`
    return own(status, 'redirected', `${baseUrl} redirects ${where}: use the address it names.`)
  }
  const text = await response.text().catch(() => '')
  const told = errorIn(text)
  if (told !== null) {
    const { code, message, ...details } = told
    return new ApiError(message, { status, code, details })
  }
  if (status === 413) {
    const message = 'The request is over 4 MB: send what is large with createUpload first.'
    return own(status, 'body_too_large', message)
  }
  return notHandbill(status, baseUrl)
}

export function notHandbill(status: number, baseUrl: string): ApiError {
  const message = `${baseUrl} answered ${status}, and not as Handbill does: check the address.`
  return own(status, 'not_handbill', message)
}

function own(status: number, code: OwnCode, message: string): ApiError {
  return new ApiError(message, { status, code })
}

type Told = { code: string; message: string; [detail: string]: unknown }

function errorIn(text: string): Told | null {
  try {
    const { error } = JSON.parse(text) as { error?: Partial<Told> }
    const isTold = typeof error?.code === 'string' && typeof error.message === 'string'
    return isTold ? (error as Told) : null
  } catch {
    return null
  }
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function whyNot(cause: unknown): string {
  if (!(cause instanceof Error) || cause.message === '') return ''
  const { code } = cause as NodeJS.ErrnoException
  return ` (${REASONS[code ?? ''] ?? firstLine(cause)})`
}
const REASONS: Record<string, string> = {
  ConnectionRefused: 'nothing listens there',
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of that name',
}

function firstLine({ message }: Error): string {
  return message.split('\n')[0]!.replace(/[.:\s]+$/, '')
}
