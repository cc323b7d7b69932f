import { Hono } from 'hono'
import { beginRequest, endRequest, type RequestEnv, UPLOAD_LINKS } from './kit/logged-route.ts'
import type { mcpRoutes } from './mcp/routes.ts'
import type { uploadLinkRoutes } from './rest/upload-links.ts'
import type { webRoutes } from './web/index.ts'

export interface RouterParts {
  /** Below `/~/uploads`. */
  uploadLinks: ReturnType<typeof uploadLinkRoutes>
  mcp: ReturnType<typeof mcpRoutes>
  /** `/l/{token}`: a link of a page for one person. */
  openLink(request: Request, token: string): Promise<Response>
  web: ReturnType<typeof webRoutes>
}

/** Routes the requests that are neither for a page, sent by a visitor of one, nor for REST. */
export function createRouter({ uploadLinks, mcp, openLink, web }: RouterParts) {
  const router = new Hono<RequestEnv>()
  router.use(async (context, next) => {
    beginRequest(context)
    await next()
    endRequest(context, context.res)
  })
  router.route(UPLOAD_LINKS, uploadLinks)
  router.all('/mcp', ({ req, get }) => mcp(req.raw, get('request_id')))
  router.get('/l/:token', ({ req }) => openLink(req.raw, req.param('token')))
  router.route('/', web)
  return router
}
export type Router = ReturnType<typeof createRouter>
