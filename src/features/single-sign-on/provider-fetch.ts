import { isLoopback } from '../../platform/config-readers.ts'

/** The size limit. Discovery documents and key sets have some kilobytes. */
const MAX_BYTES = 512 * 1024

/** The provider does not answer, or a proxy answers in its place. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

export type Fetch = (url: string, options: RequestInit) => Promise<Response>

/**
 * Refuses URLs without https, except for a provider on this machine.
 *
 * @param url as the discovery document has it
 */
export function assertProviderUrl(issuer: string, url: string | undefined): void {
  const target = URL.parse(url ?? '')
  const isHere = (at: URL) => at.protocol === 'http:' && isLoopback(at.hostname)
  if (target?.protocol === 'https:') return
  if (target && isHere(target) && isHere(new URL(issuer))) return
  throw new Error(`The provider names an address that is not https: ${url}`)
}

/**
 * Fetches from the provider that the operator has configured, also on a private network. The
 * addresses are those of the discovery document, which TLS authenticates. Redirects are not
 * followed; time and size are limited.
 */
export function createProviderFetch(issuer: string, timeoutMs: number): Fetch {
  return async (url, options) => {
    assertProviderUrl(issuer, url)
    const signal = AbortSignal.timeout(timeoutMs)
    const { status, headers, body } = await sent(url, { ...options, signal, redirect: 'manual' })
    if (status >= 500) throw new Unreachable(`${url} answered ${status}.`)
    const bytes = body === null ? null : await readWithin(body, signal)
    return new Response(bytes, { status, headers })
  }
}

async function sent(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options)
  } catch (cause) {
    throw new Unreachable(`${url} does not answer.`, { cause })
  }
}

async function readWithin(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  const stop = () => reader.cancel().catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  const pieces: Uint8Array[] = []
  try {
    for (let size = 0; ; ) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.byteLength
      if (size > MAX_BYTES) throw new Error('The provider answers with too many bytes.')
      pieces.push(value)
    }
  } catch (cause) {
    if (signal.aborted) throw new Unreachable('The answer stops in its middle.', { cause })
    throw cause
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
  if (signal.aborted) throw new Unreachable('The answer takes too long.')
  return new Uint8Array(Buffer.concat(pieces))
}
