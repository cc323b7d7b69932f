import type { Clock } from '../../platform/clock.ts'
import { isId } from '../../platform/ids.ts'
import { type Secrets, sameText } from '../../platform/secrets.ts'

const LIFE_MS = 15 * 60 * 1000
/** 132 bits of the signature: the address is copied by people and by models. */
const SIGNATURE_CHARS = 22

export interface UploadClaims {
  /** Of the upload that the token allows. */
  id: string
  accountId: string
}

/** Signed tokens that allow one upload: its id, its account and when the token expires. */
export function createUploadTokens({ secrets, clock }: { secrets: Secrets; clock: Clock }) {
  function sign(claims: string): string {
    return secrets.sign('upload-link', claims).slice(0, SIGNATURE_CHARS)
  }

  return {
    make({ id, accountId }: UploadClaims): { token: string; expires_at: string } {
      const expiresS = Math.floor((clock.ms() + LIFE_MS) / 1000)
      const claims = [id, accountId, expiresS.toString(36)].join('.')
      return { token: `${claims}.${sign(claims)}`, expires_at: clock.after(LIFE_MS) }
    },
    /** @returns null for a token that was altered or has expired */
    read(token: string): UploadClaims | null {
      const parts = /^([\w.]{1,100})\.([\w-]{22})$/.exec(token)
      if (parts === null) return null
      const [, claims = '', signature = ''] = parts
      if (!sameText(signature, sign(claims))) return null
      const [id = '', accountId = '', expires = ''] = claims.split('.')
      const isOver = Number.parseInt(expires, 36) * 1000 <= clock.ms()
      return isOver || !isId('up', id) ? null : { id, accountId }
    },
  }
}
