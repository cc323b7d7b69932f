import type { Page } from '../../model/page/index.ts'
import type { Secrets } from '../../platform/secrets.ts'

/** How long an opening lasts: what it loads and where it moves within it is the same view. */
const VISIT_S = 30 * 60
const CAP_S = 12 * 60 * 60
const COOKIE = 'handbill_visit'

/** Signed proof, bound to the page and to who could open it when it was given. */
export function createAdmission(secrets: Secrets, is_https: boolean) {
  const bound = ({ id, access_epoch }: Page) => [id, String(access_epoch)]

  function isSigned(purpose: string, proof: string, page: Page, now_s: number): number | null {
    const [version, expires, signature = ''] = proof.split('.')
    const expires_s = Number(expires)
    if (version !== 'v1' || !Number.isInteger(expires_s) || expires_s <= now_s) return null
    return secrets.verify(signature, purpose, ...bound(page), String(expires_s)) ? expires_s : null
  }
  function proofOf(purpose: string, page: Page, expires_s: number): string {
    const signature = secrets.sign(purpose, ...bound(page), String(expires_s))
    return `v1.${expires_s}.${signature}`
  }

  return {
    /** The cookie that makes what follows part of this visit. */
    visitCookie(page: Page, now_s: number): string {
      const proof = proofOf('visit', page, now_s + VISIT_S)
      const flags = `Path=/p/${page.slug}; Max-Age=${VISIT_S}; HttpOnly; SameSite=Lax`
      return `${COOKIE}=${proof}; ${flags}${is_https ? '; Secure' : ''}`
    },
    isAdmitted(headers: Headers, page: Page, now_s: number): boolean {
      const cookies = headers.get('cookie')
      if (cookies === null || !cookies.includes(COOKIE)) return false
      const proofs = cookies.split(/; */).filter((pair) => pair.startsWith(`${COOKIE}=`))
      return proofs.some((pair) => isSigned('visit', pair.slice(COOKIE.length + 1), page, now_s))
    },
    /** A path segment that reads this page's published files for 12 hours, and nothing else. */
    cap: (page: Page, now_s: number) => `~${proofOf('cap', page, now_s + CAP_S)}`,
    /** Whether a capability is good, and whether the visit it was given to still lasts. */
    readCap(cap: string, page: Page, now_s: number): { lasts: boolean } | null {
      const expires_s = isSigned('cap', cap, page, now_s)
      return expires_s === null ? null : { lasts: expires_s - CAP_S + VISIT_S > now_s }
    },
  }
}
export type Admission = ReturnType<typeof createAdmission>
