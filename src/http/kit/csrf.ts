import { refuse } from '../../model/errors.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Services } from '../../platform/services.ts'

export interface WriteClaim extends Pick<Services, 'secrets' | 'baseUrl'> {
  /** The browser id in the request's cookie. */
  browser: string | null
  /** The hidden field of the form. */
  token: string | null
  /** What the form does, such as `sign-out ses_…`. A token is valid for one action alone. */
  action: string
}

/**
 * Refuses a write with cookies unless a form of ours sent it, from the browser it was made for.
 *
 * @throws Refusal `forbidden`
 */
export function assertTrustedWrite(request: Request, claim: WriteClaim): void {
  assertOwnOrigin(request, claim.baseUrl)
  const { secrets, browser, token, action } = claim
  if (browser === null || token === null || !secrets.verify(token, 'form', browser, action)) {
    throw refuse.forbidden(
      'stale_form',
      'This form is old, or your browser sent no cookie back. Try once more.',
    )
  }
}

/** Makes the hidden field of a form. */
export function formToken(secrets: Secrets, browser: string, action: string): string {
  return secrets.sign('form', browser, action)
}

/**
 * Refuses a write that no page of ours sent.
 *
 * @throws Refusal `forbidden`
 */
export function assertOwnOrigin(request: Request, baseUrl: string): void {
  if (isOwnOrigin(request, baseUrl)) return
  throw refuse.forbidden('foreign_origin', `Only pages of ${baseUrl} may send this.`)
}

/**
 * Whether a page of ours or a program sent the write. Browsers name the origin of a write: that of
 * a published page is `null` or another site. A program names none, and has only the cookies it was
 * given.
 */
export function isOwnOrigin({ headers }: Request, baseUrl: string): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isOwn = origin === null ? isProgram(headers) : origin === baseUrl
  return isOwn && (site === null || site === 'same-origin')
}

/**
 * The origin of a page that this server sent to the browser under the name it was asked by, which
 * need not be that of the base URL; null for any other. An attacker's name may resolve to this
 * server, so this is only for writes that a secret in their address authorizes, without cookies.
 */
export function originAtSameHost({ headers }: Request): string | null {
  const [origin, site] = [headers.get('origin'), headers.get('sec-fetch-site')]
  if (origin === null || !URL.canParse(origin) || (site !== null && site !== 'same-origin')) {
    return null
  }
  return new URL(origin).host === headers.get('host') ? origin : null
}

/**
 * Whether the request was sent to the host of the base URL. Another host name that resolves to this
 * server would otherwise give its pages our origin.
 */
export function isOwnHost(request: Request, baseUrl: string): boolean {
  const { host } = new URL(baseUrl)
  const hosts = [request.headers.get('host'), new URL(request.url).host]
  return hosts.every((name) => name === null || withoutDefaultPort(name, baseUrl) === host)
}

function withoutDefaultPort(host: string, baseUrl: string): string {
  const port = baseUrl.startsWith('https:') ? ':443' : ':80'
  const lower = host.toLowerCase()
  return lower.endsWith(port) ? lower.slice(0, -port.length) : lower
}

function isProgram(headers: Headers): boolean {
  const saysFetch = [...headers.keys()].some((name) => name.startsWith('sec-fetch-'))
  return !saysFetch && !/^\s*mozilla/i.test(headers.get('user-agent') ?? '')
}

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
