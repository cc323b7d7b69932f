import type { Proof as ProvedBy } from '../../../model/approval-record.ts'
import type { Page } from '../../../model/page/index.ts'
import { parseEmail } from '../../../model/text.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { expiringToken, secondsOf } from '../../../platform/signed-token.ts'
import { cookieFlags, cookiePrefix, cookiesNamed, newBrowser } from '../../kit/cookies.ts'

/**
 * The proof of a visit that was counted, of a password, of whom the owner gave a link, of an
 * accepted agreement, and by which named link the browser came.
 */
type PageCookieKind = 'visit' | 'pass' | 'person' | 'agreed' | 'link'

interface PageCookieOptions {
  /** What its proof is bound to. */
  subjectOf(page: Page): string[]
  ageS: number
  /** Whether it says more than that it holds. */
  hasPayload: boolean
}

interface Proof {
  payload: string
  untilMs: number
}

/** How many of these cookies a browser stores for all pages together. */
const MAX_COOKIES = 20
const KEY_CHARS = 11
/** The names of these cookies, whose values have their expiry in seconds since the epoch. */
const OURS =
  /(?:^|;\s*)((?:__Host-)?handbill_(?:visit|pass|person|agreed|link)_[\w-]{11})=v1\.(\d{1,12})\./g

/**
 * Signed cookies that belong to one page. Their path is `/`, since decisions are confirmed outside
 * of the page's path: so a key of the page stands in their name, and a browser that opens many
 * pages loses the oldest.
 */
export function createPageCookies(secrets: Secrets, isHttps: boolean) {
  const flags = cookieFlags(isHttps)

  return (kind: PageCookieKind, { subjectOf, ageS, hasPayload }: PageCookieOptions) => {
    const plainName = `handbill_${kind}`
    const tokens = expiringToken(secrets, kind, { hasPayload })
    function nameFor({ id }: Page): string {
      const key = secrets.sign('page-cookie', id).slice(0, KEY_CHARS)
      return `${cookiePrefix(isHttps)}${kind}_${key}`
    }

    return {
      /** The first that holds. Cookies of earlier versions have the plain name. */
      read(cookies: string | null, page: Page, nowMs: number): Proof | null {
        if (!cookies?.includes(plainName)) return null
        const values = [nameFor(page), plainName].flatMap((name) => cookiesNamed(cookies, name))
        return firstProof(values, (value) => tokens.read(subjectOf(page), value, nowMs))
      },
      /** The `Set-Cookie` lines that set a new cookie and delete the oldest beyond the limit. */
      lines(cookies: string | null, page: Page, nowMs: number, payload = ''): string[] {
        const name = nameFor(page)
        const value = tokens.make(subjectOf(page), secondsOf(nowMs) + ageS, payload)
        return [
          `${name}=${value}; Path=/; Max-Age=${ageS}; ${flags}`,
          ...oldestBeyond(cookies ?? '', name).map((old) => `${old}=; Path=/; Max-Age=0; ${flags}`),
        ]
      },
    }
  }
}
export type PageCookies = ReturnType<typeof createPageCookies>

type Token = ReturnType<ReturnType<typeof expiringToken>['read']>

function firstProof(values: readonly string[], read: (value: string) => Token): Proof | null {
  for (const value of values) {
    const token = read(value)
    if (token !== null) return { payload: token.payload, untilMs: token.expiresS * 1000 }
  }
  return null
}

/** The names of the cookies to delete before a new one is set: those that expire first. */
function oldestBeyond(cookies: string, newName: string): string[] {
  const expiries = new Map<string, number>()
  for (const [, name, expires] of cookies.matchAll(OURS)) expiries.set(name!, Number(expires))
  expiries.delete(newName)
  const excess = expiries.size - (MAX_COOKIES - 1)
  if (excess <= 0) return []
  const byExpiry = [...expiries].sort(([, one], [, other]) => one - other)
  return byExpiry.slice(0, excess).map(([name]) => name)
}

/** What a proof for a page is bound to: it ends when any setting of the page's access changes. */
export function accessOf({ id, access_epoch }: Page): string[] {
  return [id, String(access_epoch)]
}

/** What an acceptance is bound to. A change of who may open the page asks nobody again. */
function agreementOf({ id, settings }: Page): string[] {
  return [id, String(settings.agreement!.version)]
}

const idOf = ({ id }: Page): string[] => [id]

const MONTH_S = 30 * 24 * 60 * 60
const PASS_S = 7 * 24 * 60 * 60
/** A browser may have confirmed several addresses, such as a work and a private one. */
const MAX_EMAILS = 4

export interface GateCookieDeps {
  secrets: Secrets
  pageCookies: PageCookies
  isHttps: boolean
}

/**
 * Signed cookies with a browser's proofs for gates: confirmed addresses, and entered passwords.
 * They say who a visitor is, not what the visitor may open: the gate decides that at each request.
 */
export function createGateCookies({ secrets, pageCookies, isHttps }: GateCookieDeps) {
  const emailCookie = `${cookiePrefix(isHttps)}email`
  const emailTokens = expiringToken(secrets, 'emails', { hasPayload: true })
  const pass = pageCookies('pass', { subjectOf: accessOf, ageS: PASS_S, hasPayload: false })
  const agreed = pageCookies('agreed', { subjectOf: agreementOf, ageS: MONTH_S, hasPayload: false })
  const person = pageCookies('person', { subjectOf: idOf, ageS: MONTH_S, hasPayload: true })
  const link = pageCookies('link', { subjectOf: idOf, ageS: MONTH_S, hasPayload: true })

  function readEmails(cookies: string | null, nowMs: number): Proof | null {
    return firstProof(cookiesNamed(cookies, emailCookie), (value) =>
      emailTokens.read([], value, nowMs),
    )
  }

  /** The proofs in the cookies for the gate of a page, and when the first of them expires. */
  function proofsIn(cookies: string | null, page: Page, nowMs: number) {
    const { agreement } = page.settings
    const byMail = readEmails(cookies, nowMs)
    const byOwner = person.read(cookies, page, nowMs)
    const password = pass.read(cookies, page, nowMs)
    const acceptance = agreement && agreed.read(cookies, page, nowMs)
    const byLink = link.read(cookies, page, nowMs)
    const all = [byMail, byOwner, password, acceptance, byLink]
    const mailed = decodeEmails(byMail)
    const handed = decodeEmails(byOwner).filter((email) => !mailed.includes(email))
    const [link_id = null, link_browser = null] = byLink?.payload.split('.') ?? []
    return {
      emails: [...mailed, ...handed],
      /** Those that the owner's word proves, and no mail. They count on no other page. */
      handed,
      gave_password: password !== null,
      agreed_version: acceptance && agreement!.version,
      /** The named link that the browser came by last. It is a name, and opens nothing. */
      link_id,
      /** A random id of the browser, for this page alone; null of cookies that have none. */
      link_browser,
      untilMs: Math.min(...all.map((proof) => proof?.untilMs ?? Infinity)),
    }
  }

  return {
    proofsIn,
    /** By what the browser knows an address: a mail, or a link that the owner handed on. */
    proofOf({ headers }: Request, page: Page, email: string | null, nowMs: number): ProvedBy {
      const { handed } = proofsIn(headers.get('cookie'), page, nowMs)
      return email !== null && handed.includes(email) ? 'owner_link' : 'mail'
    },
    /** Adds an address to those that the browser has confirmed; the newest come first. */
    emailCookie({ headers }: Request, email: string, nowMs: number): string {
      const earlier = decodeEmails(readEmails(headers.get('cookie'), nowMs))
      const others = earlier.filter((other) => other !== email)
      const list = encodeEmails([email, ...others].slice(0, MAX_EMAILS))
      const value = emailTokens.make([], secondsOf(nowMs) + MONTH_S, list)
      return `${emailCookie}=${value}; Path=/; Max-Age=${MONTH_S}; ${cookieFlags(isHttps)}`
    },
    /** The `Set-Cookie` lines for an address whose link of this page the owner handed on. */
    personCookies: ({ headers }: Request, page: Page, email: string, nowMs: number) =>
      person.lines(headers.get('cookie'), page, nowMs, encodeEmails([email])),
    /** The `Set-Cookie` lines for a browser that came to the page by a named link. */
    linkCookies({ headers }: Request, page: Page, linkId: string, nowMs: number): string[] {
      const cookies = headers.get('cookie')
      const [, browser = newBrowser()] = link.read(cookies, page, nowMs)?.payload.split('.') ?? []
      return link.lines(cookies, page, nowMs, `${linkId}.${browser}`)
    },
    /**
     * The `Set-Cookie` lines for an entered password. The cookie becomes invalid when the password
     * or any other access setting of the page changes.
     */
    passCookies: ({ headers }: Request, page: Page, nowMs: number) =>
      pass.lines(headers.get('cookie'), page, nowMs),
    /** The `Set-Cookie` lines for an accepted agreement. A later version of it asks again. */
    agreedCookies: ({ headers }: Request, page: Page, nowMs: number) =>
      agreed.lines(headers.get('cookie'), page, nowMs),
  }
}
export type GateCookies = ReturnType<typeof createGateCookies>

function encodeEmails(emails: string[]): string {
  return Buffer.from(JSON.stringify(emails)).toString('base64url')
}
function decodeEmails(proof: Proof | null): string[] {
  if (proof === null) return []
  const emails = JSON.parse(Buffer.from(proof.payload, 'base64url').toString()) as string[]
  return emails.filter((email) => parseEmail(email) === email)
}
