import { create } from 'content-disposition'
import type { Notice } from '../../../features/access/index.ts'
import type { ReleaseFile } from '../../../features/content/index.ts'
import type { PublishedPage } from '../../../features/pages/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Assets } from '../../kit/assets.ts'
import { documentHeaders } from '../../kit/headers.ts'
import { NOTICE_CSP, type NoticeKind, notice, previewStub } from '../../kit/notice.ts'
import { wantsHtml } from '../request/agents.ts'
import { contentHeaders } from '../request/content-headers.ts'
import type { PageRequest } from '../request/page-request.ts'
import { encodePath } from '../request/target.ts'
import type { VisitTokens } from '../request/visit-tokens.ts'
import { createSlotFiller, type Injection, slotIn } from '../responses/injection.ts'
import type { Shell } from '../shell/response.ts'
import { showsShell } from '../shell/select.ts'
import { viewerAnswer } from '../viewer/response.ts'
import { type Bodies, type Body, bodyKey, type HeadTags } from './bodies.ts'
import { bytesResponse, isCopy, storedResponse, wantedRange } from './body-response.ts'
import { createBoundedCache } from './bounded-cache.ts'
import type { Resolved } from './resolve.ts'

export interface ResponderDeps {
  bodies: Bodies
  assets: Assets
  visitTokens: VisitTokens
  secrets: Secrets
  shell: Shell
  injection: Injection
  baseUrl: string
  /** Each page has an origin of its own. */
  hasOrigins: boolean
}

/** Answers kept whole, and what all of them may take of the memory. */
const WHOLE = { itemBytes: 1024 * 1024, allBytes: 32 * 1024 * 1024 }

const STATUS: Record<Notice, number> = { not_published: 404, expired: 410, view_limit: 410 }

/** Made once for each file of a page as it is; the headers are an object that Bun copies fast. */
interface Prepared {
  etag: string
  bodyKey: string
  tags: HeadTags
  /** Where the token of whoever opens it goes, in a page that collects responses. */
  slot: number | null
  headers: Headers
}
type Answer = Response | Promise<Response>

/** What of a file an answer holds: all of it or its beginning, a later part, or nothing. */
export type Part = 'first' | 'later' | 'none'

/** Every answer a visitor can get, each built in one place. */
export function createAnswers(deps: ResponderDeps) {
  const { bodies, assets, visitTokens, secrets, shell, injection, baseUrl, hasOrigins } = deps
  const host = new URL(baseUrl).host
  const fillSlot = createSlotFiller()
  /** A copy of a whole answer costs less than another made of its parts: it shares the bytes. */
  const wholes = createBoundedCache<Prepared, Response>(WHOLE)
  const preparedOf = new WeakMap<PublishedPage, Map<ReleaseFile, Prepared>>()
  const framedOf = new WeakMap<PublishedPage, Map<ReleaseFile, Prepared>>()

  function sheet(status: number, kind: NoticeKind, live?: PublishedPage): Response {
    const { accent, og_title: ogTitle } = live?.page.settings ?? {}
    const body = notice(kind, { host, accent, og_title: ogTitle, assets })
    return new Response(body, { status, headers: documentHeaders(NOTICE_CSP) })
  }

  function findPrepared(
    live: PublishedPage,
    file: ReleaseFile,
    isFramed: boolean,
  ): Prepared | undefined {
    return (isFramed ? framedOf : preparedOf).get(live)?.get(file)
  }

  /** What stays the same until the page changes is worked out once. */
  function prepare(
    live: PublishedPage,
    file: ReleaseFile,
    headHtml = '',
    isFramed = false,
  ): Prepared {
    const known = findPrepared(live, file, isFramed)
    if (known !== undefined) return known
    const { page, max_views: maxViews } = live
    const { og_title: ogTitle, og_description: ogDescription } = page.settings
    const tags = { og_title: ogTitle, og_description: ogDescription, headHtml }
    const key = bodyKey(file, tags)
    const seal = secrets.sign('etag', page.id, String(page.access_epoch), key).slice(0, 22)
    const headers = new Headers({
      ...contentHeaders(page, file.mime, maxViews !== null),
      etag: `"${seal}"`,
      ...(file.html === null && { 'accept-ranges': 'bytes' }),
      ...(live.release!.file_name !== null && {
        'content-disposition': disposition(live.release!.file_name, 'inline'),
      }),
    })
    const slot = slotIn(headHtml, file.html?.head_offset ?? 0)
    const prepared = { etag: `"${seal}"`, bodyKey: key, tags, slot, headers }
    const all = isFramed ? framedOf : preparedOf
    all.set(live, (all.get(live) ?? new Map<ReleaseFile, Prepared>()).set(file, prepared))
    return prepared
  }

  function cookieFor({ live, isLimited, isAdmitted, nowS }: PageRequest, isCounted: boolean) {
    const { kind, file_name: fileName } = live.release!
    const hasMore = kind === 'bundle' || (isLimited && fileName !== null)
    if (!isCounted || isAdmitted || !hasMore) return null
    return visitTokens.visitCookie(live.page, nowS)
  }

  /** Waits only for bytes that are not in memory: a known page is answered at once. */
  function file(opening: PageRequest, file: ReleaseFile, isCounted: boolean): Answer {
    const cookie = cookieFor(opening, isCounted)
    if (showsViewer(opening)) return viewer(opening, file, cookie)
    if (isInShell(opening, file, hasOrigins)) return shell(opening, file, cookie)
    const { live, target } = opening
    const isFramed = target.cap !== null
    const known = findPrepared(live, file, isFramed)
    if (known !== undefined) return own(opening, known, file, cookie)
    return injection
      .tags(live, file, isFramed)
      .then((tags) => own(opening, prepare(live, file, tags, isFramed), file, cookie))
  }

  /** The owner's own bytes. */
  function own(
    opening: PageRequest,
    prepared: Prepared,
    file: ReleaseFile,
    cookie: string | null,
  ): Answer {
    const personal = prepared.slot === null ? null : injection.personal(opening)
    const cookies = [cookie, personal?.cookie ?? null].filter((each) => each !== null)
    if (personal === null && cookies.length === 0 && !isDownload(opening)) {
      return common(opening.request, prepared, file)
    }
    const etag = personal === null ? prepared.etag : `"${personal.mark}${prepared.etag.slice(1)}`
    const headers = varied(prepared.headers, opening, { etag, cookies })
    if (isCopy(opening.request, etag)) return new Response(null, { status: 304, headers })
    return withBody(prepared, file, (body) => {
      const { request } = opening
      if (!(body instanceof Uint8Array)) return storedResponse(request, body, { headers, etag })
      const filled = personal === null ? body : fillSlot(body, prepared.slot!, personal.token)
      return bytesResponse(request, filled, { headers, etag })
    })
  }

  /** As everybody gets them. */
  function common(request: Request, prepared: Prepared, file: ReleaseFile): Answer {
    const { headers, etag } = prepared
    if (isCopy(request, etag)) return new Response(null, { status: 304, headers })
    const isPlain = request.method === 'GET' && !request.headers.has('range')
    const whole = isPlain ? wholes.get(prepared) : undefined
    if (whole !== undefined) return whole.clone()
    return withBody(prepared, file, (body) => {
      if (!(body instanceof Uint8Array)) return storedResponse(request, body, { headers, etag })
      const answer = bytesResponse(request, body, { headers, etag })
      if (!isPlain) return answer
      wholes.put(prepared, answer, body.byteLength)
      return answer.clone()
    })
  }

  function withBody(prepared: Prepared, file: ReleaseFile, send: (body: Body) => Answer): Answer {
    const known = bodies.known(prepared.bodyKey)
    if (known !== undefined) return send(known)
    return bodies.load(prepared.bodyKey, file, prepared.tags).then(send)
  }

  function viewer(opening: PageRequest, file: ReleaseFile, cookie: string | null) {
    const { request, live, grant, nowS } = opening
    const cap = visitTokens.cap(live.page, nowS, grant)
    const fileUrl = `/p/${live.page.slug}/${cap}/${encodePath(file.path)}`
    const isHead = request.method === 'HEAD'
    return viewerAnswer({ live, file, file_url: fileUrl, assets, baseUrl, cookie, isHead })
  }

  /** As the answer will be, whatever the request's headers only seem to ask for. */
  function partOf(opening: PageRequest, resolved: Resolved): Part {
    const { request, live } = opening
    if (resolved.to !== 'file' || resolved.file.html !== null) return 'first'
    if (!request.headers.has('range') || showsViewer(opening)) return 'first'
    const { size_bytes: sizeBytes } = resolved.file
    const range = wantedRange(request, sizeBytes, prepare(live, resolved.file).etag)
    if (range === 'unsatisfiable') return 'none'
    return range !== null && range.start > 0 ? 'later' : 'first'
  }

  return {
    partOf,
    file,
    /** One notice for a slug and for a file that is not there: which of them is not told. */
    notFound: () => sheet(404, 'not_found'),
    notice: (live: PublishedPage, kind: Notice) => sheet(STATUS[kind], kind, live),
    stub({ page }: PublishedPage) {
      const { og_title: ogTitle, og_description: ogDescription } = page.settings
      const url = `${baseUrl}/p/${page.slug}`
      return new Response(
        previewStub({ og_title: ogTitle, og_description: ogDescription, url, host }),
        {
          headers: documentHeaders(NOTICE_CSP),
        },
      )
    },
    redirect(
      { page, max_views: maxViews }: PublishedPage,
      location: string,
      status: 303 | 307 = 307,
    ) {
      const { 'content-type': _, ...headers } = contentHeaders(page, 'text/html', maxViews !== null)
      return new Response(null, { status, headers: { ...headers, location } })
    },
    wrongMethod: () => plain(405, 'Method Not Allowed', { allow: 'GET, HEAD' }),
    noWorkers: () => plain(403, 'Service workers are not served here.'),
    notAhead: () => plain(503, 'Not served ahead of its opening.'),
  }
}
export type Answers = ReturnType<typeof createAnswers>

/** A PDF or image page shows itself to a browser in a document of ours. */
function showsViewer({ request, live, target }: PageRequest): boolean {
  const isFilePage = live.release!.file_name !== null
  return isFilePage && target.cap === null && wantsHtml(request.headers)
}

function isInShell(
  { request, live, target, ownerBar }: PageRequest,
  file: ReleaseFile,
  hasOrigins: boolean,
): boolean {
  const { headers } = request
  const isFramed = target.cap !== null
  const hasOwnerBar = ownerBar !== null
  return showsShell({ headers, live, isFramed, file, hasOwnerBar, hasOrigins })
}

function varied(
  base: Headers,
  opening: PageRequest,
  { etag, cookies }: { etag: string; cookies: string[] },
): Headers {
  const headers = new Headers(base)
  headers.set('etag', etag)
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  if (isDownload(opening)) {
    headers.set('content-disposition', disposition(opening.live.release!.file_name!, 'attachment'))
  }
  return headers
}

/** What the viewer's button asks for, and only where the owner lets it have one. */
function isDownload({ target, live }: PageRequest): boolean {
  const { file_name: fileName } = live.release!
  const asks = target.cap !== null && target.query === '?download' && fileName !== null
  return asks && !live.page.settings.download_disabled
}

function disposition(name: string, type: 'inline' | 'attachment'): string {
  return create(name, { type })
}

function plain(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      ...headers,
    },
  })
}
