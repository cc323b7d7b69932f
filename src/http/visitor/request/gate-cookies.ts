import type { Page } from '../../../model/page/index.ts'
import { parseEmail } from '../../../model/text.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { expiringToken, secondsOf } from '../../../platform/signed-token.ts'
import { cookiesNamed, newBrowser } from '../../kit/cookies.ts'

/**
 * The proof of a visit that was counted, of a password, of whom the owner gave a link, of an
 * accepted agreement, and by which named link the browser came.
 */
export type PageCookieKind = 'visit' | 'pass' | 'person' | 'agreed' | 'link'

export interface PageCookieDeps {
  secrets: Secrets
  isHttps: boolean
}

interface NewCookie {
  /** `v1.{expires}.…`, with the expiry in seconds since the epoch. */
  value: string
  ageS: number
  /** The `Cookie` header of the request. */
  sent: string | null
}

/** How many of these cookies a browser stores for all pages together. */
const MAX_COOKIES = 20
const KEY_CHARS = 11
/** The names of these cookies, whose values have their expiry. */
const OURS =
  /(?:^|;\s*)((?:__Host-)?handbill_(?:visit|pass|person|agreed|link)_[\w-]{11})=v1\.(\d{1,12})\./g

/**
 * Cookies that belong to one page. On https they are `__Host-` cookies, which no other host can
 * set; on http, browsers refuse that prefix. Their path is `/`, since decisions are confirmed
 * outside of the page's path: so a key of the page stands in their name, and a browser that opens
 * many pages loses the oldest.
 */
export function createPageCookies({ secrets, isHttps }: PageCookieDeps) {
  const plainName = (kind: PageCookieKind) => `handbill_${kind}`
  function nameOf(kind: PageCookieKind, { id }: Page): string {
    const key = secrets.sign('page-cookie', id).slice(0, KEY_CHARS)
    return `${isHttps ? '__Host-' : ''}${plainName(kind)}_${key}`
  }

  return {
    /** Whether a `Cookie` header may contain a cookie of this kind, of any page. */
    mayHold: (cookies: string, kind: PageCookieKind) => cookies.includes(plainName(kind)),
    /** All values, for the caller to verify: those of earlier versions have the plain name. */
    valuesOf(cookies: string | null, kind: PageCookieKind, page: Page): string[] {
      if (!cookies?.includes(plainName(kind))) return []
      return [nameOf(kind, page), plainName(kind)].flatMap((name) => cookiesNamed(cookies, name))
    },
    /** The `Set-Cookie` lines that set a new cookie and delete the oldest ones beyond the limit. */
    build(kind: PageCookieKind, page: Page, { value, ageS, sent }: NewCookie): string[] {
      const name = nameOf(kind, page)
      const flags = `HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`
      return [
        `${name}=${value}; Path=/; Max-Age=${ageS}; ${flags}`,
        ...oldestBeyond(sent ?? '', name).map((old) => `${old}=; Path=/; Max-Age=0; ${flags}`),
      ]
    },
  }
}
export type PageCookies = ReturnType<typeof createPageCookies>

/** The names of the cookies to delete before a new one is set: those that expire first. */
function oldestBeyond(sent: string, newName: string): string[] {
  const expiries = new Map<string, number>()
  for (const [, name, expires] of sent.matchAll(OURS)) expiries.set(name!, Number(expires))
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

const EMAIL_S = 30 * 24 * 60 * 60
const PASS_S = 7 * 24 * 60 * 60
const LINK_S = 30 * 24 * 60 * 60
/** A browser may have confirmed several addresses, such as a work and a private one. */
const MAX_EMAILS = 4

export interface GateCookieDeps {
  secrets: Secrets
  pageCookies: PageCookies
  isHttps: boolean
}

export interface GateProofs {
  emails: readonly string[]
  /** Those of them that the owner's word proves, and no mail. */
  handed: readonly string[]
  gave_password: boolean
  agreed_version: number | null
  /** The named link that the browser came by last. It is a name, and opens nothing. */
  link_id: string | null
  /** A random id of the browser, for this page alone; null of cookies that have none. */
  link_browser: string | null
  /** Milliseconds since the epoch. */
  untilMs: number
}

/**
 * Signed cookies with a browser's proofs for gates: confirmed addresses, and entered passwords.
 * They say who a visitor is, not what the visitor may open: the gate decides that at each request.
 */
export function createGateCookies({ secrets, pageCookies, isHttps }: GateCookieDeps) {
  const secure = isHttps ? '; Secure' : ''
  const emailCookie = isHttps ? '__Host-handbill_email' : 'handbill_email'

  const emailTokens = expiringToken(secrets, 'emails', { hasPayload: true })
  const passTokens = expiringToken(secrets, 'pass', { hasPayload: false })
  const agreedTokens = expiringToken(secrets, 'agreed', { hasPayload: false })
  const personTokens = expiringToken(secrets, 'person', { hasPayload: true })
  const linkTokens = expiringToken(secrets, 'link', { hasPayload: true })

  function readEmails(cookies: string, nowMs: number): { emails: string[]; untilMs: number } {
    for (const value of cookiesNamed(cookies, emailCookie)) {
      const token = emailTokens.read([], value, nowMs)
      if (token !== null) {
        return { emails: decodeEmails(token.payload), untilMs: token.expiresS * 1000 }
      }
    }
    return { emails: [], untilMs: Infinity }
  }

  /** @returns until when the entered password counts; null if there is none */
  function readPass(cookies: string, page: Page, nowMs: number): number | null {
    for (const value of pageCookies.valuesOf(cookies, 'pass', page)) {
      const token = passTokens.read(accessOf(page), value, nowMs)
      if (token !== null) return token.expiresS * 1000
    }
    return null
  }

  /** @returns until when the acceptance of the page's agreement counts; null if there is none */
  function readAgreed(cookies: string, page: Page, nowMs: number): number | null {
    if (page.settings.agreement === null) return null
    for (const value of pageCookies.valuesOf(cookies, 'agreed', page)) {
      const token = agreedTokens.read(agreementOf(page), value, nowMs)
      if (token !== null) return token.expiresS * 1000
    }
    return null
  }

  /** The address whose link of this page the owner handed on. It counts on no other page. */
  function readPerson(cookies: string, page: Page, nowMs: number) {
    for (const value of pageCookies.valuesOf(cookies, 'person', page)) {
      const token = personTokens.read([page.id], value, nowMs)
      if (token !== null) {
        return { handed: decodeEmails(token.payload), untilMs: token.expiresS * 1000 }
      }
    }
    return { handed: [], untilMs: Infinity }
  }

  function readLink(cookies: string, page: Page, nowMs: number) {
    for (const value of pageCookies.valuesOf(cookies, 'link', page)) {
      const token = linkTokens.read([page.id], value, nowMs)
      if (token === null) continue
      const [link_id = '', link_browser = null] = token.payload.split('.')
      return { link_id, link_browser, untilMs: token.expiresS * 1000 }
    }
    return { link_id: null, link_browser: null, untilMs: Infinity }
  }

  return {
    /** The proofs in the cookies for the gate of a page, and when the first of them expires. */
    proofsIn(cookies: string, page: Page, nowMs: number): GateProofs {
      const { emails: mailed, untilMs: emailsUntilMs } = readEmails(cookies, nowMs)
      const person = readPerson(cookies, page, nowMs)
      const passUntilMs = readPass(cookies, page, nowMs)
      const agreedUntilMs = readAgreed(cookies, page, nowMs)
      const { untilMs: linkUntilMs, ...link } = readLink(cookies, page, nowMs)
      const pageUntilMs = Math.min(passUntilMs ?? Infinity, agreedUntilMs ?? Infinity)
      const untilMs = Math.min(emailsUntilMs, person.untilMs, pageUntilMs, linkUntilMs)
      const handed = person.handed.filter((email) => !mailed.includes(email))
      const emails = [...mailed, ...handed]
      const gave_password = passUntilMs !== null
      const agreed_version = agreedUntilMs === null ? null : page.settings.agreement!.version
      return { emails, handed, gave_password, agreed_version, ...link, untilMs }
    },
    /** Adds an address to those that the browser has confirmed; the newest come first. */
    emailCookie(cookies: string, email: string, nowMs: number): string {
      const others = readEmails(cookies, nowMs).emails.filter((other) => other !== email)
      const list = encodeEmails([email, ...others].slice(0, MAX_EMAILS))
      const value = emailTokens.make([], secondsOf(nowMs) + EMAIL_S, list)
      return `${emailCookie}=${value}; Path=/; Max-Age=${EMAIL_S}; HttpOnly; SameSite=Lax${secure}`
    },
    /** The `Set-Cookie` lines for an address whose link of this page the owner handed on. */
    personCookies(sent: string, page: Page, email: string, nowMs: number): string[] {
      const value = personTokens.make([page.id], secondsOf(nowMs) + EMAIL_S, encodeEmails([email]))
      return pageCookies.build('person', page, { value, ageS: EMAIL_S, sent })
    },
    /** The `Set-Cookie` lines for a browser that came to the page by a named link. */
    linkCookies(sent: string, page: Page, linkId: string, nowMs: number): string[] {
      const browser = readLink(sent, page, nowMs).link_browser ?? newBrowser()
      const value = linkTokens.make([page.id], secondsOf(nowMs) + LINK_S, `${linkId}.${browser}`)
      return pageCookies.build('link', page, { value, ageS: LINK_S, sent })
    },
    /**
     * The `Set-Cookie` lines for an entered password. The cookie becomes invalid when the password
     * or any other access setting of the page changes.
     */
    passCookies(sent: string, page: Page, nowMs: number): string[] {
      const value = passTokens.make(accessOf(page), secondsOf(nowMs) + PASS_S)
      return pageCookies.build('pass', page, { value, ageS: PASS_S, sent })
    },
    /** The `Set-Cookie` lines for an accepted agreement. A later version of it asks again. */
    agreedCookies(sent: string, page: Page, nowMs: number): string[] {
      const value = agreedTokens.make(agreementOf(page), secondsOf(nowMs) + EMAIL_S)
      return pageCookies.build('agreed', page, { value, ageS: EMAIL_S, sent })
    },
  }
}
export type GateCookies = ReturnType<typeof createGateCookies>

function encodeEmails(emails: string[]): string {
  return Buffer.from(JSON.stringify(emails)).toString('base64url')
}
function decodeEmails(list: string): string[] {
  const emails = JSON.parse(Buffer.from(list, 'base64url').toString()) as string[]
  return emails.filter((email) => parseEmail(email) === email)
}
