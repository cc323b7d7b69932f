import type { Context } from 'hono'
import { routePath } from 'hono/route'
import { isId, newId } from '../../platform/ids.ts'

/**
 * What the log has of a request's address: the pattern of its route, and ids that open nothing.
 * Never the address itself, because paths and queries have secrets in them.
 */
export interface LoggedRoute {
  /** Such as `/app/confirm/:token`. */
  route: string
  page_id?: string
  account_id?: string
  key_id?: string
}

/** Of a request. Called only for a request that is logged. */
export type LoggedRouteOf = (request: Request) => LoggedRoute

/** No route has the address, which may be a mistyped secret. */
export const UNKNOWN_ROUTE: LoggedRoute = { route: '(unknown)' }

/** Below it, the path is the secret of an upload. */
export const UPLOAD_LINKS = '/~/uploads'

/** The parameters of routes that are logged, with the prefix of their ids. All others are not. */
const LOGGED_PARAMETERS: Record<string, [field: 'page_id' | 'account_id' | 'key_id', string]> = {
  id: ['page_id', 'pg'],
  page_id: ['page_id', 'pg'],
  account_id: ['account_id', 'acc'],
  key_id: ['key_id', 'key'],
}

/** @param pattern as the router has it; empty where it has none */
function loggedRoute(pattern: string, parameters: Record<string, string>): LoggedRoute {
  if (pattern === '/*' || pattern === '') return UNKNOWN_ROUTE
  const ids = Object.entries(parameters).flatMap(([name, value]) => {
    const [field, prefix = ''] = LOGGED_PARAMETERS[name] ?? []
    // Where an id belongs, clients also send slugs, which are the secrets of pages.
    return field !== undefined && isId(prefix, value) ? [[field, value]] : []
  })
  return { route: pattern.replaceAll(/\{[^}]*\}/g, ''), ...Object.fromEntries(ids) }
}

/** The route that answers a request, or has failed, for the log. */
export function routeOf<E extends object>(context: Context<E>): LoggedRoute {
  return loggedRoute(routePath(context), context.req.param())
}

export interface RequestEnv {
  /** What the router tells its caller. */
  Bindings: { routeOf(): LoggedRoute }
  Variables: { request_id: string }
}

/** Gives a request its id, and tells which route answers it. */
export function beginRequest<E extends RequestEnv>(context: Context<E>): void {
  context.env.routeOf = () => routeOf(context)
  context.set('request_id', newId('req'))
}

/** Hono's `header` would copy the response. */
export function endRequest<E extends RequestEnv>(context: Context<E>, response: Response) {
  response.headers.set('x-request-id', context.get('request_id'))
  return response
}
