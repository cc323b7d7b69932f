import { domainToUnicode } from 'node:url'

/**
 * An email address as people write it: `ann@müller.example`, where the canonical form, which is
 * stored and compared, has `xn--mller-kva.example`.
 */
export function displayEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, at + 1)}${displayDomain(email.slice(at + 1))}`
}

/** A domain as people write it. What is no valid encoding stays as it is. */
export function displayDomain(domain: string): string {
  return domain.includes('xn--') ? domainToUnicode(domain) || domain : domain
}

/**
 * The address of a stranger, for somebody who decides about it: letters of other scripts can look
 * like Latin ones, so the canonical form of the domain is shown too.
 */
export function displayStranger(email: string): string {
  const display = displayEmail(email)
  return display === email ? email : `${display} (${email})`
}
