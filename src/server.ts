import type { App, Platform } from './app.ts'
import { createDispatcher } from './http/dispatch.ts'
import type { Assets } from './http/kit/assets.ts'
import { createClientAddresses } from './http/kit/client-address.ts'
import { type ListenOptions, listen, type RunningServer } from './http/listen.ts'
import { mcpRoutes } from './http/mcp/routes.ts'
import { openapi } from './http/rest/openapi.ts'
import { restRoutes } from './http/rest/routes.ts'
import { type VisitorRoutes, visitorRoutes } from './http/visitor/index.ts'
import { createHealth, type Health } from './http/web/health.ts'
import { webRoutes } from './http/web/index.ts'

export interface HttpServer {
  /** Answers a request in this process, as if it had come over a socket. */
  fetch(request: Request): Promise<Response>
  listen(options: ListenOptions): RunningServer
}

export interface ServerOptions {
  /** The built files of `web/`. */
  assets: Assets
}

/** What the routes share that is neither platform nor feature. */
interface Shared {
  assets: Assets
  addressOf(request: Request): string
  health: Health
}

/** The composition root: builds every route from named dependencies. */
export function createServer(platform: Platform, app: App, options: ServerOptions): HttpServer {
  const { log, config } = platform
  const { baseUrl, trustProxy } = config
  const clientAddresses = createClientAddresses(trustProxy)
  const health = createHealth(app.accounts.hasAny)
  const shared = { assets: options.assets, addressOf: clientAddresses.of, health }
  const visitor = buildVisitorRoutes(platform, app, shared)
  const routes = {
    visitor: visitor.serve,
    respond: visitor.respond,
    contentHosts: visitor.serveOrigin,
    rest: buildRestRoutes(platform, app),
    mcp: buildMcpRoutes(platform, app),
    web: buildWebRoutes(platform, app, {
      ...shared,
      confirmationActions: visitor.confirmationActions,
    }),
  }
  const fetch = createDispatcher(routes, { baseUrl, log })
  return {
    fetch,
    listen: (listenOptions) => listen({ fetch, clientAddresses, health }, listenOptions),
  }
}

function buildRestRoutes({ log }: Platform, { accounts, operations, pages, throttles }: App) {
  const { authenticate } = accounts
  return restRoutes({ operations, authenticate, findPage: pages.get, throttles, log })
}

function buildMcpRoutes({ log, config }: Platform, app: App) {
  const { accounts, operations, pages, throttles } = app
  return mcpRoutes({
    operations,
    authenticate: accounts.authenticate,
    findPage: pages.get,
    throttles,
    log,
    baseUrl: config.baseUrl,
  })
}

function buildVisitorRoutes(platform: Platform, app: App, { assets, addressOf }: Shared) {
  return visitorRoutes({
    pages: app.pages,
    views: app.views,
    content: app.content,
    access: app.access,
    responses: app.responses,
    confirmations: app.confirmations,
    sessions: app.sessions,
    throttles: app.throttles,
    database: platform.database,
    secrets: platform.secrets,
    clock: platform.clock,
    log: platform.log,
    baseUrl: platform.config.baseUrl,
    contentUrl: platform.config.contentUrl,
    assets,
    addressOf,
  })
}

interface WebShared extends Shared {
  confirmationActions: VisitorRoutes['confirmationActions']
}

function buildWebRoutes(platform: Platform, app: App, shared: WebShared) {
  const { baseUrl, defaultPlan, signup } = platform.config
  return webRoutes({
    accounts: app.accounts,
    sessions: app.sessions,
    confirmations: app.confirmations,
    ownerMails: app.ownerMails,
    pages: app.pages,
    throttles: app.throttles,
    isInvited: app.isInvited,
    database: platform.database,
    secrets: platform.secrets,
    sendMail: platform.sendMail,
    baseUrl,
    defaultPlan,
    signup,
    openApi: lazy(() => openapi(app.operations, baseUrl)),
    assets: shared.assets,
    addressOf: shared.addressOf,
    health: shared.health,
    confirmationActions: shared.confirmationActions,
  })
}

/** Makes the value at the first call, so that a start does not wait for it. */
function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
