import type { App, Platform } from './app.ts'
import { type Authentication, createAuthentication } from './http/authenticate.ts'
import { createDispatcher, createRequestRecorder } from './http/dispatch.ts'
import type { Assets } from './http/kit/assets.ts'
import { type BodyReader, createBodyReader } from './http/kit/body.ts'
import { createBodyBudgets } from './http/kit/body-budget.ts'
import { createClientAddresses } from './http/kit/client-address.ts'
import { type Compressor, createCompressor } from './http/kit/compressor.ts'
import { type ListenOptions, listen, type RunningServer } from './http/listen.ts'
import { mcpRoutes } from './http/mcp/routes.ts'
import { restRoutes } from './http/rest/routes.ts'
import { uploadLinkRoutes } from './http/rest/upload-links.ts'
import { createRouter, type RouterParts } from './http/router.ts'
import { visitorRoutes } from './http/visitor/index.ts'
import { type WebDeps, webRoutes } from './http/web/index.ts'
import { createHealth, createProbesAndFiles } from './http/web/probes-and-files.ts'
import { addServiceMetrics } from './http/web/service-metrics.ts'
import { diskState } from './platform/checks.ts'

/** The dependencies of the routes that are neither platform nor feature. */
export interface Shared {
  assets: Assets
  authentication: Authentication
  bodyReader: BodyReader
  compressor: Compressor
  addressOf(request: Request): string
}

/** The composition root: builds the routes from named dependencies. */
export function createServer(platform: Platform, app: App, { assets }: Pick<Shared, 'assets'>) {
  const { log, config, temporaryFiles, metrics } = platform
  const { site } = platform.settings
  const { baseUrl, trustProxy } = config
  const { accounts, oauth, sessions } = app
  const clientAddresses = createClientAddresses(trustProxy)
  const authentication = createAuthentication({ accounts, oauth, sessions, baseUrl })
  const health = createHealth({
    pingDatabase: () => accounts.hasAny(),
    areFilesAvailable: platform.blobs.isAvailable,
    readDisk: async () => diskState(await platform.checks.disk()),
    readBackup: platform.checks.backup,
  })
  const bodyBudgets = createBodyBudgets(clientAddresses.of)
  const bodyReader = createBodyReader({ budgets: bodyBudgets, temporaryFiles })
  const compressor = createCompressor()
  const { of: addressOf } = clientAddresses
  const shared = { assets, authentication, bodyReader, compressor, addressOf }
  const visitor = buildVisitorRoutes(platform, app, shared)
  const routes = {
    visitor: visitor.serve,
    contentHosts: visitor.serveOrigin,
    pageRouteOf: visitor.pageRouteOf,
    probesAndFiles: createProbesAndFiles({
      health,
      metrics: {
        metrics,
        token: config.metricsToken,
        baseUrl,
        trustProxy,
        peerOf: clientAddresses.peerOf,
      },
      assets,
      logo: accounts.logo,
    }),
    visitorOperations: visitor.operations,
    ...buildRouters(platform, app, {
      ...shared,
      confirmationActions: visitor.confirmationActions,
      openLink: visitor.openLink,
    }),
  }
  const recorder = createRequestRecorder({ ...config, metrics, log, addressOf })
  const { fetch, fetchPage } = createDispatcher(routes, { site, bodyBudgets, recorder, log })
  let running: RunningServer | null = null
  addServiceMetrics({ ...platform, ...app })
  metrics.add(
    'handbill_http_requests_in_progress',
    'Requests that were received and whose answer has not been sent whole.',
    () => running?.requestsInProgress() ?? 0,
  )
  return {
    /** Answers a request in this process, as if it had come over a socket. */
    fetch: async (request: Request) => fetch(request),
    listen(options: ListenOptions) {
      const markStopping = () => {
        health.markStopping()
        app.feedback.stop()
      }
      running = listen({ fetch, fetchPage, clientAddresses, health: { markStopping } }, options)
      return running
    },
  }
}

export function buildVisitorRoutes(platform: Platform, app: App, shared: Shared) {
  const { authentication } = shared
  return visitorRoutes({
    ...partsOf(platform, app, shared),
    operations: app.visitorOperations,
    resolveSession: authentication.bySession,
    isSessionActive: app.sessions.isActive,
  })
}

/** Builds the routes of the API and of our own pages. */
export function buildRouters(platform: Platform, app: App, shared: Parts) {
  const { authentication } = shared
  const parts = { ...partsOf(platform, app, shared), findPage: app.pages.get }
  const { byHeader, byAppRequest, bySession } = authentication
  // The same operations, by API key for programs and by session for our own pages.
  const apis = {
    api: restRoutes({ ...parts, authenticate: byHeader, isCrossOrigin: true }),
    app: restRoutes({ ...parts, authenticate: byAppRequest, isCrossOrigin: false }),
  }
  const router = createRouter({
    uploadLinks: uploadLinkRoutes(parts),
    mcp: mcpRoutes({ ...parts, authenticate: byHeader }),
    openLink: parts.openLink,
    web: webRoutes({ ...parts, resolveSession: bySession, invitationOf: app.pages.invitationOf }),
  })
  return { apis, router }
}

type Parts = Shared & Pick<WebDeps, 'confirmationActions'> & Pick<RouterParts, 'openLink'>

/** What routes need, by its names. The settings come first: some share a name with a service. */
function partsOf<S extends Shared>(platform: Platform, app: App, shared: S) {
  return { ...platform.config, ...platform, ...app, ...shared, site: platform.settings.site }
}
