import { randomBytes } from 'node:crypto'
import type { ReleaseFile } from '../../../features/content/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Admission } from '../request/visit-tokens.ts'
import { documentHeaders, SANDBOX_TOKENS } from '../request/content-headers.ts'
import type { Opening } from '../request/page-request.ts'
import type { Origins } from '../origins/hosts.ts'
import type { Injection } from '../responses/injection.ts'
import { encodePath } from '../request/target.ts'
import { shellCsp, shellPage } from './document.ts'
import type { ShellScripts } from './scripts.ts'

export interface ShellMachines {
  admission: Admission
  secrets: Secrets
  scripts: ShellScripts
  injection: Injection
  base_url: string
  /** Null where pages have no origins of their own. */
  origins: Origins | null
}

/** The page in our shell, for a browser that a gate has let through. */
export function createShell(machines: ShellMachines) {
  const { admission, secrets, scripts, injection, base_url, origins } = machines
  const base = new URL(base_url)

  function frameOf({ live, target, grant, now_s }: Opening, file: ReleaseFile, token: string) {
    const { page, release } = live
    const page_path = `/p/${page.slug}`
    const is_single = release!.kind === 'single'
    const origin = origins?.of(page)
    return {
      sandbox: SANDBOX_TOKENS + (origin === undefined ? '' : ' allow-same-origin'),
      files_url: `${origin ?? ''}${page_path}/${admission.cap(page, now_s, grant)}/`,
      page_path,
      path: encodePath(is_single ? file.path : target.path!),
      only_path: is_single ? encodePath(file.path) : '',
      page_key: secrets.sign('page-key', page.id).slice(0, 22),
      origin: origin ?? 'null',
      token,
    }
  }

  return async function shell(
    opening: Opening,
    file: ReleaseFile,
    cookie: string | null,
  ): Promise<Response> {
    const { request, live, owner_bar } = opening
    const { page } = live
    const { accent, og_title, og_description, indexed, access } = page.settings
    const is_listed = indexed && access === 'link'
    const personal = live.release!.collects_responses ? injection.personal(opening) : null
    const cookies = [cookie, personal?.cookie ?? null].filter((each) => each !== null)
    const nonce = randomBytes(16).toString('base64')
    const body = shellPage({
      title: file.html?.title ?? page.title ?? base.host,
      nonce,
      accent,
      is_listed,
      og: { title: og_title, description: og_description, url: `${base_url}/p/${page.slug}` },
      frame: frameOf(opening, file, personal?.token ?? ''),
      owner_bar,
      script: await scripts.shell(),
    })
    const frame_src = origins?.of(page) ?? frameSource(request, base, page.slug)
    const csp = shellCsp(nonce, frame_src)
    const { 'x-robots-tag': robots, ...headers } = documentHeaders(csp)
    const answer = new Response(request.method === 'HEAD' ? null : body, {
      headers: { ...headers, ...(!is_listed && { 'x-robots-tag': robots! }) },
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
  const is_known = new URL(request.url).host === base.host
  return is_known ? `${base.origin}/p/${slug}/` : "'self'"
}
