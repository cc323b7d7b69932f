import { create as contentDisposition } from 'content-disposition'
import { admittedEmail } from '../../../features/access/index.ts'
import { downloadName } from '../../../features/content/index.ts'
import type { Links } from '../../../features/links/index.ts'
import {
  type MarkedFile,
  type MarkTexts,
  markTexts,
  type Watermarks,
} from '../../../features/watermarks/index.ts'
import type { Site } from '../../../model/site.ts'
import { slicesInTurns } from '../../../platform/promises.ts'
import type { Services } from '../../../platform/services.ts'
import { buildLargeResponse, buildResponse, namesEtag, textResponse } from '../../kit/response.ts'
import { contentHeaders } from '../request/content-headers.ts'
import type { ContentRequest, MakeAnswer } from '../request/page-request.ts'

export interface MarkedDeps extends Pick<Services, 'database' | 'secrets'> {
  watermarks: Watermarks
  links: Pick<Links, 'labelsOf'>
  site: Site
}

const SMALL_BYTES = 1024 * 1024
/** What the copies that are being sent may take together, however slowly they are read. */
const MAX_SENDING_BYTES = 256 * 1024 * 1024
/** Another form of the marks needs other ETags. */
const FORM = 'marked 1'

/** Answers with the copy of a PDF or an image that says whose it is. No other is ever given. */
export function createMarkedAnswers(deps: MarkedDeps): MakeAnswer {
  const { watermarks, links, site, database, secrets } = deps
  /** The copies that are being sent, with how often. */
  const sending = new Map<Uint8Array, number>()

  async function textsFor({ publishedPage, visitor, nowMs }: ContentRequest): Promise<MarkTexts> {
    const { page, gate } = publishedPage
    const { link_id: id, emails } = visitor
    const labels = id === null ? null : await links.labelsOf(database.read, [id])
    const label = labels?.get(id!)
    const email = admittedEmail(gate, visitor) ?? emails[0] ?? null
    const link = label === undefined ? null : { id: id!, label }
    return markTexts({ email, link }, { title: page.title, host: site.host, nowMs })
  }

  async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    sending.set(bytes, (sending.get(bytes) ?? 0) + 1)
    try {
      yield* slicesInTurns(bytes)
    } finally {
      const others = sending.get(bytes)! - 1
      if (others > 0) sending.set(bytes, others)
      else sending.delete(bytes)
    }
  }

  function isFull(): boolean {
    const sizes = [...sending.keys()].map(({ byteLength }) => byteLength)
    return sizes.reduce((sum, size) => sum + size, 0) > MAX_SENDING_BYTES
  }

  /** @param copy null for a program that has it already */
  function respond(
    { request, publishedPage, resource }: ContentRequest,
    { etag, copy, cookies }: { etag: string; copy: MarkedFile | null; cookies: readonly string[] },
  ): Response | Promise<Response> {
    const { mime, bytes } = copy ?? { mime: resource.file.mime, bytes: null }
    const name = downloadName(publishedPage.release.file_name!, mime)
    const type = resource.kind === 'download' ? 'attachment' : 'inline'
    const headers = {
      ...contentHeaders(publishedPage, mime),
      'content-disposition': contentDisposition(name, { type }),
      'accept-ranges': 'none',
      etag,
    }
    if (bytes === null || bytes.byteLength <= SMALL_BYTES) {
      return buildResponse(request, { headers, etag, cookies, body: bytes })
    }
    const body = { sizeBytes: bytes.byteLength, pieces: () => piecesOf(bytes) }
    return buildLargeResponse(request, { headers, etag, cookies, body })
  }

  return async (contentRequest) => {
    const { request, publishedPage, resource } = contentRequest
    const { id, access_epoch: epoch } = publishedPage.page
    const texts = await textsFor(contentRequest)
    const key = JSON.stringify([FORM, resource.file.hash, texts])
    const etag = `"${secrets.sign('etag', id, String(epoch), key).slice(0, 22)}"`
    const isHeld = namesEtag(request.headers.get('if-none-match') ?? '', etag)
    const copy = isHeld ? null : isFull() ? 'busy' : await watermarks.copyOf(resource.file, texts)
    if (typeof copy !== 'string') {
      return (cookies) => respond(contentRequest, { etag, copy, cookies })
    }
    const isBusy = copy === 'busy'
    const text = isBusy
      ? 'Too many copies are made now: try again later.'
      : 'Each copy of this file says whose it is, and this file cannot be marked: tell its owner.'
    const headers = isBusy ? { 'retry-after': '5' } : {}
    return textResponse(request, { status: isBusy ? 503 : 422, text, headers })
  }
}
