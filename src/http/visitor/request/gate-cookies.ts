import type { Page } from '../../../model/page/index.ts'
import { parseEmail } from '../../../model/text.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { cookiesNamed } from '../../kit/cookies.ts'

const EMAIL_S = 30 * 24 * 60 * 60
const PASS_S = 7 * 24 * 60 * 60
/** A browser may have confirmed a work and a private address; the newest come first. */
const EMAILS = 4
const REMEMBERED = 10_000

/**
 * What a browser has proved, signed into its cookies. They say who somebody is and what they knew,
 * never what they may open: that is asked again at every request.
 */
export function createGateCookies(secrets: Secrets, isHttps: boolean) {
  const secure = isHttps ? '; Secure' : ''
  const emailCookie = isHttps ? '__Host-handbill_email' : 'handbill_email'
  const passCookie = 'handbill_pass'
  /** Whole gateCookies that held: the next view with the same one need not sign again. */
  const verified = new Set<string>()

  function readEmails(cookies: string, nowS: number): string[] {
    for (const value of cookiesNamed(cookies, emailCookie)) {
      const [version, expires, list = '', signature = ''] = value.split('.')
      if (version !== 'v1' || Number(expires) <= nowS) continue
      if (secrets.verify(signature, 'emails', String(expires), list)) return unpacked(list)
    }
    return []
  }

  return {
    /** Names of cookies that matter to gates: without one of them a visitor is a stranger. */
    mayHoldProof: (cookies: string) =>
      cookies.includes(emailCookie) || cookies.includes(passCookie),
    emailsIn: readEmails,
    emailCookie(cookies: string, email: string, nowS: number): string {
      const others = readEmails(cookies, nowS).filter((other) => other !== email)
      const list = packed([email, ...others].slice(0, EMAILS))
      const expires = String(nowS + EMAIL_S)
      const value = `v1.${expires}.${list}.${secrets.sign('emails', expires, list)}`
      return `${emailCookie}=${value}; Path=/; Max-Age=${EMAIL_S}; HttpOnly; SameSite=Lax${secure}`
    },
    /** Ends with the next change of the password, or of who may open the page. */
    passCookie(page: Page, nowS: number): string {
      const expires = String(nowS + PASS_S)
      const value = `v1.${expires}.${secrets.sign('pass', ...about(page), expires)}`
      const flags = `Path=/p/${page.slug}; Max-Age=${PASS_S}; HttpOnly; SameSite=Lax${secure}`
      return `${passCookie}=${value}; ${flags}`
    },
    hasPass(cookies: string, page: Page, nowS: number): boolean {
      return cookiesNamed(cookies, passCookie).some((value) => {
        const [version, expires = '', signature = ''] = value.split('.')
        if (version !== 'v1' || !(Number(expires) > nowS)) return false
        const said = [...about(page), expires, signature].join(' ')
        if (verified.has(said)) return true
        if (!secrets.verify(signature, 'pass', ...about(page), expires)) return false
        if (verified.size >= REMEMBERED) verified.delete(verified.values().next().value!)
        verified.add(said)
        return true
      })
    },
  }
}
export type GateCookies = ReturnType<typeof createGateCookies>

function about({ id, access_epoch: accessEpoch }: Page): string[] {
  return [id, String(accessEpoch)]
}

function packed(emails: string[]): string {
  return Buffer.from(JSON.stringify(emails)).toString('base64url')
}
function unpacked(list: string): string[] {
  const emails = JSON.parse(Buffer.from(list, 'base64url').toString()) as string[]
  return emails.filter((email) => parseEmail(email) === email)
}
