import type { Agreements } from '../../features/agreements/index.ts'
import type { Analytics } from '../../features/analytics/index.ts'
import type { Content } from '../../features/content/index.ts'
import { createHtmlToMarkdown } from '../../features/html-to-markdown/index.ts'
import { createLinkPictures } from '../../features/link-pictures/index.ts'
import type { Links } from '../../features/links/index.ts'
import { createWatermarks } from '../../features/watermarks/index.ts'
import type { VisitorOperation } from '../../model/operation.ts'
import type { Services } from '../../platform/services.ts'
import { createCookies, createKnownBrowsers } from '../kit/cookies.ts'
import { type ConfirmationActionDeps, createConfirmationActions } from './confirmation-actions.ts'
import { createGates, type GateDeps } from './gates/routes.ts'
import { createNamedLinks } from './named-links.ts'
import { visitorOperationRoutes } from './operations/operations.ts'
import { createOwnAnswers } from './origins/answers.ts'
import { createOriginOf, createOrigins } from './origins/hosts.ts'
import { originRoutes } from './origins/routes.ts'
import { createSendOn } from './origins/send-on.ts'
import { createVisits } from './origins/visits.ts'
import { createOwnerBar } from './owner-bar/owner-bar.ts'
import { type ConfirmEmailDeps, confirmEmailRoutes } from './panel/confirm-email.ts'
import { conversationsOf, createPanel, type PanelDeps } from './panel/panel.ts'
import { createPersonalLinkActions } from './personal-links.ts'
import { type AdmitDeps, createAdmit } from './request/admit.ts'
import { createGateCookies, createPageCookies } from './request/gate-cookies.ts'
import { Identities, type IdentityDeps } from './request/identity.ts'
import { createPageRoute } from './request/page-route.ts'
import { createViewerTokens } from './request/viewer-tokens.ts'
import { createVisitTokens } from './request/visit-tokens.ts'
import { createInjection } from './responses/injection.ts'
import { createBodies } from './serve/bodies.ts'
import { type ContentDeps, createContentResponses } from './serve/content.ts'
import { createMarkdownAnswers } from './serve/markdown.ts'
import { createMarkedAnswers } from './serve/marked.ts'
import { createNotices } from './serve/notices.ts'
import { createServeVisit } from './serve/own-host.ts'
import { createPictures } from './serve/pictures.ts'
import { createServe, type ServeDeps } from './serve/serve.ts'
import { createSideCounting } from './serve/side-counts.ts'
import { createFrames } from './shell/frame.ts'
import { createOwnDocuments } from './shell/response.ts'
import { timeRoutes } from './time/routes.ts'

export interface VisitorDeps
  extends Pick<Services, 'database' | 'secrets' | 'threads' | 'clock' | 'log' | 'baseUrl'>,
    Pick<GateDeps, 'pages' | 'access' | 'confirmations' | 'throttles' | 'mailBudget'>,
    Pick<GateDeps, 'assets' | 'checks' | 'site' | 'bodyReader' | 'addressOf'>,
    Pick<AdmitDeps, 'views' | 'viewers'>,
    Pick<IdentityDeps, 'resolveSession' | 'isSessionActive'>,
    Pick<PanelDeps, 'conversations'>,
    Pick<ConfirmEmailDeps, 'viewerEmails'>,
    Pick<ConfirmationActionDeps, 'approvals'>,
    Pick<ContentDeps, 'compressor'>,
    Pick<ServeDeps, 'trustProxy'> {
  links: Links
  operations: readonly VisitorOperation[]
  content: Content
  agreements: Agreements
  analytics: Analytics
  /** An origin for each page, with `{page}` in it. Null: pages share a sandbox on the base host. */
  contentUrl: string | null
  /** The same for the pages that need one, in browsers that reach hosts of `localhost`. */
  localContentUrl: string | null
}

/** The routes of published pages, and the actions of the links in mails about them. */
export function visitorRoutes(deps: VisitorDeps) {
  const { conversations, clock } = deps
  const parts = { ...deps, ...createRequestParts(deps), nowMs: clock.ms }
  const { origins, visitTokens, cookies } = parts
  const injection = createInjection({
    ...parts,
    hasPanel: (publishedPage) => conversationsOf(conversations, publishedPage).length > 0,
  })
  const linkPictures = createLinkPictures({ ...deps, pathOf: deps.assets.path })
  const panel = createPanel({ ...parts, injection })
  const ownerBars = createOwnerBar(parts)
  const content = createContentResponses({
    ...parts,
    bodies: createBodies(deps.content),
    injection,
  })
  const answers = createOwnAnswers(deps.baseUrl, deps.site)
  const frames = createFrames(parts)
  const sideCounting = createSideCounting(deps)
  const visits = origins && createVisits({ ...parts, isHttps: origins.isHttps })
  const notices = createNotices(deps)
  const serve = createServe({
    ...{ ...parts, content, sideCounting, frames, panel, notices },
    gates: createGates({ ...parts, notices }),
    pictures: createPictures({ ...deps, linkPictures }),
    markdown: createMarkdownAnswers({ ...deps, htmlToMarkdown: createHtmlToMarkdown(deps) }),
    marked: createMarkedAnswers({
      ...deps,
      watermarks: createWatermarks({ ...deps, pathOf: deps.assets.path }),
    }),
    documents: createOwnDocuments({ ...parts, injection, panel, ownerBars }),
    sendOn: visits && createSendOn({ visits, cookies }),
  })
  const routeDeps = { ...parts, admit: createAdmit(parts) }
  return {
    serve,
    /** `/l/{token}`. */
    openLink: createNamedLinks({ ...parts, notices }),
    /** The route of a request for a page, for the log. */
    pageRouteOf: createPageRoute({
      pages: deps.pages,
      pageIdIn: (host) => origins?.pageIdIn(host) ?? null,
    }),
    /** The visitor operations of pages and of the panel, by path: of the features, and our own. */
    operations: new Map([
      ...visitorOperationRoutes(deps.operations, routeDeps),
      ...confirmEmailRoutes(routeDeps),
      ...timeRoutes(routeDeps),
    ]),
    /** Answers requests to the hosts of pages, and null for any other host. */
    serveOrigin:
      origins &&
      visits &&
      originRoutes({
        ...{ ...parts, origins, visits, visitTokens, answers },
        serveVisit: createServeVisit({
          ...{ ...parts, visits, sideCounting, answers, content },
          showFrameNotice: frames.notice,
        }),
        serveFrame: (request) => serve(request, true),
      }),
    confirmationActions: {
      ...createConfirmationActions(parts),
      ...createPersonalLinkActions(parts),
    },
  }
}

/** The readers and writers of cookies and tokens in requests. */
function createRequestParts(deps: VisitorDeps) {
  const { secrets, baseUrl } = deps
  const isHttps = baseUrl.startsWith('https:')
  const cookies = createCookies(baseUrl)
  const pageCookies = createPageCookies(secrets, isHttps)
  const gateCookies = createGateCookies({ secrets, pageCookies, isHttps })
  const visitTokens = createVisitTokens({ secrets, pageCookies })
  const contentUrl = deps.contentUrl ?? deps.localContentUrl
  const origins = contentUrl === null ? null : createOrigins(contentUrl, secrets)
  return {
    cookies,
    gateCookies,
    visitTokens,
    knownBrowsers: createKnownBrowsers(secrets, cookies),
    viewerTokens: createViewerTokens(secrets),
    identities: new Identities({ ...deps, cookies, gateCookies, visitTokens }),
    origins,
    originOf: origins && createOriginOf(deps, origins),
  }
}
