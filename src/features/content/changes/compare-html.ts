import { diffArrays } from 'diff'
import { commonEnds } from '../html/bytes.ts'
import { textLines } from '../html/text-lines.ts'

/** Lines of a file beyond this have no difference computed: it would take too long. */
const MAX_FILE_LINES = 20_000
/** With more changed lines than this, all lines from the first to the last are one change. */
const MAX_EDITS = 500
const MAX_LINE_CHARS = 500
const CONTEXT_LINES = 2

interface ChangedLine {
  kind: 'added' | 'removed' | 'same' | 'gap'
  text: string
}

export interface HtmlToCompare {
  /** Both documents, one after the other, so that one buffer is transferred to a thread. */
  bytes: Uint8Array
  /** The length of the first document. */
  splitAt: number
  maxLines: number
}

export interface ComparedHtml {
  /** How many passages differ: lines that changed next to each other are one. */
  passages: number
  /** The first of the lines that changed, with those around them. */
  lines: ChangedLine[]
  isCut: boolean
}

/** Compares the texts of two HTML documents. @returns null where that would take too long */
export function compareHtml({ bytes, splitAt, maxLines }: HtmlToCompare): ComparedHtml | null {
  const before = textLines(bytes.subarray(0, splitAt))
  const after = textLines(bytes.subarray(splitAt))
  if (Math.max(before.length, after.length) > MAX_FILE_LINES) return null
  const difference: Part[] | undefined = diffArrays(before, after, { maxEditLength: MAX_EDITS })
  const parts = difference ?? replacement(before, after)
  const lines = parts.flatMap((part, at) => linesAround(part, at, parts.length))
  const isChange = (part: Part | undefined) => part !== undefined && (part.added || part.removed)
  const passages = parts.filter((part, at) => isChange(part) && !isChange(parts[at - 1])).length
  return { passages, lines: lines.slice(0, maxLines), isCut: lines.length > maxLines }
}

interface Part {
  added: boolean
  removed: boolean
  value: string[]
}

/** One passage that replaces another, between the lines that are the same at both ends. */
function replacement(before: string[], after: string[]): Part[] {
  const { before: head, after: tail } = commonEnds(before, after)
  const parts = [
    { added: false, removed: false, value: before.slice(0, head) },
    { added: false, removed: true, value: before.slice(head, before.length - tail) },
    { added: true, removed: false, value: after.slice(head, after.length - tail) },
    { added: false, removed: false, value: before.slice(before.length - tail) },
  ]
  return parts.filter(({ value }) => value.length > 0)
}

/** Lines that changed, with those around them. */
function linesAround({ added, removed, value }: Part, at: number, count: number): ChangedLine[] {
  const kind = added ? 'added' : removed ? 'removed' : 'same'
  const lines = value.map((text) => ({ kind, text: shorten(text) }) as const)
  if (kind !== 'same') return lines
  const head = at === 0 ? [] : lines.slice(0, CONTEXT_LINES)
  const tail =
    at === count - 1 ? [] : lines.slice(Math.max(head.length, lines.length - CONTEXT_LINES))
  const isWhole = head.length + tail.length >= lines.length
  return isWhole ? [...head, ...tail] : [...head, { kind: 'gap', text: '' }, ...tail]
}

function shorten(text: string): string {
  const start = text.length <= MAX_LINE_CHARS ? text : `${text.slice(0, MAX_LINE_CHARS - 1)}…`
  return start.toWellFormed()
}
