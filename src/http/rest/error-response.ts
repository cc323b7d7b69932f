import type { Context } from 'hono'
import { Refusal } from '../../model/errors.ts'
import type { Log } from '../../platform/log.ts'
import { BodyTooLarge } from '../kit/body.ts'
import {
  emptyResponse,
  internalErrorResponse,
  refusalResponse,
  tooLargeResponse,
} from '../kit/json-response.ts'
import { routeOf } from '../kit/logged-route.ts'
import { outageRefusal } from '../kit/outage.ts'

export interface Env {
  Variables: {
    request_id: string
    /** Set once the request is counted. */
    rateLimitHeaders: Record<string, string> | undefined
  }
}

/** The response to an error that a handler throws. */
export function errorResponse(err: unknown, context: Context<Env>, log: Log): Response {
  if (err instanceof BodyTooLarge) return tooLargeResponse()
  if (err instanceof Refusal) return refusalResponse(err)
  // The client closed the connection before the whole body arrived, which is not a bug.
  if (context.req.raw.signal.aborted) return emptyResponse(400)
  const requestId = context.get('request_id')
  log.error('request failed', { request_id: requestId, ...routeOf(context), err })
  const outage = outageRefusal(err)
  return outage === null ? internalErrorResponse(requestId) : refusalResponse(outage)
}
