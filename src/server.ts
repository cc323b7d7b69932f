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
import { createRouter, type Router } from './http/router.ts'
import { visitorRoutes } from './http/visitor/index.ts'
import { type WebDeps, webRoutes } from './http/web/index.ts'
import { createHealth, createProbesAndFiles } from './http/web/probes-and-files.ts'
import { addServiceMetrics } from './http/web/service-metrics.ts'
import { diskState } from './platform/checks.ts'

export interface HttpServer {
  /** Answers a request in this process, as if it had come over a socket. */
  fetch(request: Request): Promise<Response>
  listen(options: ListenOptions): RunningServer
}

/** The dependencies that the caller provides. */
export interface ServerParts {
  assets: Assets
}

/** The dependencies of the routes that are neither platform nor feature. */
export interface Shared {
  assets: Assets
  authentication: Authentication
  bodyReader: BodyReader
  compressor: Compressor
  addressOf(request: Request): string
}

/** The composition root: builds the routes from named dependencies. */
export function createServer(platform: Platform, app: App, { assets }: ServerParts): HttpServer {
  const { log, config, temporaryFiles, metrics } = platform
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
    }),
    visitorOperations: visitor.operations,
    router: buildRouter(platform, app, {
      ...shared,
      confirmationActions: visitor.confirmationActions,
    }),
  }
  const recorder = createRequestRecorder({ ...config, metrics, log, addressOf })
  const { fetch, fetchPage } = createDispatcher(routes, { baseUrl, bodyBudgets, recorder, log })
  let running: RunningServer | null = null
  addServiceMetrics({ ...platform, ...app })
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
    operations: app.visitorOperations,
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

/** Builds the routes of the API and of our own pages. */
export function buildRouter(platform: Platform, app: App, parts: Parts): Router {
  const { log } = platform
  const { uploads, throttles } = app
  const { bodyReader } = parts
  return createRouter({
    rest: buildRestRoutes(platform, app, parts, 'key'),
    appApi: buildRestRoutes(platform, app, parts, 'session'),
    uploadLinks: uploadLinkRoutes({ uploads, throttles, log, bodyReader }),
    mcp: buildMcpRoutes(platform, app, parts),
    web: buildWebRoutes(platform, app, parts),
  })
}

type Parts = Shared & Pick<WebDeps, 'confirmationActions'>

/** The same operations, by API key for programs or by session for our own pages. */
function buildRestRoutes(
  { log }: Platform,
  app: App,
  { authentication, bodyReader, compressor }: Parts,
  by: 'key' | 'session',
) {
  return restRoutes({
    operations: app.operations,
    authenticate: by === 'key' ? authentication.byHeader : authentication.byAppRequest,
    isCrossOrigin: by === 'key',
    findPage: app.pages.get,
    bodyReader,
    throttles: app.throttles,
    compressor,
    log,
  })
}

function buildMcpRoutes(
  { log, config }: Platform,
  app: App,
  { authentication, bodyReader, compressor }: Parts,
) {
  return mcpRoutes({
    operations: app.operations,
    authenticate: authentication.byHeader,
    findPage: app.pages.get,
    bodyReader,
    throttles: app.throttles,
    compressor,
    log,
    baseUrl: config.baseUrl,
  })
}

function buildWebRoutes(platform: Platform, app: App, shared: Parts) {
  const { baseUrl, defaultPlan, plans, signup, singleSignOn } = platform.config
  return webRoutes({
    operations: app.operations,
    accounts: app.accounts,
    sessions: app.sessions,
    resolveSession: shared.authentication.bySession,
    confirmations: app.confirmations,
    ownerMails: app.ownerMails,
    approvals: app.approvals,
    commenterMails: app.commenterMails,
    pages: app.pages,
    throttles: app.throttles,
    invitationOf: app.pages.invitationOf,
    mailBudget: app.mailBudget,
    access: app.access,
    database: platform.database,
    secrets: platform.secrets,
    clock: platform.clock,
    sendMail: platform.sendMail,
    baseUrl,
    defaultPlan,
    plans,
    signup,
    singleSignOn,
    identities: app.identities,
    log: platform.log,
    assets: shared.assets,
    compressor: shared.compressor,
    bodyReader: shared.bodyReader,
    addressOf: shared.addressOf,
    confirmationActions: shared.confirmationActions,
  })
}
