/** What mail programs take for the dot of a domain, before a label that could be its last one. */
const DOTS = /(?<=[^\s.])[.\u3002\uff0e\uff61](?=\p{L}{2})/gu
const SCHEMES = /:(?=\/\/)|(?<=\b(?:mailto|tel|sms)):/gi

/**
 * Text in which no program finds an address to make a link of, though people still read it:
 * `https[:]//example[.]com`.
 */
export function unlinked(text: string): string {
  return text.replace(DOTS, '[.]').replace(SCHEMES, '[:]')
}
