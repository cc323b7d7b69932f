import { randomBytes } from 'node:crypto'
import type { ReleaseFile } from '../../../features/content/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { documentHeaders } from '../../kit/headers.ts'
import type { Origins } from '../origins/hosts.ts'
import { SANDBOX_TOKENS } from '../request/content-headers.ts'
import type { PageRequest } from '../request/page-request.ts'
import { encodePath } from '../request/target.ts'
import type { VisitTokens } from '../request/visit-tokens.ts'
import type { Injection } from '../responses/injection.ts'
import { shellCsp, shellPage } from './document.ts'
import type { ShellScripts } from './scripts.ts'

export interface ShellDeps {
  visitTokens: VisitTokens
  secrets: Secrets
  scripts: ShellScripts
  injection: Injection
  baseUrl: string
  /** Null where pages have no origins of their own. */
  origins: Origins | null
}

/** The page in our shell, for a browser that a gate has let through. */
export function createShell(deps: ShellDeps) {
  const { visitTokens, secrets, scripts, injection, baseUrl, origins } = deps
  const base = new URL(baseUrl)

  function frameOf({ live, target, grant, nowS }: PageRequest, file: ReleaseFile, token: string) {
    const { page, release } = live
    const pagePath = `/p/${page.slug}`
    const isSingle = release!.kind === 'single'
    const origin = origins?.of(page)
    return {
      sandbox: SANDBOX_TOKENS + (origin === undefined ? '' : ' allow-same-origin'),
      filesUrl: `${origin ?? ''}${pagePath}/${visitTokens.cap(page, nowS, grant)}/`,
      pagePath,
      path: encodePath(isSingle ? file.path : target.path!),
      onlyPath: isSingle ? encodePath(file.path) : '',
      pageKey: secrets.sign('page-key', page.id).slice(0, 22),
      origin: origin ?? 'null',
      token,
    }
  }

  return async function shell(
    opening: PageRequest,
    file: ReleaseFile,
    cookie: string | null,
  ): Promise<Response> {
    const { request, live, ownerBar } = opening
    const { page } = live
    const {
      accent,
      og_title: ogTitle,
      og_description: ogDescription,
      indexed,
      access,
    } = page.settings
    const isListed = indexed && access === 'link'
    const personal = live.release!.collects_responses ? injection.personal(opening) : null
    const cookies = [cookie, personal?.cookie ?? null].filter((each) => each !== null)
    const nonce = randomBytes(16).toString('base64')
    const body = shellPage({
      title: file.html?.title ?? page.title ?? base.host,
      nonce,
      accent,
      is_listed: isListed,
      og: { title: ogTitle, description: ogDescription, url: `${baseUrl}/p/${page.slug}` },
      frame: frameOf(opening, file, personal?.token ?? ''),
      ownerBar,
      script: await scripts.shell(),
    })
    const frameSrc = origins?.of(page) ?? frameSource(request, base, page.slug)
    const csp = shellCsp(nonce, frameSrc)
    const { 'x-robots-tag': robots, ...headers } = documentHeaders(csp)
    const answer = new Response(request.method === 'HEAD' ? null : body, {
      headers: { ...headers, ...(!isListed && { 'x-robots-tag': robots! }) },
    })
    for (const each of cookies) answer.headers.append('set-cookie', each)
    return answer
  }
}
export type Shell = ReturnType<typeof createShell>

/**
 * This page's addresses alone: its script cannot lead the frame to anybody else's page. Behind a
 * proxy that names another host, the address that the browser knows is not known here.
 */
function frameSource(request: Request, base: URL, slug: string): string {
  const isKnown = new URL(request.url).host === base.host
  return isKnown ? `${base.origin}/p/${slug}/` : "'self'"
}
