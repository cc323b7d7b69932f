import { type Refusal, refuse } from '../../model/errors.ts'
import { BODY_LIMIT_BYTES, inMegabytes } from '../../model/plan.ts'
import { jsonAnswer, refusalAnswer } from '../kit/json-response.ts'

/** JSON-RPC's own codes, and the first of those it leaves to servers. */
const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
const INTERNAL_ERROR = -32_603
const SERVER_ERROR = -32_000

/** What REST would answer, as a JSON-RPC error; its id is null, since no message was read. */
export function rpcErrorAnswer(
  refusal: Refusal,
  rpcCode = refusal.code === 'malformed_json' ? PARSE_ERROR : SERVER_ERROR,
): Response {
  const { code, message, details } = refusal
  const allow = refusal.kind === 'method_not_allowed' ? { allow: 'POST' } : {}
  const { status, headers } = refusalAnswer(refusal, allow)
  const error = { code: rpcCode, message, data: { code, ...details } }
  return jsonAnswer(status, { jsonrpc: '2.0', id: null, error }, Object.fromEntries(headers))
}

/** A bug of ours: what it is stays in the log, under the id. */
export function internalError(requestId: string) {
  const message = `Something went wrong on our side. Try again; if it stays, name ${requestId}.`
  return { code: 'internal', message, request_id: requestId }
}

export function internalErrorAnswer(requestId: string): Response {
  const { message, ...data } = internalError(requestId)
  const error = { code: INTERNAL_ERROR, message, data }
  return jsonAnswer(500, { jsonrpc: '2.0', id: null, error })
}

export function requestTooLarge(): Refusal {
  return refuse.tooLarge(
    'content_too_large',
    `The request is over ${inMegabytes(BODY_LIMIT_BYTES)}, and nothing was done: send large ` +
      'content by html_url or file_url, or upload it first.',
  )
}
