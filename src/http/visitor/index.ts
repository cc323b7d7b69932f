import type { Access } from '../../features/access/index.ts'
import type { Analytics } from '../../features/analytics/index.ts'
import type { Approvals } from '../../features/approvals/index.ts'
import type { Confirmations } from '../../features/confirmations/index.ts'
import type { Content } from '../../features/content/index.ts'
import type { Pages } from '../../features/pages/index.ts'
import type { MailBudget, Throttles } from '../../features/throttles/index.ts'
import type { ViewerEmails } from '../../features/viewer-emails/index.ts'
import type { Viewers } from '../../features/viewers/index.ts'
import type { Views } from '../../features/views/index.ts'
import type { Conversation } from '../../model/conversation.ts'
import type { VisitorOperation } from '../../model/operation.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/index.ts'
import type { Log } from '../../platform/log.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Assets } from '../kit/assets.ts'
import type { BodyReader } from '../kit/body.ts'
import type { Compressor } from '../kit/compressor.ts'
import { createCookies } from '../kit/cookies.ts'
import { createInlineScripts, type InlineScripts } from '../kit/inline-scripts.ts'
import { createKnownBrowsers } from '../kit/known-browsers.ts'
import type { ResolveSession } from '../kit/principal.ts'
import { createSharedGzip } from '../kit/shared-gzip.ts'
import { approvalActions } from './approvals/confirmation-actions.ts'
import { gateActions } from './gates/confirmation-actions.ts'
import { createGates } from './gates/routes.ts'
import { visitorOperationPaths } from './operation-paths.ts'
import { createOwnAnswers } from './origins/answers.ts'
import { createOriginOf, createOrigins } from './origins/hosts.ts'
import { originRoutes } from './origins/routes.ts'
import { createSendOn } from './origins/send-on.ts'
import { createVisits } from './origins/visits.ts'
import { createOwnerBar } from './owner-bar/owner-bar.ts'
import { confirmEmailAction } from './panel/confirmation-action.ts'
import { conversationsOf, createPanel, createViewerRenewal } from './panel/panel.ts'
import { createGateCookies } from './request/gate-cookies.ts'
import { createIdentities } from './request/identity.ts'
import { createPageCookies } from './request/page-cookies.ts'
import { createPageRoute } from './request/page-route.ts'
import { createAgentReader, createViewFacts } from './request/view-facts.ts'
import { createViewerTokens } from './request/viewer-tokens.ts'
import { createVisitTokens } from './request/visit-tokens.ts'
import { createInjection } from './responses/injection.ts'
import { createBodies } from './serve/bodies.ts'
import { createContentResponses } from './serve/content.ts'
import { createNotices } from './serve/notices.ts'
import { createServeVisit } from './serve/own-host.ts'
import { createServe } from './serve/serve.ts'
import { createSideCounting } from './serve/side-counts.ts'
import { createFrameDocuments, createFrameNotice, createFrameRenewal } from './shell/frame.ts'
import { createShell } from './shell/response.ts'
import { createTimeTokens } from './time/tokens.ts'
import { createViewer } from './viewer/response.ts'

export interface VisitorDeps {
  pages: Pages
  views: Views
  viewers: Viewers
  operations: readonly VisitorOperation[]
  conversations: readonly Conversation[]
  content: Content
  access: Access
  approvals: Approvals
  analytics: Analytics
  confirmations: Confirmations
  viewerEmails: ViewerEmails
  resolveSession: ResolveSession
  isSessionActive(sessionId: string): Promise<boolean>
  throttles: Throttles
  mailBudget: MailBudget
  database: Database
  secrets: Secrets
  clock: Clock
  log: Log
  assets: Assets
  compressor: Compressor
  bodyReader: BodyReader
  baseUrl: string
  /** An origin for each page, with `{page}` in it. Null: pages share a sandbox on the base host. */
  contentUrl: string | null
  /** The same for the pages that need one, in browsers that reach hosts of `localhost`. */
  localContentUrl: string | null
  /** The number of proxies that are trusted to report the address of a client. */
  trustProxy: number
  /** The address or network that throttles count a request by. */
  addressOf(request: Request): string
}

/** The routes of published pages, and the actions of the links in the mails of gates. */
export function visitorRoutes(deps: VisitorDeps) {
  const { pages, views, content, access, secrets, clock, assets, baseUrl } = deps
  const { viewers, conversations, compressor } = deps
  const nowMs = clock.ms
  const request = createRequestParts(deps)
  const { cookies, gateCookies, visitTokens, viewerTokens, identities, origins, originOf } = request
  const scripts = createInlineScripts(assets)
  const injection = createInjection({
    viewerTokens,
    cookies,
    scripts,
    secrets,
    baseUrl,
    hasPanel: (publishedPage) => conversationsOf(conversations, publishedPage).length > 0,
  })
  const timeTokens = createTimeTokens(viewerTokens)
  const panel = createPanel({
    conversations,
    viewers,
    viewerTokens,
    injection,
    cookies,
    assets,
  })
  const ownerBars = createOwnerBar({ views, scripts, assets, clock, baseUrl })
  const notices = createNotices({ assets, compressor, baseUrl })
  const contentResponses = createContentResponses({
    bodies: createBodies(content),
    injection,
    compressor,
    secrets,
    baseUrl,
  })
  const sideCounting = createSideCounting(deps)
  const answers = createOwnAnswers(baseUrl)
  const showFrameNotice = createFrameNotice({ scripts, baseUrl })
  const visits =
    origins &&
    createVisits({
      ...{ secrets, visitTokens, clock },
      database: deps.database,
      isHttps: origins.isHttps,
    })
  const serve = createServe({
    ...{ pages, views, identities, content: contentResponses, originOf, nowMs },
    viewFacts: createViewFacts(deps),
    readAgent: createAgentReader(),
    visitTokens,
    gates: createVisitorGates({ ...deps, scripts }, request),
    notices,
    frameDocuments: createFrameDocuments({ database: deps.database, clock }),
    showFrameNotice,
    frameRenewal: createFrameRenewal({ visitTokens, scripts, baseUrl }),
    shell: createShell({
      visitTokens,
      secrets,
      scripts,
      injection,
      panel,
      sharedGzip: createSharedGzip(),
      baseUrl,
      timeTokens,
      ownerBars,
    }),
    viewer: createViewer({
      ...{ visitTokens, assets, panel, ownerBars, injection, timeTokens, compressor, baseUrl },
    }),
    viewerRenewal: createViewerRenewal({ conversations, viewers, viewerTokens, cookies }),
    sideCounting,
    sendOn: visits && createSendOn({ visits, cookies }),
  })
  const { host } = new URL(baseUrl)
  const pageIdIn = (host: string | null) => origins?.pageIdIn(host) ?? null
  return {
    serve,
    /** The route of a request for a page, for the log. */
    pageRouteOf: createPageRoute({ pages, pageIdIn }),
    /** The visitor operations of pages and of the panel, by path. */
    operations: visitorOperationPaths(deps.operations, { ...deps, ...request, nowMs }),
    /** Answers requests to the hosts of pages, and null for any other host. */
    serveOrigin:
      origins &&
      visits &&
      originRoutes({
        ...{ origins, pages, visits, visitTokens, answers, baseUrl, nowMs },
        serveVisit: createServeVisit({
          ...{ pages, views, identities, visits, sideCounting, answers, baseUrl },
          showFrameNotice,
          content: contentResponses,
        }),
        serveFrame: (request) => serve(request, true),
        addressOf: deps.addressOf,
      }),
    confirmationActions: {
      ...gateActions({ pages, access, gateCookies, host, nowMs }),
      ...confirmEmailAction({ pages, gateCookies, host, nowMs }),
      ...approvalActions({ pages, approvals: deps.approvals, gateCookies, identities, nowMs }),
    },
  }
}

/** The readers and writers of cookies and tokens in requests. */
function createRequestParts(deps: VisitorDeps) {
  const { access, secrets, baseUrl } = deps
  const isHttps = baseUrl.startsWith('https:')
  const cookies = createCookies(baseUrl)
  const pageCookies = createPageCookies({ secrets, isHttps })
  const gateCookies = createGateCookies({ secrets, pageCookies, isHttps })
  const visitTokens = createVisitTokens({ secrets, pageCookies })
  const identities = createIdentities({
    gateCookies,
    visitTokens,
    isPersonalDomain: access.isPersonalDomain,
    mayHoldOurs: cookies.mayHoldOurs,
    mayHoldSession: cookies.mayHoldSession,
    findSession: deps.resolveSession,
    isSessionLive: deps.isSessionActive,
    readPreview: deps.pages.readPreview,
  })
  const contentUrl = deps.contentUrl ?? deps.localContentUrl
  const origins = contentUrl === null ? null : createOrigins(contentUrl, secrets)
  const knownBrowsers = createKnownBrowsers(secrets, { cookies, baseUrl })
  const viewerTokens = createViewerTokens(secrets)
  return {
    cookies,
    gateCookies,
    knownBrowsers,
    visitTokens,
    viewerTokens,
    identities,
    origins,
    originOf: origins && createOriginOf(deps, origins),
  }
}

type RequestParts = ReturnType<typeof createRequestParts>

function createVisitorGates(
  deps: VisitorDeps & { scripts: InlineScripts },
  { cookies, gateCookies, knownBrowsers }: RequestParts,
) {
  return createGates({
    access: deps.access,
    analytics: deps.analytics,
    confirmations: deps.confirmations,
    pages: deps.pages,
    throttles: deps.throttles,
    mailBudget: deps.mailBudget,
    knownBrowsers,
    secrets: deps.secrets,
    cookies,
    gateCookies,
    assets: deps.assets,
    scripts: deps.scripts,
    baseUrl: deps.baseUrl,
    bodyReader: deps.bodyReader,
    addressOf: deps.addressOf,
    nowMs: deps.clock.ms,
  })
}
