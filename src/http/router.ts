import { Hono } from 'hono'
import { newId } from '../platform/ids.ts'
import { type LoggedRoute, routeOf, UPLOAD_LINKS } from './kit/logged-route.ts'
import type { mcpRoutes } from './mcp/routes.ts'
import type { restRoutes } from './rest/routes.ts'
import type { uploadLinkRoutes } from './rest/upload-links.ts'
import type { webRoutes } from './web/index.ts'

export interface RouterParts {
  /** The API for programs. */
  rest: ReturnType<typeof restRoutes>
  /** The same operations for our own pages, by session. */
  appApi: ReturnType<typeof restRoutes>
  /** Below `/~/uploads`. */
  uploadLinks: ReturnType<typeof uploadLinkRoutes>
  mcp: ReturnType<typeof mcpRoutes>
  /** `/l/{token}`: a link of a page for one person. */
  openLink(request: Request, token: string): Promise<Response>
  web: ReturnType<typeof webRoutes>
}

interface Env {
  /** What the router tells its caller. */
  Bindings: { routeOf(): LoggedRoute }
  Variables: { request_id: string }
}

/** Routes the requests that are neither for a page nor sent by a visitor of one. */
export function createRouter({ rest, appApi, uploadLinks, mcp, openLink, web }: RouterParts) {
  const router = new Hono<Env>()
  router.use(async (context, next) => {
    context.env.routeOf = () => routeOf(context)
    const requestId = newId('req')
    context.set('request_id', requestId)
    await next()
    context.header('x-request-id', requestId)
  })
  router.route('/api/v1', rest)
  router.route('/app/api', appApi)
  router.route(UPLOAD_LINKS, uploadLinks)
  router.all('/mcp', ({ req, get }) => mcp(req.raw, get('request_id')))
  router.get('/l/:token', ({ req }) => openLink(req.raw, req.param('token')))
  router.route('/', web)
  return router
}
export type Router = ReturnType<typeof createRouter>
