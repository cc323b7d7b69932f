import { asciiDomain, parseEmail } from '../../../../src/model/email.ts'

interface ParsedList {
  /** As people write them, in order, each once. */
  items: string[]
  /** The words that are no address, as they were typed. */
  bad: string[]
}

/** Email addresses in a pasted text, also as `Ann Lee <ann@example.com>` and `mailto:` links. */
export function parseAddresses(text: string): ParsedList {
  // A name in quotes may have a comma in it.
  const parts = text.replace(/"[^"\r\n]*"(?=\s*<)/g, '').split(/[,;\r\n\t]+/)
  return collect(parts.flatMap(wordsOf), (word) => parseEmail(word) && word.toLowerCase())
}

/** Domains in a pasted text. Of an address or a link it is the domain. */
export function parseDomains(text: string): ParsedList {
  return collect(text.split(/[\s,;]+/), (word) => {
    const domain = word.replace(/^https?:\/\//i, '').replace(/^.*@|\/.*$/g, '')
    return asciiDomain(domain) === null ? null : domain.toLowerCase()
  })
}

/** The address between angle brackets; else each word, where one is an address. */
function wordsOf(part: string): string[] {
  const bracketed = [...part.matchAll(/<([^<>]*)>/g)].map((match) => match[1]!)
  if (bracketed.length > 0) return bracketed
  const words = part.trim().split(/\s+/)
  return words.some((word) => word.includes('@')) ? words : [part.trim()]
}

function collect(words: string[], parse: (word: string) => string | null): ParsedList {
  const items = new Map<string, string>()
  const bad = new Set<string>()
  for (const word of words) {
    const text = word.trim().replace(/^mailto:/i, '')
    if (text === '') continue
    const item = parse(text)
    if (item === null) bad.add(text)
    else if (!items.has(keyOf(item))) items.set(keyOf(item), item)
  }
  return { items: [...items.values()], bad: [...bad] }
}

/** The key that all spellings of one address or domain share. */
export function keyOf(item: string): string {
  return parseEmail(item) ?? asciiDomain(item) ?? item
}

export function withItems(list: readonly string[], items: readonly string[]): string[] {
  const keys = new Set(list.map(keyOf))
  return [...list, ...items.filter((item) => !keys.has(keyOf(item)))]
}

export function withoutItem(list: readonly string[], item: string): string[] {
  return list.filter((each) => keyOf(each) !== keyOf(item))
}
