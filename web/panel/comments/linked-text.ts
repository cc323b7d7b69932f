import { h } from '../elements.ts'

/** An address of the web, without the punctuation that ends a sentence after it. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]{1,2000}/gi

/** Text in which addresses of the web are links. Everything else stays text. */
export function linkedText(text: string): (Node | string)[] {
  const parts: (Node | string)[] = []
  let end = 0
  for (const match of text.matchAll(ADDRESS)) {
    const address = withoutEnding(match[0])
    if (!URL.canParse(address)) continue
    parts.push(text.slice(end, match.index), link(address))
    end = match.index + address.length
  }
  parts.push(text.slice(end))
  return parts.filter((part) => part !== '')
}

/** A bracket at the end belongs to the address only if it was opened in it. */
function withoutEnding(address: string): string {
  const bare = address.replace(/[.,;:!?…]+$/, '')
  const isUnopened = bare.endsWith(')') && !bare.includes('(')
  return isUnopened ? withoutEnding(bare.slice(0, -1)) : bare
}

/** Strangers chose the address: it is told nothing of this page, and search engines ignore it. */
function link(address: string): HTMLAnchorElement {
  const attributes = { href: address, rel: 'nofollow ugc noopener noreferrer', target: '_blank' }
  return h('a', attributes, address)
}
