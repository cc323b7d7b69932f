import type { Context } from 'hono'
import { routePath } from 'hono/route'
import { type LoggedRoute, loggedRoute } from './logged-route.ts'

/** The route that answers a request, or has failed, for the log. */
export function routeOf<E extends object>(context: Context<E>): LoggedRoute {
  return loggedRoute(routePath(context), context.req.param())
}
