import type { App, Platform } from './app.ts'
import type { Authentication } from './http/authenticate.ts'
import type { Assets } from './http/kit/assets.ts'
import type { BodyReader } from './http/kit/body.ts'
import type { Compressor } from './http/kit/compressor.ts'
import { mcpRoutes } from './http/mcp/routes.ts'
import { restRoutes } from './http/rest/routes.ts'
import { uploadLinkRoutes } from './http/rest/upload-links.ts'
import { createRouter, type Router } from './http/router.ts'
import { type WebDeps, webRoutes } from './http/web/index.ts'
import type { Operation } from './model/operation.ts'
import { takeTurn } from './platform/turns.ts'

/** The dependencies of the routes that are neither platform nor feature. */
export interface Shared {
  assets: Assets
  authentication: Authentication
  bodyReader: BodyReader
  compressor: Compressor
  addressOf(request: Request): string
}

/** Builds the routes of the API and of our own pages, which are loaded at their first request. */
export async function buildRouter(
  platform: Platform,
  app: App,
  shared: Shared & OwnParts,
): Promise<Router> {
  const { log } = platform
  const { uploads, throttles } = app
  const parts = { ...shared, operations: await app.loadOperations() }
  // Each takes some milliseconds: views are answered between them.
  await takeTurn()
  const rest = buildRestRoutes(platform, app, parts, 'key')
  await takeTurn()
  const web = buildWebRoutes(platform, app, parts)
  await takeTurn()
  return createRouter({
    rest,
    appApi: buildRestRoutes(platform, app, parts, 'session'),
    uploadLinks: uploadLinkRoutes({ uploads, throttles, log, bodyReader: shared.bodyReader }),
    mcp: buildMcpRoutes(platform, app, parts),
    web,
  })
}

type OwnParts = Pick<WebDeps, 'confirmationActions'>
interface Parts extends Shared, OwnParts {
  operations: Operation[]
}

/** The same operations, by API key for programs or by session for our own pages. */
function buildRestRoutes(
  { log }: Platform,
  app: App,
  { operations, authentication, bodyReader, compressor }: Parts,
  by: 'key' | 'session',
) {
  return restRoutes({
    operations,
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
  { operations, authentication, bodyReader, compressor }: Parts,
) {
  return mcpRoutes({
    operations,
    authenticate: authentication.byHeader,
    findPage: app.pages.get,
    bodyReader,
    throttles: app.throttles,
    compressor,
    log,
    baseUrl: config.baseUrl,
  })
}

function buildWebRoutes(platform: Platform, app: App, { operations, ...shared }: Parts) {
  const { baseUrl, defaultPlan, plans, signup, singleSignOn } = platform.config
  return webRoutes({
    operations,
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
