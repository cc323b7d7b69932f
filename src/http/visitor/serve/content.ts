import { create as contentDisposition } from 'content-disposition'
import { attachmentName, downloadName, type ReleaseFile } from '../../../features/content/index.ts'
import type { OpenPage } from '../../../features/pages/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { type Encoding, isCompressible, MIN_ENCODED_BYTES } from '../../kit/encodings.ts'
import {
  buildResponse,
  buildStoredResponse,
  buildStreamedResponse,
  isNotModified,
  namesEtag,
  type ResponseParts,
} from '../../kit/response.ts'
import { contentHeaders, ownHostHeaders } from '../request/content-headers.ts'
import type { ContentRequest } from '../request/page-request.ts'
import { attachmentAsked } from '../request/paths.ts'
import {
  createSlotFiller,
  type Delivery,
  type Injection,
  type Personal,
  slotIn,
} from '../responses/injection.ts'
import { type Bodies, type Body, bodyKey, type HeadTags, withText } from './bodies.ts'
import { createEncodedBodies, MAX_ENCODED_SOURCE_BYTES } from './encoded-bodies.ts'
import { createResponseCache } from './response-cache.ts'
import { fillSlottedGzip } from './slotted-gzip.ts'
import {
  createEncodingChoice,
  encodedVariants,
  encodingsOf,
  personalEtag,
  personalVariant,
  type Variant,
} from './variants.ts'

export interface ContentDeps {
  bodies: Bodies
  injection: Injection
  secrets: Secrets
  baseUrl: string
}

/** The data that all responses with a file share until the page changes. */
interface Prepared {
  file: ReleaseFile
  /** The file as it is. */
  unencoded: Variant
  /** The file in each encoding; null for a file that is never compressed. */
  encoded: Readonly<Partial<Record<Encoding, Variant>>> | null
  bodyKey: string
  tags: HeadTags
  /** Where the viewer's token goes, in an HTML file that collects responses. */
  slot: number | null
}
type Files = Map<ReleaseFile, Prepared>

/** One response to be sent. */
interface Sending {
  prepared: Prepared
  personal: Personal | null
  cookies: readonly string[]
  /** Whether the response is the same for every visitor, so that it may be cached. */
  isCacheable: boolean
}

/** Responds with the files that owners have published. */
export function createContentResponses(deps: ContentDeps) {
  const { bodies, injection, secrets, baseUrl } = deps
  const fillSlot = createSlotFiller()
  const caches = [0, 1, 2, 3].map(() => new WeakMap<OpenPage, Files>())
  const preparedFor = ({ isFramed, isOwnHost }: Delivery) =>
    caches[(isFramed ? 1 : 0) + (isOwnHost ? 2 : 0)]!
  const encodedBodies = createEncodedBodies(bodies)
  const responseCache = createResponseCache()
  const encodingFor = createEncodingChoice()

  function prepare(
    publishedPage: OpenPage,
    given: ReleaseFile,
    { headHtml, delivery }: { headHtml: string; delivery: Delivery },
  ): Prepared {
    const { isOwnHost } = delivery
    const file = isOwnHost ? { ...given, ...given.original } : given
    const { page, release } = publishedPage
    const { og_title: ogTitle, og_description: ogDescription } = page.settings
    const tags = { og_title: ogTitle, og_description: ogDescription, headHtml }
    const key = bodyKey(file, tags)
    const signature = secrets.sign('etag', page.id, String(page.access_epoch), key)
    const etag = `"${signature.slice(0, 22)}"`
    const headers = new Headers({
      ...headersOf(publishedPage, file.mime, delivery),
      etag,
      ...(file.html === null && { 'accept-ranges': 'bytes' }),
      ...(release.file_name !== null && {
        'content-disposition': contentDisposition(downloadName(release.file_name, file.mime), {
          type: 'inline',
        }),
      }),
    })
    const slot = slotIn(headHtml, file.html?.head_offset ?? 0)
    const unencoded = { etag, headers }
    const isEncodable = isWorthEncoding(file)
    if (isEncodable) headers.set('vary', 'accept-encoding')
    const encoded = isEncodable ? encodedVariants(unencoded, encodingsOf(slot)) : null
    const prepared = { file, unencoded, encoded, bodyKey: key, tags, slot }
    const pages = preparedFor(delivery)
    const files = pages.get(publishedPage) ?? new Map()
    pages.set(publishedPage, files.set(given, prepared))
    return prepared
  }

  function headersOf(publishedPage: OpenPage, mime: string, delivery: Delivery) {
    if (!delivery.isOwnHost) return contentHeaders(publishedPage, mime)
    const framedBy = delivery.isFramed ? new URL(baseUrl).origin : null
    return ownHostHeaders(publishedPage, { mime, framedBy })
  }

  function send(
    request: Request,
    contentRequest: ContentRequest,
    { prepared, cookies }: { prepared: Prepared; cookies: readonly string[] },
  ): Response | Promise<Response> {
    const { asked } = contentRequest
    const personal = prepared.slot === null ? null : injection.personal(request, contentRequest)
    const isDownload = asked.kind === 'download'
    const isShared = personal === null && cookies.length === 0 && !isDownload
    const isCacheable = isShared && asked.range === null && !request.headers.has('if-none-match')
    const encoding = isDownload ? null : encodingFor(request, prepared)
    const variant = encoding === null ? prepared.unencoded : prepared.encoded![encoding]!
    const cached = isCacheable ? responseCache.get(request.method, variant) : undefined
    if (cached !== undefined) return cached.clone()

    const sending = { prepared, personal, cookies, isCacheable }
    if (encoding !== null && personal !== null) {
      return sendPersonal(request, contentRequest, { ...sending, personal, encoding })
    }
    // A client that has the uncompressed file needs no compressed copy.
    if (encoding === null || isNotModified(request, prepared.unencoded.etag)) {
      return sendUnencoded(request, contentRequest, sending)
    }
    if (isNotModified(request, variant.etag)) {
      return buildResponse(request, { ...variant, body: null, cookies })
    }
    const { bodyKey, file, tags } = prepared
    return encodedBodies.load({ encoding, bodyKey, file, tags, slot: null }).then((body) => {
      if (!(body instanceof Uint8Array)) return sendUnencoded(request, contentRequest, sending)
      return buildShared(request, { ...variant, body, cookies }, isCacheable ? variant : null)
    })
  }

  /** Sends a compressed copy with one viewer's token, which is not compressed itself. */
  async function sendPersonal(
    request: Request,
    contentRequest: ContentRequest,
    sending: Sending & { personal: Personal; encoding: Encoding },
  ): Promise<Response> {
    const { prepared, personal, encoding, cookies } = sending
    const { bodyKey, file, tags, slot, unencoded } = prepared
    if (isNotModified(request, personalEtag(unencoded, personal))) {
      return sendUnencoded(request, contentRequest, sending)
    }
    const variant = personalVariant(prepared.encoded![encoding]!, personal)
    const all = { ...variant, cookies: withCookieOf(personal, cookies) }
    if (isNotModified(request, variant.etag)) return buildResponse(request, { ...all, body: null })
    const body = await encodedBodies.load({ encoding, bodyKey, file, tags, slot })
    if (body === null || body instanceof Uint8Array) {
      return sendUnencoded(request, contentRequest, sending)
    }
    return buildResponse(request, { ...all, body: fillSlottedGzip(body, personal.token) })
  }

  function sendUnencoded(
    request: Request,
    contentRequest: ContentRequest,
    { prepared, personal, cookies, isCacheable }: Sending,
  ): Response | Promise<Response> {
    const { file, slot, unencoded, bodyKey: key, tags } = prepared
    const { asked } = contentRequest
    const savedName = asked.kind === 'download' ? savedNameOf(contentRequest) : null
    const isVariant = personal !== null || savedName !== null
    const { etag, headers } = isVariant ? variantOf(prepared, personal, savedName) : unencoded
    const parts = <T>(body: T): ResponseParts<T> => ({
      body,
      headers,
      etag,
      range: asked.range,
      cookies: withCookieOf(personal, cookies),
    })
    function build(body: Body): Response | Promise<Response> {
      if (!(body instanceof Uint8Array)) {
        if ('open' in body) return buildStoredResponse(request, parts(body))
        const filled = personal === null ? body : withText(body, slot!, personal.token)
        return buildStreamedResponse(request, parts(filled))
      }
      if (personal !== null) {
        return buildResponse(request, parts(fillSlot(body, slot!, personal.token)))
      }
      return buildShared(request, parts(body), isCacheable ? unencoded : null)
    }
    if (isNotModified(request, etag)) return buildResponse(request, parts(null))
    const body = bodies.cached(key)
    if (body !== undefined) return build(body)
    return bodies.load(key, file, tags).then(build)
  }

  /** @param cacheAs null for a response that is not every visitor's */
  function buildShared(
    request: Request,
    parts: ResponseParts<Uint8Array>,
    cacheAs: Variant | null,
  ): Response {
    const response = buildResponse(request, parts)
    if (cacheAs === null) return response
    return responseCache.add(request.method, cacheAs, response, parts.body.byteLength)
  }

  return {
    /**
     * The response to a GET or HEAD of a file, where every visitor gets the same one and it is in
     * memory. It is sent as a clone.
     */
    inMemory(
      request: Request,
      publishedPage: OpenPage,
      { file, delivery }: { file: ReleaseFile; delivery: Delivery },
    ): Response | undefined {
      const prepared = preparedFor(delivery).get(publishedPage)?.get(file)
      if (prepared === undefined || prepared.slot !== null) return undefined
      const { headers, method } = request
      // HTML is sent whole for any range.
      if (file.html === null && headers.has('range')) return undefined
      const encoding = encodingFor(request, prepared)
      const { unencoded, encoded } = prepared
      const variant = encoding === null ? unencoded : encoded![encoding]!
      const condition = headers.get('if-none-match')
      if (condition !== null) {
        if (namesEtag(condition, unencoded.etag)) return responseCache.notModified(unencoded)
        if (namesEtag(condition, variant.etag)) return responseCache.notModified(variant)
      }
      return responseCache.get(method, variant)
    },
    /** The ETag of a file that is no HTML: the same for every visitor. */
    etagOf(publishedPage: OpenPage, file: ReleaseFile, isOwnHost = false): string {
      const delivery = { isFramed: false, isOwnHost }
      const prepared = preparedFor(delivery).get(publishedPage)?.get(file)
      return (prepared ?? prepare(publishedPage, file, { headHtml: '', delivery })).unencoded.etag
    },
    /** Asynchronous only if the bytes are not in memory. */
    respond(request: Request, contentRequest: ContentRequest, cookies: readonly string[]) {
      const { publishedPage, asked, ownHost } = contentRequest
      const { file } = asked
      const isFramed = asked.kind === 'frame' || asked.kind === 'download'
      const delivery = { isFramed, isOwnHost: ownHost !== null }
      const prepared = preparedFor(delivery).get(publishedPage)?.get(file)
      if (prepared !== undefined) return send(request, contentRequest, { prepared, cookies })
      return injection.tags(publishedPage, file, delivery).then((headHtml) => {
        const made = prepare(publishedPage, file, { headHtml, delivery })
        return send(request, contentRequest, { prepared: made, cookies })
      })
    },
  }
}
export type ContentResponses = ReturnType<typeof createContentResponses>

function isWorthEncoding({ mime, size_bytes: sizeBytes }: ReleaseFile): boolean {
  const isSized = sizeBytes >= MIN_ENCODED_BYTES && sizeBytes <= MAX_ENCODED_SOURCE_BYTES
  return isSized && isCompressible(mime)
}

/** The ETag and headers of a copy that is one viewer's, or a download. */
function variantOf(
  { unencoded }: Prepared,
  personal: Personal | null,
  savedName: string | null,
): Variant {
  const { etag, headers } =
    personal === null
      ? { etag: unencoded.etag, headers: new Headers(unencoded.headers) }
      : personalVariant(unencoded, personal)
  if (savedName !== null) {
    headers.set('content-disposition', contentDisposition(savedName, { type: 'attachment' }))
  }
  return { etag, headers }
}

function savedNameOf({ publishedPage, target, asked: { file } }: ContentRequest): string {
  const { file_name: fileName } = publishedPage.release
  if (fileName !== null) return downloadName(fileName, file.mime)
  return attachmentName(attachmentAsked(target.query) ?? '', file.path)
}

function withCookieOf(personal: Personal | null, cookies: readonly string[]): readonly string[] {
  return personal?.cookie ? [...cookies, personal.cookie] : cookies
}
