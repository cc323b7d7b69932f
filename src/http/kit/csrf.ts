import { refuse } from '../../model/errors.ts'
import type { Secrets } from '../../platform/secrets.ts'

export interface WriteClaim {
  secrets: Secrets
  baseUrl: string
  /** Of the cookie of the browser that asks. */
  browser: string | null
  /** What the form says this browser was given for it. */
  token: string | null
  /** What the form does, such as `sign-out ses_…`: a token for one thing is good for no other. */
  what: string
}

/**
 * A write that a cookie carries must come from a page of ours, in the browser it was made for.
 *
 * @throws Refusal `forbidden`
 */
export function assertTrustedWrite(request: Request, claim: WriteClaim): void {
  assertOwnOrigin(request, claim.baseUrl)
  const { secrets, browser, token, what } = claim
  if (browser === null || token === null || !secrets.verify(token, 'form', browser, what)) {
    throw refuse.forbidden(
      'stale_form',
      'This form is old, or your browser sent no cookie back. Try once more.',
    )
  }
}

/** Goes into the form as a hidden field. */
export function formToken(secrets: Secrets, browser: string, what: string): string {
  return secrets.sign('form', browser, what)
}

/**
 * Browsers say where a write comes from; published pages are `null` or another site. A program says
 * nothing, and holds no cookies that it was not given.
 *
 * @throws Refusal `forbidden`
 */
export function assertOwnOrigin(request: Request, baseUrl: string): void {
  const { headers } = request
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const isOwn = origin === null ? isProgram(headers) : origin === new URL(baseUrl).origin
  if (isOwn && (site === null || site === 'same-origin')) return
  throw refuse.forbidden('foreign_origin', `Only pages of ${baseUrl} may send this.`)
}

/**
 * Whether a request was sent to the address we are configured to be. A name of somebody else's that
 * resolves here would make their page one of our origin.
 */
export function isOwnHost(request: Request, baseUrl: string): boolean {
  const { host } = new URL(baseUrl)
  const named = [request.headers.get('host'), new URL(request.url).host]
  return named.every((name) => name === null || withoutDefaultPort(name, baseUrl) === host)
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
