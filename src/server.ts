import type { App, Platform } from './app.ts'
import { createAuthentication } from './http/authenticate.ts'
import { createDispatcher } from './http/dispatch.ts'
import type { Assets } from './http/kit/assets.ts'
import { createBodyReader } from './http/kit/body.ts'
import { createBodyBudgets } from './http/kit/body-budget.ts'
import { createClientAddresses } from './http/kit/client-address.ts'
import { createCompressor } from './http/kit/compressor.ts'
import { type ListenOptions, listen, type RunningServer } from './http/listen.ts'
import { createRequestRecorder } from './http/request-recorder.ts'
import { visitorRoutes } from './http/visitor/index.ts'
import { createHealth } from './http/web/health.ts'
import { createProbesAndFiles } from './http/web/probes-and-files.ts'
import type { CommandReference } from './model/command-reference.ts'
import { diskState } from './platform/checks.ts'
import type { Shared } from './router.ts'
import { addServiceMetrics } from './service-metrics.ts'

export interface HttpServer {
  /** Answers a request in this process, as if it had come over a socket. */
  fetch(request: Request): Promise<Response>
  listen(options: ListenOptions): RunningServer
}

/** The dependencies that the caller provides. */
export interface ServerParts {
  assets: Assets
  /** The commands of the command line, for the documentation. */
  commandReference(): Promise<CommandReference>
}

/** The composition root: builds the routes from named dependencies. */
export function createServer(
  platform: Platform,
  app: App,
  { assets, commandReference }: ServerParts,
): HttpServer {
  const { log, config, temporaryFiles, threads, metrics } = platform
  const { baseUrl, trustProxy } = config
  const { accounts, sessions } = app
  const clientAddresses = createClientAddresses(trustProxy)
  const authentication = createAuthentication({ accounts, sessions, baseUrl })
  const health = createHealth({
    pingDatabase: () => accounts.hasAny(),
    areFilesAvailable: platform.blobs.isAvailable,
    readDisk: async () => diskState(await platform.checks.disk()),
    readBackup: platform.checks.backup,
  })
  const bodyBudgets = createBodyBudgets(clientAddresses.of)
  const bodyReader = createBodyReader({ budgets: bodyBudgets, temporaryFiles, threads })
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
    }),
    loadVisitorOperations: visitor.loadOperations,
    async loadRouter() {
      const { loadRouterParts } = await import('./router-parts.ts')
      await loadRouterParts()
      const { buildRouter } = await import('./router.ts')
      const { confirmationActions } = visitor
      return buildRouter(platform, app, { ...shared, confirmationActions, commandReference })
    },
  }
  const recorder = createRequestRecorder({ ...config, metrics, log, addressOf })
  const { fetch, fetchPage } = createDispatcher(routes, { baseUrl, bodyBudgets, recorder, log })
  let running: RunningServer | null = null
  addServiceMetrics(platform, app)
  metrics.add({
    name: 'handbill_http_requests_in_progress',
    type: 'gauge',
    help: 'Requests that were received and whose answer has not been sent whole.',
    read: () => running?.requestsInProgress() ?? 0,
  })
  return {
    fetch: async (request) => fetch(request),
    listen(options) {
      running = listen({ fetch, fetchPage, clientAddresses, health }, options)
      return running
    },
  }
}

export function buildVisitorRoutes(platform: Platform, app: App, shared: Shared) {
  return visitorRoutes({
    pages: app.pages,
    views: app.views,
    content: app.content,
    access: app.access,
    approvals: app.approvals,
    analytics: app.analytics,
    viewers: app.viewers,
    loadOperations: app.loadVisitorOperations,
    conversations: app.conversations,
    confirmations: app.confirmations,
    viewerEmails: app.viewerEmails,
    resolveSession: shared.authentication.bySession,
    isSessionActive: app.sessions.isActive,
    throttles: app.throttles,
    mailBudget: app.mailBudget,
    database: platform.database,
    secrets: platform.secrets,
    clock: platform.clock,
    log: platform.log,
    baseUrl: platform.config.baseUrl,
    contentUrl: platform.config.contentUrl,
    localContentUrl: platform.config.localContentUrl,
    trustProxy: platform.config.trustProxy,
    assets: shared.assets,
    compressor: shared.compressor,
    bodyReader: shared.bodyReader,
    addressOf: shared.addressOf,
  })
}
