import { loadOnce } from '../../platform/load-once.ts'
import { preferredEncoding } from './encodings.ts'
import { type Deflated, deflated, joinGzip } from './gzip-parts.ts'

/**
 * Compresses documents that share their styles and scripts, while the rest is one viewer's. Only
 * the shared parts are compressed, once. That costs a response next to nothing, and its length
 * reveals nothing about the viewer's text but its length.
 */
export function createSharedGzip() {
  const known = new Map<string, () => Promise<Deflated>>()

  function sharedPart(text: string): Promise<Deflated> {
    const found = known.get(text) ?? loadOnce(() => deflated(Buffer.from(text), 9))
    known.set(text, found)
    return found()
  }

  return {
    /**
     * @param response unread, with its whole body in memory
     * @param shared the texts that such documents share, in their order; they stay in memory
     */
    async respond(
      request: Request,
      response: Response,
      shared: readonly string[],
    ): Promise<Response> {
      const { status, headers } = response
      headers.append('vary', 'accept-encoding')
      if (request.method === 'HEAD') headers.delete('content-length')
      const accepted = preferredEncoding(request.headers.get('accept-encoding'), ['gzip'])
      if (accepted === null || response.body === null) return response
      const parts = partsOf(await response.text(), shared)
      const body = joinGzip(
        await Promise.all(parts.map((part) => (part.isShared ? sharedPart(part.text) : part.text))),
      )
      headers.set('content-encoding', accepted)
      return new Response(body as BodyInit, { status, headers })
    },
  }
}
export type SharedGzip = ReturnType<typeof createSharedGzip>

interface Part {
  text: string
  isShared: boolean
}

/** Splits a text at the shared texts. Joined, the parts are the text again. */
function partsOf(text: string, shared: readonly string[]): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const each of shared) {
    const at = text.indexOf(each, from)
    if (at < 0) continue
    parts.push({ text: text.slice(from, at), isShared: false }, { text: each, isShared: true })
    from = at + each.length
  }
  return [...parts, { text: text.slice(from), isShared: false }]
}
