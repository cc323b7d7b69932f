import { findPassage, isDistinct, type Passage, type Place } from '../../../model/passage.ts'
import type { ByteRange } from '../edits/splices.ts'
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
   */
  elsewhere: 'as-written' | Pick<Passage, 'prefix' | 'suffix'> | 'alone'
}

/** The bytes in which the words were found, and the text around them. */
export interface FoundPassage extends ByteRange {
  prefix: string
  suffix: string
  /** Whether that text is the one of the passage as it was written. */
  is_same: boolean
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

export function findIn(page: PageText, query: PassageQuery): FoundPassage | null {
  const { text } = page
  const written = passageBytes(query.passage)
  const place =
    query.ranges
      .map((range) => page.placeOf(range))
      .find(({ start, end }) => text.slice(start, end) === written.quote) ??
    findElsewhere(page, query)
  if (place === null) return null
  const { start, end } = place
  const isSame = text.endsWith(written.prefix, start) && text.startsWith(written.suffix, end)
  return { ...surrounded(page, place), is_same: isSame }
}

const NOTHING = { prefix: '', suffix: '' }

function findElsewhere({ text }: PageText, { passage, elsewhere }: PassageQuery): Place | null {
  const mayStandAlone = isDistinct(passage.quote)
  if (elsewhere === 'alone' && !mayStandAlone) return null
  const { quote } = passage
  const near = elsewhere === 'as-written' ? passage : elsewhere === 'alone' ? NOTHING : elsewhere
  return findPassage(text, passageBytes({ ...near, quote }), {
    mayStandAlone,
    mayDiffer: typeof elsewhere === 'object',
  })
}

function surrounded(page: PageText, { start, end }: Place): Omit<FoundPassage, 'is_same'> {
  const before = { start: Math.max(0, start - CONTEXT_BYTES), end: start }
  const after = { start: end, end: Math.min(page.text.length, end + CONTEXT_BYTES) }
  return {
    ...page.bytesOf({ start, end }),
    prefix: page.written(before),
    suffix: page.written(after),
  }
}
