import { type MessageOf, readMessage } from '../frame-message.ts'
import type { Post } from './connection.ts'
import { FILES, isForeign, ownPath } from './location.ts'

/** Whether the server has sent our script alone, because it gave this document before. */
export function isGivenBefore(): boolean {
  return document.documentElement.dataset.handbill === 'given'
}

/**
 * Asks the shell for a new address of the page's files, and loads this document from it.
 * @param post null in a nested frame, which asks through the document around it
 */
export function renewAddress(post: Post | null): void {
  const path = ownPath(new URL(location.href)) ?? ''
  requestFiles(post, (url) => location.replace(url + path))
}

/** Forwards the requests of nested frames. @returns the paths that their documents know */
export function forwardRenewals(post: Post | null): ReadonlySet<string> {
  const known = new Set([FILES!])
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = readMessage(event.data, 'relay-renew')
    const sender = event.source as Window | null
    if (message === null || !known.has(message.files) || sender?.parent !== window) return
    if (isForeign(event)) return
    event.stopImmediatePropagation()
    const [answerPort] = event.ports
    requestFiles(post, (url) => {
      const pathname = URL.parse(url, location.origin)?.pathname
      if (pathname !== undefined) known.add(pathname)
      answerPort?.postMessage({ type: 'files', url } satisfies MessageOf<'files'>)
    })
  })
  return known
}

function requestFiles(post: Post | null, use: (url: string) => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }: MessageEvent<unknown>) => {
    const answer = readMessage(data, 'files')
    if (answer === null) return
    port1.close()
    use(answer.url)
  }
  if (post) post({ type: 'renew' }, [port2])
  else window.parent.postMessage({ type: 'relay-renew', files: FILES }, '*', [port2])
}
