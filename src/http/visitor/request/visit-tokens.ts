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
export interface Grant {
  emails: readonly string[]
  gave_password: boolean
  is_signed_in: boolean
  is_owner: boolean
  /** Where it rests on being signed in: it ends with that session. */
  session_id: string | null
}

/** Signed proof, bound to the page and to who could open it when it was given. */
export function createAdmission(secrets: Secrets, is_https: boolean) {
  const bound = ({ id, access_epoch }: Page) => [id, String(access_epoch)]

  /** @param proof `v1.{expires}.{signature}`, with what is signed along before the signature */
  function readProof(purpose: string, proof: string, page: Page, now_s: number) {
    const [version, expires = '', ...rest] = proof.split('.')
    const signature = rest.pop() ?? ''
    const along = rest.join('.')
    const expires_s = Number(expires)
    if (version !== 'v1' || !Number.isInteger(expires_s) || expires_s <= now_s) return null
    // One spelling: an empty part signed along would read as none.
    if (along === '' && rest.length > 0) return null
    const is_ours = secrets.verify(signature, purpose, ...bound(page), expires, along)
    return is_ours ? { expires_s, along } : null
  }
  function proofOf(purpose: string, page: Page, expires_s: number, along = ''): string {
    const signature = secrets.sign(purpose, ...bound(page), String(expires_s), along)
    return ['v1', expires_s, ...(along === '' ? [] : [along]), signature].join('.')
  }

  return {
    /** The cookie that makes what follows part of this visit. */
    visitCookie(page: Page, now_s: number): string {
      const proof = proofOf('visit', page, now_s + VISIT_S)
      const flags = `Path=/p/${page.slug}; Max-Age=${VISIT_S}; HttpOnly; SameSite=Lax`
      return `${COOKIE}=${proof}; ${flags}${is_https ? '; Secure' : ''}`
    },
    isAdmitted(headers: Headers, page: Page, now_s: number): boolean {
      const proofs = cookiesNamed(headers.get('cookie'), COOKIE)
      return proofs.some((proof) => readProof('visit', proof, page, now_s) !== null)
    },
    /**
     * A path segment that reads this page's published files for 12 hours, and nothing else.
     * @param grant null where no gate had to let anybody in
     */
    cap(page: Page, now_s: number, grant: Grant | null = null): string {
      const sealed = grant === null ? '' : secrets.seal('grant', page.id, JSON.stringify(grant))
      return `~${proofOf('cap', page, now_s + CAP_S, sealed)}`
    },
    /** What a good capability stands for, and whether the visit it was given to still lasts. */
    readCap(cap: string, page: Page, now_s: number) {
      const proof = readProof('cap', cap, page, now_s)
      if (proof === null) return null
      const { expires_s, along } = proof
      const grant =
        along === '' ? null : (JSON.parse(secrets.open('grant', page.id, along)) as Grant)
      return { grant, lasts: expires_s - CAP_S + VISIT_S > now_s }
    },
  }
}
export type Admission = ReturnType<typeof createAdmission>
