// Without the library of schemas, so that browsers load this alone.

/**
 * No quotes, comments, spaces or controls, and no `%` and `!`, by which some servers route mail
 * onwards. Letters and digits of every script are allowed (RFC 6531).
 */
const LOCAL = /^[\p{L}\p{M}\p{N}.#$&'*+/=?^_{|}~-]+$/u
const LOCAL_BYTES = 64
/** Characters that are not visible. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u
const LATIN = /\p{Script=Latin}/u
/** Scripts whose letters look like Latin ones. */
const LIKE_LATIN = /\p{Script=Cyrillic}|\p{Script=Greek}/u
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Converts an email address to its canonical form: lower case, in NFC, the domain in ASCII (IDNA).
 * Mails go to that form, and addresses are compared in it. Quotes and comments, which mail servers
 * parse differently, are not allowed.
 *
 * @returns null when the text is no such address
 */
export function parseEmail(text: string): string | null {
  const [localPart, domain, ...more] = text.normalize('NFC').trim().split('@')
  if (!localPart || !domain || more.length > 0) return null
  const ascii = asciiDomain(domain)
  const local = localPart.toLowerCase().normalize('NFC')
  return ascii !== null && isLocalPart(local) ? `${local}@${ascii}` : null
}

/** A canonical address without what follows a `+`: mail to both reaches one person. */
export function withoutTag(email: string): string {
  return email.replace(/(?<=.)\+[^@]*(?=@)/, '')
}

/** Whether mail servers and people all read the part before the @ in the same way. */
function isLocalPart(local: string): boolean {
  if (!LOCAL.test(local) || /^\.|\.\.|\.$/.test(local)) return false
  if (new TextEncoder().encode(local).length > LOCAL_BYTES) return false
  // A server that folds compatible forms, such as full-width letters, would take it for another.
  if (local.normalize('NFKC') !== local || IGNORABLE.test(local)) return false
  return !(LATIN.test(local) && LIKE_LATIN.test(local))
}

/**
 * Converts a domain of at least two labels to lower-case ASCII (IDNA).
 *
 * @returns null when the text is no such domain
 */
export function asciiDomain(text: string): string | null {
  const name = text.trim()
  if (/[\s/\\:?#@[\]<>^|%*]/.test(name) || name.length > 253 || !URL.canParse(`http://${name}`)) {
    return null
  }
  const { hostname } = new URL(`http://${name}`)
  const labels = hostname.split('.')
  const isAddress = /^\d+$/.test(labels.at(-1) ?? '')
  return labels.length >= 2 && !isAddress && labels.every((label) => LABEL.test(label))
    ? hostname
    : null
}
