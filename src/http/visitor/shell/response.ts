import { randomBytes } from 'node:crypto'
import type { Secrets } from '../../../platform/secrets.ts'
import type { InlineScripts } from '../../kit/inline-scripts.ts'
import { documentResponse } from '../../kit/response.ts'
import type { SharedGzip } from '../../kit/shared-gzip.ts'
import type { OwnerBars } from '../owner-bar/owner-bar.ts'
import type { Panel } from '../panel/panel.ts'
import { SANDBOX_TOKENS } from '../request/content-headers.ts'
import type { ContentRequest } from '../request/page-request.ts'
import { encodePath } from '../request/paths.ts'
import type { VisitTokens } from '../request/visit-tokens.ts'
import type { Injection } from '../responses/injection.ts'
import type { TimeTokens } from '../time/tokens.ts'
import { type ShellFrame, sharedTexts, shellCsp, shellPage } from './document.ts'

export interface ShellDeps {
  visitTokens: VisitTokens
  secrets: Secrets
  scripts: InlineScripts
  injection: Injection
  timeTokens: TimeTokens
  panel: Panel
  ownerBars: OwnerBars
  sharedGzip: SharedGzip
  baseUrl: string
}

/** Responds to a browser that a gate has admitted: the page in a frame of our document. */
export function createShell(deps: ShellDeps) {
  const { visitTokens, secrets, scripts, injection, panel, sharedGzip, baseUrl } = deps
  const { timeTokens, ownerBars } = deps
  const base = new URL(baseUrl)

  function frameOf(
    { publishedPage, target, asked, origin, claims, nowMs }: ContentRequest,
    { token, timeToken, stamp }: Pick<ShellFrame, 'token' | 'timeToken' | 'stamp'>,
  ): ShellFrame {
    const { page, release, files, max_views: maxViews } = publishedPage
    const { file } = asked
    const isSingle = release.kind === 'single'
    // Each document of a page with a view limit has a token of its own, in its path.
    const isAtRoot = origin !== null && maxViews === null
    const framed = [publishedPage, nowMs, claims] as const
    const filesPath = isAtRoot
      ? `/~/frame/${visitTokens.frameToken(...framed)}/`
      : visitTokens.framePath(...framed)
    const onlyPath = isSingle && !isAtRoot ? file.path : ''
    return {
      sandbox: SANDBOX_TOKENS + (origin === null ? '' : ' allow-same-origin'),
      filesUrl: (origin ?? '') + filesPath,
      pagePath: `/p/${page.slug}`,
      renewalUrl: maxViews === null ? '' : `/p/${page.slug}/~/frame`,
      path: encodePath(onlyPath || (target.path ?? '')),
      onlyPath: encodePath(onlyPath),
      paths: origin === null ? [...files.keys()] : [],
      pageKey: secrets.sign('page-key', page.id).slice(0, 22),
      origin: origin ?? 'null',
      ...{ token, timeToken, stamp },
    }
  }

  return async (
    request: Request,
    contentRequest: ContentRequest,
    cookies: readonly string[],
  ): Promise<Response> => {
    const { publishedPage, asked, claims, nowMs } = contentRequest
    const { page, release } = publishedPage
    const { settings } = page
    const isIndexed = settings.indexed && settings.access === 'link'
    const personal = release.collects_responses
      ? injection.personal(request, { publishedPage, claims, nowMs })
      : null
    const browser = personal === null ? undefined : { id: personal.device, cookie: null }
    const panelParts = await panel.of(request, contentRequest, browser)
    const timeToken = timeTokens.of(request, contentRequest)
    const nonce = randomBytes(16).toString('base64')
    const url = `${baseUrl}/p/${page.slug}`
    const parts = {
      ownerBar: await ownerBars.of(contentRequest),
      script: await scripts.text('shell.js'),
      panel: panelParts,
    }
    const body = shellPage({
      ...parts,
      title: asked.file.html?.title ?? page.title ?? base.host,
      nonce,
      accent: settings.accent,
      isIndexed,
      og: { title: settings.og_title, description: settings.og_description, url },
      frame: frameOf(contentRequest, {
        token: personal?.token ?? '',
        timeToken,
        stamp: timeToken === '' ? '' : injection.sourceOf(publishedPage, asked.file),
      }),
    })
    const frameSrc = contentRequest.origin ?? frameSource(request, base, page.slug)
    const response = documentResponse(request, {
      csp: shellCsp(nonce, frameSrc),
      body,
      isIndexed,
      cookies: [...cookies, personal?.cookie, panelParts?.cookie].filter((line) => line != null),
    })
    return sharedGzip.respond(request, response, sharedTexts(parts))
  }
}
export type Shell = ReturnType<typeof createShell>

/**
 * Limits the frame to this page's addresses, so that its script cannot navigate to another page.
 * Behind a proxy that sends another host, the address that the browser uses is not known here.
 */
function frameSource(request: Request, base: URL, slug: string): string {
  const isKnown = new URL(request.url).host === base.host
  return isKnown ? `${base.origin}/p/${slug}/` : "'self'"
}
