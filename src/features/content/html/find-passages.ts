import type { ByteRange } from '../../../model/download.ts'
import { findPassage, isDistinct, type Passage, type Place } from '../../../model/passage.ts'
import { type PageText, passageBytes, readPageText } from './page-text.ts'

/** Enough to distinguish equal words; text further away may change without losing an anchor. */
const CONTEXT_BYTES = 32

/** Words that are looked for in the text of a document. */
export interface PassageQuery {
  /** As it was written. */
  passage: Passage
  /** Where edits have taken the words, the likeliest first: the words must be there. */
  ranges: readonly ByteRange[]
  /**
   * Where else the words may be: in the surroundings that they were written in; near those that
   * they were found in last; or, after edits that changed them, only where they stand alone.
   * `between` looks for what stands between the surroundings, whatever the words are now.
   */
  elsewhere: 'as-written' | Pick<Passage, 'prefix' | 'suffix'> | 'alone' | 'between'
}

/** The bytes in which the words were found, and the text around them. */
export interface FoundPassage extends ByteRange {
  prefix: string
  suffix: string
  /** Whether that text is the one of the passage as it was written. */
  is_same: boolean
  /** Whether what stands before stands there alone, and what stands after too. */
  is_between: boolean
  /** The words, where they were looked for by their surroundings. */
  words?: string
}

export interface PassagesToFind {
  /** HTML. */
  bytes: Uint8Array
  queries: readonly PassageQuery[]
}

/** Finds passages in HTML. @returns for each query in their order; null where it is not there */
export function findPassages({ bytes, queries }: PassagesToFind): (FoundPassage | null)[] {
  const page = readPageText(bytes)
  return queries.map((query) => findIn(page, query))
}

function findIn(page: PageText, query: PassageQuery): FoundPassage | null {
  const { text } = page
  if (query.elsewhere === 'between') return findBetween(page, query)
  const target = passageBytes(query.passage)
  const place =
    query.ranges
      .map((range) => page.placeOf(range))
      .find(({ start, end }) => text.slice(start, end) === target.quote) ??
    findElsewhere(page, query)
  if (place === null) return null
  const { start, end } = place
  const isSame = text.endsWith(target.prefix, start) && text.startsWith(target.suffix, end)
  return { ...surrounded(page, place), is_same: isSame }
}

/** Shorter surroundings may stand before or after other words, too. */
const MIN_AROUND_BYTES = 16
const MAX_BETWEEN_BYTES = 2000
const MAX_WORDS_CHARS = 200

/** What stands in a range, or between surroundings that occur once each, and near each other. */
function findBetween(page: PageText, { passage, ranges }: PassageQuery): FoundPassage | null {
  const { prefix, suffix, quote } = passageBytes(passage)
  const around = { start: onlyIn(page, prefix) + prefix.length, end: onlyIn(page, suffix) }
  const isAround = around.start >= prefix.length && around.end >= around.start
  const place = ranges[0] ? page.placeOf(ranges[0]) : isAround ? around : null
  if (place === null) return null
  const { start, end } = place
  if (end - start > MAX_BETWEEN_BYTES || page.text.slice(start, end) === quote) return null
  const words = page.written(place)
  const isLong = words.length > MAX_WORDS_CHARS
  const excerpt = isLong ? `${words.slice(0, MAX_WORDS_CHARS).toWellFormed()}…` : words
  return { ...NOTHING, ...place, is_same: false, is_between: true, words: excerpt }
}

/** @returns -1 where the text does not have these words once */
function onlyIn(page: PageText, words: string): number {
  const at = words.length < MIN_AROUND_BYTES ? -1 : page.indexOf(words)
  return at >= 0 && page.indexOf(words, at + 1) < 0 ? at : -1
}

const NOTHING = { prefix: '', suffix: '' }

function findElsewhere(page: PageText, { passage, elsewhere }: PassageQuery): Place | null {
  if (elsewhere === 'between') return null
  const mayStandAlone = isDistinct(passage.quote)
  if (elsewhere === 'alone' && !mayStandAlone) return null
  const { quote } = passage
  const near = elsewhere === 'as-written' ? passage : elsewhere === 'alone' ? NOTHING : elsewhere
  const options = { mayStandAlone, mayDiffer: typeof elsewhere === 'object' }
  return findPassage(page.text, passageBytes({ ...near, quote }), options, page)
}

function surrounded(page: PageText, { start, end }: Place): Omit<FoundPassage, 'is_same'> {
  const before = { start: Math.max(0, start - CONTEXT_BYTES), end: start }
  const after = { start: end, end: Math.min(page.text.length, end + CONTEXT_BYTES) }
  const isAlone = (part: Place) => onlyIn(page, page.text.slice(part.start, part.end)) >= 0
  return {
    is_between: isAlone(before) && isAlone(after),
    ...page.bytesOf({ start, end }),
    prefix: page.written(before),
    suffix: page.written(after),
  }
}
