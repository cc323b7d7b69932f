const MAX_LENGTH = 2048

/**
 * The path to redirect to after sign-in, if it is one of our own; else null. It refuses everything
 * that some parser could read as another host.
 */
export function safeNext(text: string | null | undefined): string | null {
  if (!text || text.length > MAX_LENGTH || !/^\/(app|p\/|oauth\/authorize\?)/.test(text))
    return null
  if (/[\u0000-\u0020\u007f\\]/.test(text) || !text.isWellFormed()) return null
  const url = URL.parse(text, 'http://ours.invalid')
  if (url === null || url.origin !== 'http://ours.invalid') return null
  // `URL` has resolved dot segments. A later reader could decode percent-encoded characters.
  if (!/^\/(app(\/|$)|p\/.|oauth\/authorize$)/.test(url.pathname)) return null
  if (/\/\/|%(2f|5c|25|0[0-9a-f]|1[0-9a-f]|7f)/i.test(url.pathname)) return null
  if (/^\/app\/(sign-in|sign-out|confirm)/.test(url.pathname)) return null
  return `${url.pathname}${url.search}${url.hash}`
}
