/**
 * `fetch` by XMLHttpRequest, which alone reports how much of a body has been sent.
 *
 * @param onSent called with the bytes of the body that have been sent
 */
export function xhrFetch(onSent: (sentBytes: number) => void): typeof fetch {
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
