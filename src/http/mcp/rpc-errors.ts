import { type Refusal, refuse } from '../../model/errors.ts'
import { BODY_LIMIT_BYTES, inMegabytes } from '../../model/plan.ts'
import { jsonResponse, refusalResponse } from '../kit/json-response.ts'

/** Codes of JSON-RPC, and the first code that it leaves to servers. */
const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
const INTERNAL_ERROR = -32_603
const SERVER_ERROR = -32_000

/** The response of REST as a JSON-RPC error. Its id is null, because no message was read. */
export function rpcErrorResponse(
  refusal: Refusal,
  rpcCode = refusal.code === 'malformed_json' ? PARSE_ERROR : SERVER_ERROR,
): Response {
  const { code, message, details } = refusal
  const allow = refusal.kind === 'method_not_allowed' ? { allow: 'POST' } : {}
  const { status, headers } = refusalResponse(refusal, allow)
  const error = { code: rpcCode, message, data: { code, ...details } }
  return jsonResponse(status, { jsonrpc: '2.0', id: null, error }, Object.fromEntries(headers))
}

/** The error for a bug. Its details are in the log, under the request id. */
export function internalError(requestId: string) {
  const message = `Something went wrong on our side. Try again; if it stays, name ${requestId}.`
  return { code: 'internal', message, request_id: requestId }
}

export function rpcInternalErrorResponse(requestId: string): Response {
  const { message, ...data } = internalError(requestId)
  const error = { code: INTERNAL_ERROR, message, data }
  return jsonResponse(500, { jsonrpc: '2.0', id: null, error })
}

export function requestTooLarge(): Refusal {
  return refuse.tooLarge(
    'content_too_large',
    `The request is over ${inMegabytes(BODY_LIMIT_BYTES)}, and nothing was done: send large ` +
      'content by html_url or file_url, or upload it first.',
  )
}
