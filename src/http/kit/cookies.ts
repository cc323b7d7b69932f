import type { Secrets } from '../../platform/secrets.ts'

const SESSION_S = 30 * 24 * 60 * 60
/** The longest time that browsers allow: the cookie lets a later response replace an earlier. */
const BROWSER_S = 400 * 24 * 60 * 60
/** Long enough to store a key that was just made, also after a reload. */
const NEW_KEY_S = 15 * 60
const SESSION_TOKEN = /^[\w-]{43}$/
const BROWSER_ID = /^[\w-]{22}$/
const SEALED = /^[\w.-]{40,400}$/
/** How long a link of requests for access lets a browser decide them. */
export const REVIEW_S = 30 * 60
/** Enough time to find a second factor. */
const FLOW_S = 10 * 60
/** It has the path to return to. */
const SEALED_FLOW = /^[\w.-]{40,3600}$/

/** A part of the name of each cookie of ours. */
const OURS = 'handbill_'

/**
 * What the names of our cookies begin with. No other host, not even a subdomain, can set one with
 * `__Host-`; over http, browsers refuse that.
 */
export function cookiePrefix(isHttps: boolean): string {
  return isHttps ? `__Host-${OURS}` : OURS
}

/** Without SameSite, browsers send a new cookie with a form that a sandboxed page posts. */
export function cookieFlags(isHttps: boolean): string {
  return `HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`
}

export function sessionCookieName(baseUrl: string): string {
  return `${cookiePrefix(baseUrl.startsWith('https:'))}session`
}

/** Reads and writes our cookies. */
export function createCookies(baseUrl: string) {
  const isHttps = baseUrl.startsWith('https:')
  const prefix = cookiePrefix(isHttps)
  const build = (name: string, value: string, ageS: number) =>
    `${prefix}${name}=${value}; Max-Age=${ageS}; Path=/; ${cookieFlags(isHttps)}`
  const textOf = (request: Request, name: string, pattern: RegExp) => {
    const value = readCookie(request, `${prefix}${name}`)
    return value !== null && pattern.test(value) ? value : null
  }

  /** The session token of the request. Null if there is none, or if it is malformed. */
  const sessionOf = (request: Request) => textOf(request, 'session', SESSION_TOKEN)
  /** The random id of the browser. Codes, forms and responses are bound to it. */
  const browserOf = (request: Request) => textOf(request, 'browser', BROWSER_ID)
  const browser = (id: string) => build('browser', id, BROWSER_S)

  return {
    sessionOf,
    /** What a session is made of when the browser signs in: its earlier session ends. */
    signInBrowser: (request: Request) => ({
      user_agent: request.headers.get('user-agent'),
      token: sessionOf(request),
    }),
    /** A cheap check for the serving path: whether a `Cookie` header can contain a session. */
    mayHoldSession: (header: string) => header.includes(`${prefix}session=`),
    /** The same for any cookie of ours, of a page or of the service. */
    mayHoldOurs: (header: string) => header.includes(OURS),
    /** The `Set-Cookie` line of a session. */
    session: (token: string) => build('session', token, SESSION_S),
    endSession: () => build('session', '', 0),
    browserOf,
    /** The same, with a new id and its `Set-Cookie` line for a browser that has none. */
    browserFor(request: Request): { id: string; cookie: string | null } {
      const current = browserOf(request)
      const id = current ?? newBrowser()
      return { id, cookie: current === null ? browser(id) : null }
    },
    browser,
    /** A sealed API key that was just made. Its page shows it until the user leaves. */
    newKeyOf: (request: Request) => textOf(request, 'new_key', SEALED),
    newKey: (sealed: string) => build('new_key', sealed, NEW_KEY_S),
    endNewKey: () => build('new_key', '', 0),
    /** The sealed values that bind a sign-in at another provider to this browser. */
    flowOf: (request: Request) => textOf(request, 'flow', SEALED_FLOW),
    flow: (sealed: string) => build('flow', sealed, FLOW_S),
    endFlow: () => build('flow', '', 0),
    /** The sealed right to decide requests for access. */
    reviewOf: (request: Request) => textOf(request, 'review', SEALED),
    review: (sealed: string) => build('review', sealed, REVIEW_S),
    /** The signatures of the addresses that this browser has confirmed. */
    signaturesOf: (request: Request) => textOf(request, 'known', SEALED),
    signatures: (signatures: string) => build('known', signatures, BROWSER_S),
  }
}
export type Cookies = ReturnType<typeof createCookies>

export function newBrowser(): string {
  return crypto.getRandomValues(Buffer.alloc(16)).toString('base64url')
}

/** Null if there is no cookie with this name, or more than one: then one of them is not ours. */
export function readCookie({ headers }: Request, name: string): string | null {
  const values = cookiesNamed(headers.get('cookie'), name)
  return values.length === 1 ? values[0]! : null
}

/** All values of a cookie. There is more than one if another host has set it, too. */
export function cookiesNamed(header: string | null, name: string): string[] {
  const start = `${name}=`
  if (header === null || !header.includes(start)) return []
  return header.split(';').flatMap((pair) => {
    const cookie = pair.trim()
    return cookie.startsWith(start) ? [cookie.slice(start.length)] : []
  })
}

/** A person may use several addresses, such as a work and a private one. */
const MAX_KNOWN = 4

/**
 * Recognizes browsers that confirmed an address before, signed out or not: they have mail budgets
 * that strangers cannot use up. The cookie holds signatures and no address, and it opens nothing.
 */
export function createKnownBrowsers(secrets: Secrets, cookies: Cookies) {
  const signaturesIn = (request: Request) =>
    (cookies.signaturesOf(request) ?? '').split('.').slice(0, MAX_KNOWN)

  return {
    /** Who asks for a mail to an address, as the budget of mails counts it. */
    senderOf(request: Request, email: string) {
      const browser = cookies.browserOf(request)
      const verify = (signature: string) =>
        browser !== null && secrets.verify(signature, 'known-browser', browser, email)
      const isKnownBrowser = signaturesIn(request).some(verify)
      return { email, browser: browser ?? '', isKnownBrowser }
    },
    /** The `Set-Cookie` line that adds an address, for the browser with this id. */
    cookie(request: Request, browser: string, email: string): string {
      const signature = secrets.sign('known-browser', browser, email)
      const others = signaturesIn(request).filter((other) => other !== '' && other !== signature)
      return cookies.signatures([signature, ...others].slice(0, MAX_KNOWN).join('.'))
    },
  }
}
export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>
