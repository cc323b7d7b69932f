import { domainToUnicode } from 'node:url'

/**
 * An email address as people write it: `ann@müller.example`, where the canonical form, which is
 * stored and compared, has `xn--mller-kva.example`.
 */
export function displayEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, at + 1)}${displayDomain(email.slice(at + 1))}`
}

/**
 * A domain as people write it. What is no valid encoding stays as it is, and so does a label that
 * could be taken for a Latin one.
 */
export function displayDomain(domain: string): string {
  if (!domain.includes('xn--')) return domain
  return domain.split('.').map(displayLabel).join('.')
}

function displayLabel(label: string): string {
  const display = label.startsWith('xn--') ? domainToUnicode(label) : label
  return display === '' || imitatesLatin(display) ? label : display
}

/** Letters of other scripts beside Latin ones, or none but letters that look like Latin ones. */
function imitatesLatin(label: string): boolean {
  if (!/\p{Script=Cyrillic}|\p{Script=Greek}/u.test(label)) return false
  return /\p{Script=Latin}/u.test(label) || LOOKS_LATIN.test(label)
}
const LOOKS_LATIN = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵѡαγεηικνορτυχωϲ\d-]+$/u

/**
 * The address of a stranger, for somebody who decides about it: letters of other scripts can look
 * like Latin ones, so the canonical form of the domain is shown too.
 */
export function displayStranger(email: string): string {
  const display = displayEmail(email)
  return display === email ? email : `${display} (${email})`
}
