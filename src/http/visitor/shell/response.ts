import { randomBytes } from 'node:crypto'
import { downloadName } from '../../../features/content/index.ts'
import type { Compressor } from '../../kit/compressor.ts'
import { newBrowser } from '../../kit/cookies.ts'
import { type DocumentParts, documentResponse } from '../../kit/response.ts'
import type { GateDeps } from '../gates/routes.ts'
import type { OwnerBars } from '../owner-bar/owner-bar.ts'
import type { Panel, PanelParts } from '../panel/panel.ts'
import { SANDBOX_TOKENS } from '../request/content-headers.ts'
import type { ContentRequest } from '../request/page-request.ts'
import { encodePath } from '../request/paths.ts'
import { isIsolated } from '../request/static-paths.ts'
import type { ViewerTokens } from '../request/viewer-tokens.ts'
import type { VisitTokens } from '../request/visit-tokens.ts'
import type { Injection } from '../responses/injection.ts'
import { refusesMeasuring } from '../time/routes.ts'
import { type ShellFrame, shellCsp, shellPage } from './document.ts'
import { viewerCsp, viewerPage } from './viewer.ts'

export interface OwnDocumentDeps extends Pick<GateDeps, 'secrets' | 'baseUrl' | 'assets' | 'site'> {
  visitTokens: VisitTokens
  viewerTokens: ViewerTokens
  injection: Injection
  panel: Panel
  ownerBars: OwnerBars
  compressor: Compressor
}

type Cookies = readonly string[]

/** Responds to a browser that a gate has admitted with a document of ours around the page. */
export function createOwnDocuments(deps: OwnDocumentDeps) {
  return {
    /** The page in a frame of our document. */
    shell: respondWithShell.bind(null, deps),
    /** A document around the owner's PDF or image. */
    viewer: respondWithViewer.bind(null, deps),
  }
}
export type OwnDocuments = ReturnType<typeof createOwnDocuments>

async function respondWithShell(
  deps: OwnDocumentDeps,
  contentRequest: ContentRequest,
  cookies: Cookies,
): Promise<Response> {
  const { injection, assets, site, baseUrl } = deps
  const { request, publishedPage, resource, origin } = contentRequest
  const { page, release } = publishedPage
  const personal = release.collects_responses ? injection.personal(contentRequest) : null
  const browser = personal === null ? undefined : { id: personal.device, cookie: null }
  const parts = await partsOf(deps, contentRequest, browser)
  const { nonce, timeToken, stamp, panel, isIndexed } = parts
  const frame = frameOf(deps, contentRequest, { token: personal?.token ?? '', timeToken, stamp })
  const body = shellPage({
    ...parts,
    script: assets.text('shell.js'),
    title: resource.file.html?.title ?? page.title ?? site.host,
    frame,
  })
  return respond(deps, contentRequest, {
    csp: shellCsp(nonce, origin ?? frameSource(request, baseUrl, page.slug)),
    body,
    isIndexed,
    headers: frame.isIsolated ? { 'cross-origin-embedder-policy': 'require-corp' } : {},
    cookies: [...cookies, personal?.cookie, panel?.cookie].filter((line) => line != null),
    panel,
  })
}

async function respondWithViewer(
  deps: OwnDocumentDeps,
  contentRequest: ContentRequest,
  cookies: Cookies,
): Promise<Response> {
  const { assets, visitTokens } = deps
  const { publishedPage, target, resource, claims, nowMs } = contentRequest
  const { page, brand, release, isPreview } = publishedPage
  const { path, mime, size_bytes } = resource.file
  const parts = await partsOf(deps, contentRequest)
  const { nonce, panel, isIndexed } = parts
  const name = release.file_name!
  // The address has a frame token: the viewer's requests need no cookie and count nothing.
  const filesPath = isPreview
    ? `/p/${page.slug}/~${target.frameToken}/`
    : visitTokens.framePath(publishedPage, nowMs, claims)
  const fileUrl = filesPath + encodePath(path)
  const hasDownload = !page.settings.download_disabled && !isPreview
  const body = viewerPage({
    ...parts,
    assets,
    brand,
    title: page.title ?? name,
    file: { name: downloadName(name, mime), mime, size_bytes },
    fileUrl,
    downloadUrl: hasDownload ? `${fileUrl}?download` : null,
  })
  return respond(deps, contentRequest, {
    csp: viewerCsp(nonce),
    body,
    cookies: panel?.cookie ? [...cookies, panel.cookie] : cookies,
    isIndexed,
    isFramed: isPreview,
    panel,
  })
}

/** @param browser the id that the same response gives this browser, where it gives one */
async function partsOf(
  deps: OwnDocumentDeps,
  contentRequest: ContentRequest,
  browser?: { id: string; cookie: null },
) {
  const { publishedPage, resource } = contentRequest
  const { page, gate, brand, isPreview } = publishedPage
  const { og_title, og_description, indexed } = page.settings
  const timeToken = timeTokenOf(deps, contentRequest)
  return {
    accent: brand.accent ?? deps.site.accent,
    nonce: randomBytes(16).toString('base64'),
    isIndexed: indexed && gate.is_open && !isPreview,
    og: { title: og_title, description: og_description, url: `${deps.baseUrl}/p/${page.slug}` },
    timeToken,
    stamp: timeToken === '' ? '' : deps.injection.sourceOf(publishedPage, resource.file),
    panel: await deps.panel.of(contentRequest, browser),
    ownerBar: await deps.ownerBars.of(contentRequest),
  }
}

/**
 * The token by which the time of a counted view is reported; '' for the owner and a browser that
 * asks not to be tracked. It is made from a new random id, so that no cookie is needed.
 */
function timeTokenOf({ viewerTokens }: OwnDocumentDeps, contentRequest: ContentRequest): string {
  const { request, publishedPage, counts, claims, nowMs } = contentRequest
  if (counts !== 'view' || refusesMeasuring(request)) return ''
  return viewerTokens.viewerToken(publishedPage.page, { device: newBrowser(), claims, nowMs })
}

function frameOf(
  { visitTokens, secrets }: OwnDocumentDeps,
  { publishedPage, target, resource, origin, claims, nowMs }: ContentRequest,
  tokens: Pick<ShellFrame, 'token' | 'timeToken' | 'stamp'>,
): ShellFrame {
  const { page, release, files, max_views } = publishedPage
  // Each document of a page with a view limit has a token of its own, in its path.
  const isAtRoot = origin !== null && max_views === null
  const framed = [publishedPage, nowMs, claims] as const
  const filesPath = isAtRoot
    ? `/~/frame/${visitTokens.frameToken(...framed)}/`
    : visitTokens.framePath(...framed)
  const onlyPath = release.kind === 'single' ? resource.file.path : ''
  return {
    sandbox: SANDBOX_TOKENS + (origin === null ? '' : ' allow-same-origin'),
    filesUrl: (origin ?? '') + filesPath,
    pagePath: `/p/${page.slug}`,
    renewalUrl: max_views === null ? '' : `/p/${page.slug}/~/frame`,
    path: encodePath((isAtRoot ? '' : onlyPath) || (target.path ?? '')),
    onlyPath: encodePath(onlyPath),
    paths: origin === null ? [...files.keys()] : [],
    isIsolated: origin !== null && isIsolated(publishedPage),
    pageKey: secrets.sign('page-key', page.id).slice(0, 22),
    origin: origin ?? 'null',
    ...tokens,
  }
}

/** Each document has new tokens. With a panel it has the viewer's own addresses, too. */
function respond(
  { compressor }: OwnDocumentDeps,
  { request }: ContentRequest,
  { panel, ...parts }: DocumentParts & { panel: PanelParts | null },
): Response | Promise<Response> {
  const response = documentResponse(request, parts)
  return panel === null ? compressor.respond(request, response) : response
}

/**
 * Limits the frame to this page's addresses, so that its script cannot navigate to another page.
 * Behind a proxy that sends another host, the address that the browser uses is not known here.
 */
function frameSource(request: Request, baseUrl: string, slug: string): string {
  const isBaseHost = new URL(request.url).host === new URL(baseUrl).host
  return isBaseHost ? `${baseUrl}/p/${slug}/` : "'self'"
}
