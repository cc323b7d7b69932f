import type { Page } from '../../../model/page/index.ts'
import { parseEmail } from '../../../model/text.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { cookiesNamed } from '../../kit/cookies.ts'
import type { PageCookies } from './page-cookies.ts'

const EMAIL_S = 30 * 24 * 60 * 60
const PASS_S = 7 * 24 * 60 * 60
/** A browser may have confirmed several addresses, such as a work and a private one. */
const MAX_EMAILS = 4

export interface GateCookieDeps {
  secrets: Secrets
  pageCookies: PageCookies
  isHttps: boolean
}

export interface GateProofs {
  emails: readonly string[]
  gave_password: boolean
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

  function readEmails(cookies: string, nowMs: number): { emails: string[]; untilMs: number } {
    for (const value of cookiesNamed(cookies, emailCookie)) {
      const [version, expires, list = '', signature = ''] = value.split('.')
      const untilMs = Number(expires) * 1000
      if (version !== 'v1' || !(untilMs > nowMs)) continue
      if (secrets.verify(signature, 'emails', String(expires), list)) {
        return { emails: decodeEmails(list), untilMs }
      }
    }
    return { emails: [], untilMs: Infinity }
  }

  /** @returns until when the entered password counts; null if there is none */
  function readPass(cookies: string, page: Page, nowMs: number): number | null {
    for (const value of pageCookies.valuesOf(cookies, 'pass', page)) {
      const [version, expires = '', signature = ''] = value.split('.')
      const untilMs = Number(expires) * 1000
      if (version !== 'v1' || !(untilMs > nowMs)) continue
      if (secrets.verify(signature, 'pass', ...boundTo(page), expires)) return untilMs
    }
    return null
  }

  return {
    /** The proofs in the cookies for the gate of a page, and when the first of them expires. */
    proofsIn(cookies: string, page: Page, nowMs: number): GateProofs {
      const { emails, untilMs: emailsUntilMs } = readEmails(cookies, nowMs)
      const passUntilMs = readPass(cookies, page, nowMs)
      const untilMs = Math.min(emailsUntilMs, passUntilMs ?? Infinity)
      return { emails, gave_password: passUntilMs !== null, untilMs }
    },
    /** Adds an address to those that the browser has confirmed; the newest come first. */
    emailCookie(cookies: string, email: string, nowMs: number): string {
      const others = readEmails(cookies, nowMs).emails.filter((other) => other !== email)
      const list = encodeEmails([email, ...others].slice(0, MAX_EMAILS))
      const expires = expiryOf(nowMs, EMAIL_S)
      const value = `v1.${expires}.${list}.${secrets.sign('emails', expires, list)}`
      return `${emailCookie}=${value}; Path=/; Max-Age=${EMAIL_S}; HttpOnly; SameSite=Lax${secure}`
    },
    /**
     * The `Set-Cookie` lines for an entered password. The cookie becomes invalid when the password
     * or any other access setting of the page changes.
     */
    passCookies(sent: string, page: Page, nowMs: number): string[] {
      const expires = expiryOf(nowMs, PASS_S)
      const value = `v1.${expires}.${secrets.sign('pass', ...boundTo(page), expires)}`
      return pageCookies.build('pass', page, { value, ageS: PASS_S, sent })
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
