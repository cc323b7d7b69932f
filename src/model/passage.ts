/**
 * A passage of a page's text that a viewer selected, with the text around it. Browser-safe: the
 * server looks a passage up in the stored text, and the page marks it with the same rules.
 */
export interface Passage {
  quote: string
  prefix: string
  suffix: string
}

export const MAX_QUOTE_CHARS = 2000
export const MAX_CONTEXT_CHARS = 80

/**
 * White space, soft hyphens, zero-width characters and direction marks. Whether a browser's text
 * has them depends on layout, so texts are compared without them.
 */
const IGNORED = /[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g

/** Elements whose text readers do not see as text of the page. */
export const UNSEEN_ELEMENTS: ReadonlySet<string> = new Set(
  'script style template noscript title textarea select iframe noembed noframes object'.split(' '),
)

/** The text without the characters that do not count in a comparison. */
export function condense(text: string): string {
  return text.replace(IGNORED, '')
}

export function condensePassage({ quote, prefix, suffix }: Passage): Passage {
  return { quote: condense(quote), prefix: condense(prefix), suffix: condense(suffix) }
}

/** How often a quote may occur in a text before its other occurrences are ignored. */
const MAX_OCCURRENCES = 1000

/** Where the quote occurs in condensed text. @returns null if it occurs too often */
function occurrences(text: string, quote: string): number[] | null {
  const starts: number[] = []
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (starts.length === MAX_OCCURRENCES) return null
    starts.push(at)
  }
  return starts
}

export interface Place {
  start: number
  end: number
}

/**
 * Finds a condensed passage in condensed text: the place where the quote and its surroundings
 * match.
 * @param mayStandAlone whether a quote that occurs once counts even if its surroundings differ
 * @returns null if there is no such place, or more than one
 */
export function findPassage(
  text: string,
  { quote, prefix, suffix }: Passage,
  mayStandAlone = false,
): Place | null {
  if (quote === '') return null
  const starts = occurrences(text, quote)
  if (starts === null) return null
  const placeOf = (start: number) => ({ start, end: start + quote.length })
  if (mayStandAlone && starts.length === 1) return placeOf(starts[0]!)
  const candidates = starts.filter(
    (start) => text.endsWith(prefix, start) && text.startsWith(suffix, start + quote.length),
  )
  return candidates.length === 1 ? placeOf(candidates[0]!) : null
}

/** An element of the page, besides the words or the spot in it. Browser-safe. */
export interface AnchorElement {
  tag: string
  text: string
  selector: string
}

export const MAX_ELEMENT_TEXT_CHARS = 200
export const MAX_SELECTOR_CHARS = 500

/** How many passages and spots a document is asked to mark. */
export const MAX_MARKS = 1000
export const MAX_SPOTS = 200
