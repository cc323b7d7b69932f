import type { LocalContent } from '../../../src/client/content/local-content.ts'
import {
  assertFitsPlan,
  type Content,
  prepareContent,
  uploadAll,
} from '../../../src/client/content/prepare.ts'
import { currentAccount } from '../account.ts'
import { createClient, type Input, type Output, queryClient } from '../api.ts'
import { guardUnsent } from '../unsent.ts'

export type Settings = Omit<
  Input<'createPage'>,
  'html' | 'html_upload' | 'files' | 'assets' | 'file_base64' | 'file_upload' | 'filename'
>
export type PublishResult = Output<'createPage'>

/** The warnings in words, each once, after the file of a deck that it is about. */
export function warningLines(warnings: PublishResult['warnings']): string[] {
  const lines = warnings.map(({ path, message }) => (path ? `${path}: ${message}` : message))
  return [...new Set(lines)]
}

export interface Progress {
  sentBytes: number
  totalBytes: number
}

/** How a sending is stopped, and who hears how far it is. */
export interface Sending {
  signal: AbortSignal
  onProgress(progress: Progress): void
}

/** Of a request without uploads, a small part of the time is spent on sending. */
const INLINE_BYTES = 256 * 1024

/** Makes a page of content. @throws ContentProblem, ApiError, or the reason of the signal */
export async function publish(
  local: LocalContent,
  settings: Settings,
  sending: Sending,
): Promise<PublishResult> {
  const { signal } = sending
  const result = await whileUnsent(async () => {
    const content = await sendContent(local, sending)
    return plainClient.createPage({ ...content, ...settings }, { signal })
  })
  await queryClient.invalidateQueries({ queryKey: ['pages'] })
  return result
}

/**
 * Makes content the draft of a page of its kind.
 *
 * @param ifMatch the ETag that the page must still have
 * @throws ContentProblem, ApiError, or the reason of the signal
 */
export function replaceContent(
  id: string,
  local: LocalContent,
  { ifMatch, ...sending }: Sending & { ifMatch: string | null },
): Promise<Output<'updatePage'>> {
  return whileUnsent(async () => {
    const content = await sendContent(local, sending)
    const options = { signal: sending.signal, ...(ifMatch !== null && { if_match: ifMatch }) }
    return plainClient.updatePage({ id, ...content }, options)
  })
}

/** Imports the pages of an export. Once all of it has been sent, the server goes on by itself. */
export async function importArchive(
  file: File,
  { onProgress, signal }: Sending,
): Promise<Output<'importAccount'>['data']> {
  const { size: totalBytes } = file
  let sentBytes = 0
  const client = clientWith((bytes) => {
    // A browser counts the headers, too.
    sentBytes = Math.min(bytes, totalBytes)
    onProgress({ sentBytes, totalBytes })
  })
  const isUnsent = () => sentBytes < totalBytes
  const send = async () => (await client.importAccount(file, { signal })).data
  return whileUnsent(send, isUnsent)
}

/** Sends something, and lets the browser ask before the document goes meanwhile. */
async function whileUnsent<T>(send: () => Promise<T>, isLostOnUnload = () => true): Promise<T> {
  const stopAsking = guardUnsent(() => ({ isLostOnUnload }))
  try {
    return await send()
  } finally {
    stopAsking()
  }
}

/** What is large is uploaded first. What the plan does not allow is not sent at all. */
function sendContent(local: LocalContent, { signal, onProgress }: Sending): Promise<Content> {
  assertFitsPlan(local, currentAccount())
  const upload = (contents: Blob[]) =>
    uploadAll(contents, {
      async send(content, onSent) {
        const { data } = await clientWith(onSent).createUpload(content, { signal })
        return data.id
      },
      onProgress: (sentBytes, totalBytes) => onProgress({ sentBytes, totalBytes }),
    })
  return prepareContent(local, upload, { inlineBytes: INLINE_BYTES })
}

const plainClient = clientWith(() => undefined)

function clientWith(onSent: (sentBytes: number) => void) {
  return createClient('upload', xhrFetch(onSent))
}

/**
 * `fetch` by XMLHttpRequest, which alone reports how much of a body has been sent.
 *
 * @param onSent called with the bytes of the body that have been sent
 */
function xhrFetch(onSent: (sentBytes: number) => void): typeof fetch {
  const send = (url: string, init: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      const request = new XMLHttpRequest()
      const { signal } = init
      const abort = () => request.abort()
      signal?.throwIfAborted()
      signal?.addEventListener('abort', abort, { once: true })
      request.open(init.method ?? 'GET', url)
      request.responseType = 'arraybuffer'
      new Headers(init.headers).forEach((value, name) => {
        request.setRequestHeader(name, value)
      })
      request.upload.onprogress = ({ loaded }) => onSent(loaded)
      request.onload = () => resolve(responseOf(request))
      request.onerror = () => reject(new TypeError('the connection broke off'))
      request.onabort = () => reject(signal?.reason)
      request.onloadend = () => signal?.removeEventListener('abort', abort)
      request.send(init.body as XMLHttpRequestBodyInit)
    })
  return send as typeof fetch
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const { status, statusText } = request
  const isEmpty = status === 204 || status === 304
  return new Response(isEmpty ? null : request.response, { status, statusText, headers })
}
