/** A piece of a text: an address of the web, or what stands between addresses. */
export interface TextPiece {
  text: string
  isLink: boolean
}

/** What a stranger's link has: its target learns nothing of our page, search engines ignore it. */
export const STRANGERS_LINK = { rel: 'nofollow ugc noopener noreferrer', target: '_blank' }

/** An address of the web, without the punctuation that ends a sentence after it. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]{1,2000}/gi

/** Splits a text at the addresses in it. */
export function splitAtLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let end = 0
  for (const match of text.matchAll(ADDRESS)) {
    const address = withoutEnding(match[0])
    if (!URL.canParse(address)) continue
    pieces.push({ text: text.slice(end, match.index), isLink: false })
    pieces.push({ text: address, isLink: true })
    end = match.index + address.length
  }
  pieces.push({ text: text.slice(end), isLink: false })
  return pieces.filter((piece) => piece.text !== '')
}

/** A bracket at the end belongs to the address only if it was opened in it. */
function withoutEnding(address: string): string {
  const bare = address.replace(/[.,;:!?…]+$/, '')
  const isUnopened = bare.endsWith(')') && !bare.includes('(')
  return isUnopened ? withoutEnding(bare.slice(0, -1)) : bare
}
