const LENGTH = 2048

/**
 * Where to go on to after signing in: a path of ours, or null. Anything that one reader could take
 * for another host is none.
 */
export function safeNext(text: string | null | undefined): string | null {
  if (!text || text.length > LENGTH || !/^\/(app|p\/)/.test(text)) return null
  if (/[\u0000-\u0020\u007f\\]/.test(text) || !text.isWellFormed()) return null
  const url = URL.parse(text, 'http://ours.invalid')
  if (url === null || url.origin !== 'http://ours.invalid') return null
  // Judged once dots are resolved. What is encoded, a later reader may decode.
  if (!/^\/(app(\/|$)|p\/.)/.test(url.pathname)) return null
  if (/\/\/|%(2f|5c|25|0[0-9a-f]|1[0-9a-f]|7f)/i.test(url.pathname)) return null
  if (/^\/app\/(sign-in|sign-out|confirm)/.test(url.pathname)) return null
  return `${url.pathname}${url.search}${url.hash}`
}
