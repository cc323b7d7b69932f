import type { Page } from '../../../model/page/index.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import { cookiesNamed } from '../../kit/cookies.ts'

/** How long an opening lasts: what it loads and where it moves within it is the same view. */
const VISIT_S = 30 * 60
const CAP_S = 12 * 60 * 60
const COOKIE = 'handbill_visit'

/**
 * What a gate let somebody in by. It rides, sealed, in the capability that their browser loads the
 * page with, and the gate is asked again with it at every request.
 */
export interface Claims {
  emails: readonly string[]
  gave_password: boolean
  is_signed_in: boolean
  is_owner: boolean
  /** Where it rests on being signed in: it ends with that session. */
  session_id: string | null
}

/** Signed proof, bound to the page and to who could open it when it was given. */
export function createVisitTokens(secrets: Secrets, isHttps: boolean) {
  const bound = ({ id, access_epoch: accessEpoch }: Page) => [id, String(accessEpoch)]

  /** @param proof `v1.{expires}.{signature}`, with what is signed along before the signature */
  function readProof(purpose: string, proof: string, page: Page, nowS: number) {
    const [version, expires = '', ...rest] = proof.split('.')
    const signature = rest.pop() ?? ''
    const along = rest.join('.')
    const expiresS = Number(expires)
    if (version !== 'v1' || !Number.isInteger(expiresS) || expiresS <= nowS) return null
    // One spelling: an empty part signed along would read as none.
    if (along === '' && rest.length > 0) return null
    const isOurs = secrets.verify(signature, purpose, ...bound(page), expires, along)
    return isOurs ? { expiresS, along } : null
  }
  function proofOf(purpose: string, page: Page, expiresS: number, along = ''): string {
    const signature = secrets.sign(purpose, ...bound(page), String(expiresS), along)
    return ['v1', expiresS, ...(along === '' ? [] : [along]), signature].join('.')
  }

  return {
    /** The cookie that makes what follows part of this visit. */
    visitCookie(page: Page, nowS: number): string {
      const proof = proofOf('visit', page, nowS + VISIT_S)
      const flags = `Path=/p/${page.slug}; Max-Age=${VISIT_S}; HttpOnly; SameSite=Lax`
      return `${COOKIE}=${proof}; ${flags}${isHttps ? '; Secure' : ''}`
    },
    isAdmitted(headers: Headers, page: Page, nowS: number): boolean {
      const proofs = cookiesNamed(headers.get('cookie'), COOKIE)
      return proofs.some((proof) => readProof('visit', proof, page, nowS) !== null)
    },
    /**
     * A path segment that reads this page's published files for 12 hours, and nothing else.
     * @param grant null where no gate had to let anybody in
     */
    cap(page: Page, nowS: number, grant: Claims | null = null): string {
      const sealed = grant === null ? '' : secrets.seal('grant', page.id, JSON.stringify(grant))
      return `~${proofOf('cap', page, nowS + CAP_S, sealed)}`
    },
    /** What a good capability stands for, and whether the visit it was given to still lasts. */
    readCap(cap: string, page: Page, nowS: number) {
      const proof = readProof('cap', cap, page, nowS)
      if (proof === null) return null
      const { expiresS, along } = proof
      const grant =
        along === '' ? null : (JSON.parse(secrets.open('grant', page.id, along)) as Claims)
      return { grant, lasts: expiresS - CAP_S + VISIT_S > nowS }
    },
  }
}
export type VisitTokens = ReturnType<typeof createVisitTokens>
