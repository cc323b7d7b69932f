import { parseEmail } from '../../model/text.ts'

export type Claims = Record<string, unknown>

/** Whether the claims say if the address is verified. */
export function hasVerdict({ email, email_verified: verified, xms_edov: edov }: Claims): boolean {
  return email !== undefined && (verified !== undefined || edov !== undefined)
}

/**
 * The address, if the provider has verified it. Microsoft Entra never says `email_verified`: it has
 * `xms_edov`, whether the owner of the address's domain is verified.
 */
export function verifiedEmail(claims: Claims, issuer: string): string | null {
  const { email, email_verified: verified, xms_edov: edov } = claims
  const isEntra = new URL(issuer).hostname === 'login.microsoftonline.com'
  const isVerified = verified === undefined && isEntra ? isYes(edov) : isTrue(verified)
  return isVerified && typeof email === 'string' ? parseEmail(email) : null
}

/** Some providers send booleans as text. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}

/** Entra sends this one as a boolean, as a number or as text. */
function isYes(value: unknown): boolean {
  return isTrue(value) || value === 1 || value === '1'
}
