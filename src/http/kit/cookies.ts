const SESSION_S = 30 * 24 * 60 * 60
/** As long as browsers keep any cookie: by it a viewer's later response replaces the earlier. */
const BROWSER_S = 400 * 24 * 60 * 60
const TOKEN = /^[\w-]{43}$/
const BROWSER = /^[\w-]{22}$/

export interface Cookies {
  /** The token of a session, or null where there is none in the one right shape. */
  sessionOf(request: Request): string | null
  /** Cheap, for those that ask at every request: whether this header could hold one. */
  mayHoldSession(header: string): boolean
  session(token: string): string
  endSession(): string
  /** The random id of a browser, which binds its codes, its forms and its responses to it. */
  browserOf(request: Request): string | null
  browser(id: string): string
}

/**
 * Our cookies, read and written in one place. On https their names begin with `__Host-`: no other
 * host, subdomains included, can set one of that name.
 */
export function createCookies(baseUrl: string): Cookies {
  const isHttps = baseUrl.startsWith('https:')
  const prefix = isHttps ? '__Host-handbill_' : 'handbill_'
  // SameSite is said, never left to the default: a cookie without it rides on a form that a
  // sandboxed page posts.
  const flags = `Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`
  const build = (name: string, value: string, ageS: number) =>
    `${prefix}${name}=${value}; Max-Age=${ageS}; ${flags}`

  return {
    sessionOf: (request) => shaped(readCookie(request, `${prefix}session`), TOKEN),
    mayHoldSession: (header) => header.includes(`${prefix}session=`),
    session: (token) => build('session', token, SESSION_S),
    endSession: () => build('session', '', 0),
    browserOf: (request) => shaped(readCookie(request, `${prefix}browser`), BROWSER),
    browser: (id) => build('browser', id, BROWSER_S),
  }
}

export function newBrowser(): string {
  return crypto.getRandomValues(Buffer.alloc(16)).toString('base64url')
}

/** Null where there is none, and where there are two: one of them is not ours. */
export function readCookie({ headers }: Request, name: string): string | null {
  const values = cookiesNamed(headers.get('cookie'), name)
  return values.length === 1 ? values[0]! : null
}

/** What a Cookie header holds under this name: more than one value where others set it, too. */
export function cookiesNamed(header: string | null, name: string): string[] {
  const start = `${name}=`
  if (header === null || !header.includes(start)) return []
  return header.split(';').flatMap((pair) => {
    const own = pair.trim()
    return own.startsWith(start) ? [own.slice(start.length)] : []
  })
}

function shaped(value: string | null, shape: RegExp): string | null {
  return value !== null && shape.test(value) ? value : null
}
