import { findPassage, type Passage, type Place } from '../../../model/passage.ts'
import type { ByteRange } from '../edits/splices.ts'
import { type PageText, passageBytes, readPageText } from './page-text.ts'

/** Enough to distinguish equal words; text further away may change without losing an anchor. */
const CONTEXT_BYTES = 32

/** Words that are looked for in the text of a document. */
export interface PassageQuery {
  quote: string
  /** Where edits have taken them, the likeliest first: the words must be there. */
  ranges: readonly ByteRange[]
  /** What to look for elsewhere; null: nowhere else. */
  elsewhere: Passage | null
}

/** The bytes in which the words were found, and the text around them. */
export interface FoundPassage extends ByteRange {
  prefix: string
  suffix: string
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
  const { quote, ranges, elsewhere } = query
  const words = passageBytes({ quote, prefix: '', suffix: '' }).quote
  for (const range of ranges) {
    const place = page.placeOf(range)
    if (page.text.slice(place.start, place.end) === words) return surrounded(page, place)
  }
  const passage = elsewhere && findPassage(page.text, passageBytes(elsewhere))
  return passage && surrounded(page, passage)
}

function surrounded(page: PageText, { start, end }: Place): FoundPassage {
  const before = { start: Math.max(0, start - CONTEXT_BYTES), end: start }
  const after = { start: end, end: Math.min(page.text.length, end + CONTEXT_BYTES) }
  return {
    ...page.bytesOf({ start, end }),
    prefix: page.written(before),
    suffix: page.written(after),
  }
}
