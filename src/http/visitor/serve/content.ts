import { create as contentDisposition } from 'content-disposition'
import { LRUCache } from 'lru-cache'
import {
  attachmentName,
  downloadName,
  isUnknownType,
  type ReleaseFile,
  sandboxMime,
} from '../../../features/content/index.ts'
import type { OpenPage } from '../../../features/pages/index.ts'
import { ENTRY_BYTES } from '../../../platform/lru.ts'
import type { Services } from '../../../platform/services.ts'
import {
  type Compressor,
  createEncodedCache,
  MAX_ENCODED_SOURCE_BYTES,
} from '../../kit/compressor.ts'
import {
  ENCODINGS,
  type Encoding,
  FAST_ENCODINGS,
  isCompressible,
  MIN_ENCODED_BYTES,
  preferredEncoding,
} from '../../kit/encodings.ts'
import {
  buildLargeResponse,
  buildResponse,
  etagOfEncoding,
  namesEtag,
  type ResponseParts,
} from '../../kit/response.ts'
import { contentHeaders, ownHostHeaders } from '../request/content-headers.ts'
import type { ContentRequest, ContentResource } from '../request/page-request.ts'
import { attachmentNameIn, pictureOf } from '../request/paths.ts'
import { hostedHeaders } from '../request/static-paths.ts'
import {
  type Delivery,
  type Injection,
  type Personal,
  slotIn,
  withToken,
} from '../responses/injection.ts'
import { type Bodies, type Body, bodyKey, type HeadTags, withText } from './bodies.ts'

/** The largest response that is cached, and the size of all cached responses together. */
const RESPONSE_BYTES = 1024 * 1024
/** What a cached response takes besides its body: its headers, and what `LRUCache` has of it. */
const RESPONSE_ENTRY_BYTES = 2 * ENTRY_BYTES
const RESPONSES_BYTES = 32 * 1024 * 1024
const ENCODED_BYTES = 32 * 1024 * 1024
/** How many `Accept-Encoding` headers are parsed once: browsers send few different ones. */
const MAX_ACCEPTED = 100

export interface ContentDeps extends Pick<Services, 'secrets' | 'baseUrl'> {
  bodies: Bodies
  injection: Injection
  compressor: Compressor
}

/** The ETag and headers of one form of a file. */
interface Variant {
  etag: string
  headers: Headers
}

/** The data that all responses with a file share until the page changes. */
interface Prepared {
  file: ReleaseFile
  /** The file as it is. */
  unencoded: Variant
  /** The file in each encoding; null for a file that is never compressed, or has a slot. */
  encoded: Readonly<Record<Encoding, Variant>> | null
  bodyKey: string
  tags: HeadTags
  /** Where the viewer's token goes, in an HTML file that collects responses. */
  slot: number | null
}
type Files = Map<ReleaseFile, Prepared>

const DELIVERIES: readonly Delivery[] = [
  { isFramed: false, isOwnHost: false, isForAgent: false },
  { isFramed: true, isOwnHost: false, isForAgent: false },
  { isFramed: false, isOwnHost: true, isForAgent: false },
  { isFramed: true, isOwnHost: true, isForAgent: false },
]
const FOR_AGENTS: Delivery = { isFramed: false, isOwnHost: false, isForAgent: true }
const deliveryOf = (isFramed: boolean, isOwnHost: boolean): Delivery =>
  DELIVERIES[(isFramed ? 1 : 0) + (isOwnHost ? 2 : 0)]!

/** Responds with the files that owners have published. */
export function createContentResponses(deps: ContentDeps) {
  const preparedFor = createPreparation(deps)
  const send = createSending(deps)

  return {
    /** The ETag of a file that is no HTML: the same for every visitor. */
    etagOf: (publishedPage: OpenPage, file: ReleaseFile, isOwnHost = false): string =>
      preparedFor(publishedPage, file, deliveryOf(false, isOwnHost)).unencoded.etag,
    /** Asynchronous only if the response is not in memory. */
    respond(contentRequest: ContentRequest, cookies: readonly string[]) {
      const { publishedPage, resource, ownHost, agent, visitor } = contentRequest
      const { file, kind } = resource
      const { plan } = publishedPage
      if (plan.isMarked && !visitor.is_owner) throw new Error('Only a marked copy may be given.')
      const isForAgent = agent.isPreview && kind === 'document' && ownHost === null
      const delivery = isForAgent
        ? FOR_AGENTS
        : deliveryOf(kind === 'frame' || kind === 'download', ownHost !== null)
      const response = send(contentRequest, preparedFor(publishedPage, file, delivery))
      return cookies.length === 0 ? response : withCookies(response, cookies)
    },
  }
}
export type ContentResponses = ReturnType<typeof createContentResponses>

/** Prepares a file once for each state of its page and each delivery. */
function createPreparation({ injection, secrets, baseUrl }: ContentDeps) {
  const caches = new Map(
    [...DELIVERIES, FOR_AGENTS].map((delivery) => [delivery, new WeakMap<OpenPage, Files>()]),
  )

  function prepare(publishedPage: OpenPage, source: ReleaseFile, delivery: Delivery): Prepared {
    const headHtml = injection.tags(publishedPage, source, delivery)
    const file = delivery.isOwnHost ? { ...source, ...source.original } : source
    const { page, release } = publishedPage
    const { og_title: ogTitle, og_description: ogDescription } = page.settings
    const image = delivery.isForAgent ? pictureOf(`${baseUrl}/p/${page.slug}`) : null
    const tags = { og_title: ogTitle, og_description: ogDescription, headHtml, image }
    const key = bodyKey(file, tags)
    const signature = secrets.sign('etag', page.id, String(page.access_epoch), key)
    const etag = `"${signature.slice(0, 22)}"`
    const headers = new Headers({
      ...headersOf(publishedPage, file, delivery),
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
    const isEncodable = slot === null && isWorthEncoding(file)
    // The same address answers with Markdown.
    const isNegotiated = file.html !== null && !delivery.isFramed && !delivery.isOwnHost
    if (isNegotiated) headers.append('vary', 'accept')
    if (isEncodable) headers.append('vary', 'accept-encoding')
    const encoded = isEncodable ? encodedVariants(unencoded) : null
    const prepared = { file, unencoded, encoded, bodyKey: key, tags, slot }
    const pages = caches.get(delivery)!
    const files = pages.get(publishedPage) ?? new Map()
    pages.set(publishedPage, files.set(source, prepared))
    return prepared
  }

  function headersOf(publishedPage: OpenPage, file: ReleaseFile, delivery: Delivery) {
    const { release } = publishedPage
    if (!delivery.isOwnHost) {
      const isSaved = release.kind === 'bundle' && isUnknownType(file.mime)
      const headers = contentHeaders(publishedPage, sandboxMime(file.mime))
      return { ...headers, ...(isSaved && { 'content-disposition': 'attachment' }) }
    }
    const framedBy = delivery.isFramed ? baseUrl : null
    const hosted = hostedHeaders(publishedPage, file, delivery.isFramed)
    const isDocument = file.html !== null
    return ownHostHeaders(publishedPage, { mime: file.mime, framedBy, isDocument, hosted })
  }

  return (publishedPage: OpenPage, file: ReleaseFile, delivery: Delivery): Prepared =>
    caches.get(delivery)!.get(publishedPage)?.get(file) ?? prepare(publishedPage, file, delivery)
}

function createSending({ bodies, injection, compressor }: ContentDeps) {
  const encodedBodies = createEncodedCache(ENCODED_BYTES)
  const responseCache = createResponseCache()
  const encodingFor = createEncodingChoice()

  /** Sends the same response to every visitor, from memory where it is there. */
  function sendShared(
    request: Request,
    prepared: Prepared,
    range: ContentResource['range'],
  ): Response | Promise<Response> {
    const { headers, method } = request
    const { unencoded, encoded, bodyKey: key, file, tags } = prepared
    const encoding = encoded === null ? null : encodingFor(headers)
    const variant = encoding === null ? unencoded : encoded![encoding]
    const condition = headers.get('if-none-match')
    if (condition !== null) {
      // A client that has the uncompressed file needs no compressed copy.
      if (namesEtag(condition, unencoded.etag)) return responseCache.notModified(unencoded)
      if (namesEtag(condition, variant.etag)) return responseCache.notModified(variant)
    }
    const cached = range === null ? responseCache.get(method, variant) : undefined
    if (cached !== undefined) return cached.clone()
    const plain = () =>
      withBody(prepared, (body) => {
        const parts = <T>(of: T) => ({ ...unencoded, body: of, range })
        if (!(body instanceof Uint8Array)) return buildLargeResponse(request, parts(body))
        return cacheShared(request, unencoded, parts(body))
      })
    if (encoding === null) return plain()
    const load = () => bodies.loadBytes(key, file, tags)
    return encodedBodies(key, encoding, load).then((body) =>
      body ? cacheShared(request, variant, { ...variant, body }) : plain(),
    )
  }

  function cacheShared(request: Request, variant: Variant, parts: ResponseParts<Uint8Array>) {
    const response = buildResponse(request, parts)
    if (parts.range != null) return response
    return responseCache.add(request.method, variant, response, parts.body.byteLength)
  }

  /** Sends a response with this visitor's token, or as a download. */
  function sendOwn(
    contentRequest: ContentRequest,
    prepared: Prepared,
  ): Response | Promise<Response> {
    const { slot, unencoded } = prepared
    const { request, resource } = contentRequest
    const personal = slot === null ? null : injection.personal(contentRequest)
    const headers = new Headers(unencoded.headers)
    const etag = personal === null ? unencoded.etag : copyEtag(request, unencoded, personal)
    headers.set('etag', etag)
    if (resource.kind === 'download') {
      const type = { type: 'attachment' } as const
      headers.set('content-disposition', contentDisposition(savedNameOf(contentRequest), type))
    }
    const cookies = personal?.cookie ? [personal.cookie] : []
    const parts = <T>(body: T) => ({ body, headers, etag, range: resource.range, cookies })
    return withBody(prepared, (body) => {
      if (body instanceof Uint8Array) {
        if (personal === null) return buildResponse(request, parts(body))
        const response = buildResponse(request, parts(withToken(body, slot!, personal.token)))
        // The token is another one in each answer, so the length says nothing about it.
        return compressor.respond(request, response)
      }
      const isFilled = personal !== null && !('open' in body)
      const large = isFilled ? withText(body, slot!, personal.token) : body
      return buildLargeResponse(request, parts(large))
    })
  }

  /** Asynchronous only if the bytes are not in memory. */
  function withBody(
    { file, bodyKey: key, tags }: Prepared,
    build: (body: Body) => Response | Promise<Response>,
  ): Response | Promise<Response> {
    const body = bodies.cached(key)
    return body === undefined ? bodies.load(key, file, tags).then(build) : build(body)
  }

  return (contentRequest: ContentRequest, prepared: Prepared) => {
    const { request, resource } = contentRequest
    const isOwn = prepared.slot !== null || resource.kind === 'download'
    if (isOwn) return sendOwn(contentRequest, prepared)
    return sendShared(request, prepared, resource.range)
  }
}

async function withCookies(
  response: Response | Promise<Response>,
  cookies: readonly string[],
): Promise<Response> {
  const { headers } = await response
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return response
}

function isWorthEncoding({ mime, size_bytes: sizeBytes }: ReleaseFile): boolean {
  const isSized = sizeBytes >= MIN_ENCODED_BYTES && sizeBytes <= MAX_ENCODED_SOURCE_BYTES
  return isSized && isCompressible(mime)
}

/** Each encoding has an ETag of its own, and no byte ranges. */
function encodedVariants(unencoded: Variant): Record<Encoding, Variant> {
  const variants = ENCODINGS.map((encoding) => {
    const etag = etagOfEncoding(unencoded.etag, encoding)
    const headers = new Headers(unencoded.headers)
    headers.set('etag', etag)
    headers.set('content-encoding', encoding)
    headers.delete('accept-ranges')
    return [encoding, { etag, headers }]
  })
  return Object.fromEntries(variants)
}

/** The ETag of one viewer's copy. */
function copyEtag(request: Request, { etag }: Variant, { copyId }: Personal): string {
  return heldEtag(request, `"${copyId}${etag.slice(1)}`)
}

/** The ETag of the encoding that a body will be sent in, if the client has that; else its own. */
export function heldEtag({ headers }: Request, plain: string): string {
  const encoding = preferredEncoding(headers.get('accept-encoding'), FAST_ENCODINGS)
  const encoded = encoding === null ? plain : etagOfEncoding(plain, encoding)
  return headers.get('if-none-match')?.includes(encoded) ? encoded : plain
}

function savedNameOf({ publishedPage, target, resource }: ContentRequest): string {
  const { file } = resource
  const { file_name: fileName } = publishedPage.release
  if (fileName !== null) return downloadName(fileName, file.mime)
  return attachmentName(attachmentNameIn(target.query) ?? '', file.path)
}

/** Chooses the encoding of a response; null for the file as it is, as parts of one always are. */
function createEncodingChoice() {
  const encodings = new LRUCache<string, Encoding | 'identity'>({ max: MAX_ACCEPTED })

  return (headers: Headers): Encoding | null => {
    const header = headers.get('accept-encoding')
    if (header === null || headers.has('range')) return null
    let encoding = encodings.get(header)
    if (encoding === undefined) {
      encoding = preferredEncoding(header) ?? 'identity'
      encodings.set(header, encoding)
    }
    return encoding === 'identity' ? null : encoding
  }
}

/**
 * Caches responses that are the same for every visitor. They are sent as clones, which share bytes
 * and headers: 1.3x as many views of a 10 KB page per second of processor time as building
 * each response (wrk, 32 and 256 connections), 1.6x as many of 300 KB.
 */
function createResponseCache() {
  const whole = new LRUCache<Variant, Response>({
    maxSize: RESPONSES_BYTES,
    maxEntrySize: RESPONSE_BYTES + RESPONSE_ENTRY_BYTES,
  })
  /** Responses without a body are cached as long as their variant is in memory. */
  const heads = new WeakMap<Variant, Response>()
  const notModified = new WeakMap<Variant, Response>()

  return {
    /** The response to a GET or HEAD of a complete file. */
    get: (method: string, variant: Variant): Response | undefined =>
      method === 'HEAD' ? heads.get(variant) : whole.get(variant),
    /** @returns a clone to send now */
    add(method: string, variant: Variant, response: Response, sizeBytes: number): Response {
      if (method === 'HEAD') heads.set(variant, response)
      else whole.set(variant, response, { size: sizeBytes + RESPONSE_ENTRY_BYTES })
      return response.clone()
    },
    /** The response to a client that has this variant. */
    notModified(variant: Variant): Response {
      const { headers } = variant
      const response =
        notModified.get(variant) ?? buildResponse(null, { status: 304, headers, body: null })
      notModified.set(variant, response)
      return response.clone()
    },
  }
}
