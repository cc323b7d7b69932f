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
function occurrences(text: Pick<string, 'indexOf'>, quote: string): number[] | null {
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

/** Whether words that stand once in a text are a passage whatever surrounds them. */
export function isDistinct(quote: string): boolean {
  return condense(quote).length >= 12 || quote.trim().split(/\s+/).length >= 2
}

/**
 * Finds a condensed passage in condensed text: the only place of words that may stand alone, else
 * the one with their surroundings.
 *
 * @param mayStandAlone as `isDistinct` says of the quote
 * @param mayDiffer whether the surroundings may have changed: then they must point to one place
 * with a clear margin
 * @param searched the text, where its search is linear: in a string, some quotes take very long
 * @returns null if there is no such place, or more than one
 */
export function findPassage(
  text: string,
  passage: Passage,
  { mayStandAlone, mayDiffer }: { mayStandAlone: boolean; mayDiffer: boolean },
  searched: Pick<string, 'indexOf'> = text,
): Place | null {
  const { quote, prefix, suffix } = passage
  const starts = quote === '' ? null : occurrences(searched, quote)
  if (starts === null || starts.length === 0) return null
  if (starts.length === 1 && mayStandAlone) return placeOf(starts[0]!, quote)
  const whole = prefix.length + suffix.length
  const [best, next] = starts
    .map((start) => ({ start, score: scoreOf(text, start, passage) }))
    .sort((a, b) => b.score - a.score)
  const { start, score } = best!
  const rival = next?.score ?? -1
  const isWhole = score === whole && rival < whole
  const isClear = mayDiffer && score > 0 && score >= whole / 2 && rival <= score / 2
  return isWhole || isClear ? placeOf(start, quote) : null
}

/** How many characters around a quote are those of its surroundings. */
function scoreOf(text: string, start: number, { quote, prefix, suffix }: Passage): number {
  const end = start + quote.length
  let before = 0
  while (before < prefix.length && text[start - 1 - before] === prefix.at(-1 - before)) before += 1
  let after = 0
  while (after < suffix.length && text[end + after] === suffix[after]) after += 1
  return before + after
}

function placeOf(start: number, quote: string): Place {
  return { start, end: start + quote.length }
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
