import { LRUCache } from 'lru-cache'
import type { Page } from '../../../model/page/index.ts'
import { parseEmail } from '../../../model/text.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { cookiesNamed } from '../../kit/cookies.ts'
import type { PageCookies } from './page-cookies.ts'

const EMAIL_S = 30 * 24 * 60 * 60
const PASS_S = 7 * 24 * 60 * 60
/** A browser may have confirmed several addresses, such as a work and a private one. */
const MAX_EMAILS = 4
const MAX_VERIFIED = 10_000

export interface GateCookieDeps {
  secrets: Secrets
  pageCookies: PageCookies
  isHttps: boolean
}

/**
 * Signed cookies with what a browser has proved to gates: confirmed addresses, and passwords given.
 * They say who a visitor is, never what the visitor may open: the gate decides that at each
 * request.
 */
export function createGateCookies({ secrets, pageCookies, isHttps }: GateCookieDeps) {
  const secure = isHttps ? '; Secure' : ''
  const emailCookie = isHttps ? '__Host-handbill_email' : 'handbill_email'
  /** Cookies whose signature was valid: a look-up takes 0.7 µs, a verification 7.5 µs. */
  const verified = new LRUCache<string, true>({ max: MAX_VERIFIED })

  function readEmails(cookies: string, nowMs: number): string[] {
    for (const value of cookiesNamed(cookies, emailCookie)) {
      const [version, expires, list = '', signature = ''] = value.split('.')
      if (version !== 'v1' || Number(expires) * 1000 <= nowMs) continue
      if (secrets.verify(signature, 'emails', String(expires), list)) return decodeEmails(list)
    }
    return []
  }

  return {
    /** Whether a Cookie header may hold one of these cookies. */
    mayHoldProof: (cookies: string) =>
      cookies.includes(emailCookie) || pageCookies.mayHold(cookies, 'pass'),
    emailsIn: readEmails,
    /** Adds an address to those that the browser has confirmed; the newest come first. */
    emailCookie(cookies: string, email: string, nowMs: number): string {
      const others = readEmails(cookies, nowMs).filter((other) => other !== email)
      const list = encodeEmails([email, ...others].slice(0, MAX_EMAILS))
      const expires = expiryOf(nowMs, EMAIL_S)
      const value = `v1.${expires}.${list}.${secrets.sign('emails', expires, list)}`
      return `${emailCookie}=${value}; Path=/; Max-Age=${EMAIL_S}; HttpOnly; SameSite=Lax${secure}`
    },
    /**
     * The `Set-Cookie` lines for a password that was given. The cookie becomes invalid when the
     * password changes, or any other rule of who may open the page.
     */
    passCookies(sent: string, page: Page, nowMs: number): string[] {
      const expires = expiryOf(nowMs, PASS_S)
      const value = `v1.${expires}.${secrets.sign('pass', ...boundTo(page), expires)}`
      return pageCookies.build('pass', page, { value, ageS: PASS_S, sent })
    },
    hasPass(cookies: string, page: Page, nowMs: number): boolean {
      return pageCookies.valuesOf(cookies, 'pass', page).some((value) => {
        const [version, expires = '', signature = ''] = value.split('.')
        if (version !== 'v1' || !(Number(expires) * 1000 > nowMs)) return false
        const proof = [...boundTo(page), expires, signature].join(' ')
        if (verified.has(proof)) return true
        if (!secrets.verify(signature, 'pass', ...boundTo(page), expires)) return false
        verified.set(proof, true)
        return true
      })
    },
  }
}
export type GateCookies = ReturnType<typeof createGateCookies>

/** In whole seconds since the epoch. */
function expiryOf(nowMs: number, ageS: number): string {
  return String(Math.floor(nowMs / 1000) + ageS)
}

function boundTo({ id, access_epoch: accessEpoch }: Page): string[] {
  return [id, String(accessEpoch)]
}

function encodeEmails(emails: string[]): string {
  return Buffer.from(JSON.stringify(emails)).toString('base64url')
}
function decodeEmails(list: string): string[] {
  const emails = JSON.parse(Buffer.from(list, 'base64url').toString()) as string[]
  return emails.filter((email) => parseEmail(email) === email)
}
