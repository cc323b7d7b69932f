import type { z } from 'zod'
import { refuse } from '../../../model/errors.ts'
import { MAX_MATCHES } from '../../../model/page/facts.ts'
import type { EditsSummary, edit } from '../../../model/page/html.ts'
import { bufferOf, commonEnds, isBlank, patchBytes } from '../html/bytes.ts'
import {
  containsPlaceholder,
  findLongDataUris,
  hasPlaceholder,
  withoutUris,
} from '../html/omit-data-uris.ts'
import { createSpliceTracker, type Splice } from './splices.ts'

export type Edit = z.output<typeof edit>

/** The text that an edit matched and its replacement, each cut at 200 characters. */
type Change = EditsSummary['changes'][number]

const MAX_EDITS = 200
const MAX_CHANGE_CHARS = 200
const MAX_HINT_BYTES = 16 * 1024 * 1024

/** The limit of bytes that one call may search: the number of edits times the size of the page. */
const WORK_BYTES = 256 * 1024 * 1024

/** By how much the text may exceed the limit between edits, if the result is within it. */
const EXCESS_BYTES = 8 * 1024 * 1024

/** How many edits one call may make to a page of that size. */
export function maxEdits(sizeBytes: number): number {
  return Math.min(MAX_EDITS, Math.max(1, Math.floor(WORK_BYTES / Math.max(1, sizeBytes))))
}

export interface EditedText {
  bytes: Uint8Array
  changes: Change[]
  /** How the bytes of the original text moved. */
  splices: Splice[]
}

/**
 * Applies each edit to the result of the one before. The first edit that cannot be applied refuses
 * them all. Bytes outside of the matches stay as they are.
 * @param html in UTF-8
 * @throws Refusal naming the edit by `edit_index`: `too_many_edits`, `edit_not_found`,
 *   `edit_ambiguous`, `too_many_matches`, `edit_empties_page`, `elided_edit`, `html_too_large`,
 *   `invalid_edit`
 */
export function applyEdits(
  html: Uint8Array,
  edits: readonly Edit[],
  { maxBytes }: { maxBytes: number },
): EditedText {
  assertCount(edits.length, maxEdits(html.byteLength))
  let page = bufferOf(html)
  const tracker = createSpliceTracker(html.byteLength)
  const changes: Change[] = []
  let searchedBytes = 0
  for (const [editIndex, edit] of edits.entries()) {
    // Where edits make the page grow, the number of edits is limited by its new size.
    searchedBytes += page.length
    if (searchedBytes > 2 * WORK_BYTES) assertCount(edits.length, maxEdits(page.length))
    const result = applyEdit(page, edit, { editIndex, maxBytes, tracker })
    page = result.page
    changes.push(changeOf(edit, result.count))
  }
  const editIndex = edits.length - 1
  assertFits(page.length, maxBytes, { editIndex, maxBytes })
  // Edits that write the parts of a placeholder one after the other.
  if (edits.length > 0 && hasPlaceholder(page) && !hasPlaceholder(bufferOf(html))) {
    throw elided(editIndex)
  }
  if (edits.length > 0 && isBlank(page)) {
    const message = ' would leave the page empty: leave text in it, or delete the page.'
    throw badEdit('edit_empties_page', editIndex, message)
  }
  return { bytes: page, changes, splices: tracker.splices() }
}

interface EditContext {
  editIndex: number
  maxBytes: number
}
type Tracker = ReturnType<typeof createSpliceTracker>

/** @returns the text after it, and how many places it replaced */
function applyEdit(page: Buffer, edit: Edit, context: EditContext & { tracker: Tracker }) {
  const { editIndex, maxBytes, tracker } = context
  assertText(edit, editIndex)
  const needle = Buffer.from(edit.find)
  const replacement = Buffer.from(edit.replace)
  const starts =
    edit.replace_all === true
      ? allMatches(page, needle, editIndex)
      : [onlyMatch(page, needle, editIndex)]
  if (starts.length === 0) throw notFound(page, edit.find, editIndex)
  if (containsPlaceholder(edit.replace)) throw elided(editIndex)
  const size = page.length + starts.length * (replacement.length - needle.length)
  assertFits(size, maxBytes + EXCESS_BYTES, context)
  // An edit keeps what is the same.
  const { before, after } = commonEnds(needle, replacement)
  tracker.replace(
    starts.map((start) => start + before),
    needle.length - before - after,
    replacement.length - before - after,
  )
  const patches = starts.map((start) => ({ start, end: start + needle.length, text: replacement }))
  return { page: bufferOf(patchBytes(page, patches)), count: starts.length }
}

function onlyMatch(page: Buffer, needle: Buffer, editIndex: number): number {
  const start = page.indexOf(needle, 0)
  if (start < 0) throw notFound(page, needle.toString(), editIndex)
  // One byte further: overlapping matches are two.
  if (page.indexOf(needle, start + 1) >= 0) throw ambiguous(page, needle, editIndex)
  return start
}

function allMatches(page: Buffer, needle: Buffer, editIndex: number): number[] {
  const starts: number[] = []
  let at = page.indexOf(needle, 0)
  for (; at >= 0; at = page.indexOf(needle, at + needle.length)) {
    if (starts.length === MAX_MATCHES) {
      const message = ` would replace more than ${MAX_MATCHES} places: make find longer.`
      throw badEdit('too_many_matches', editIndex, message, { limit: MAX_MATCHES })
    }
    starts.push(at)
  }
  return starts
}

function notFound(page: Buffer, find: string, editIndex: number) {
  const unix = find.replaceAll('\r\n', '\n')
  const otherLines = [unix, unix.replaceAll('\n', '\r\n')]
  let hint = 'Read the page again and copy the text exactly.'
  if (containsPlaceholder(find)) {
    hint =
      'It contains an ELIDED-BY-SERVICE placeholder, which stands for data that the read left ' +
      'out: leave it out of find, or read the page with full=true.'
  } else if (otherLines.some((text) => text !== find && page.indexOf(Buffer.from(text), 0) >= 0)) {
    hint = 'The page ends its lines otherwise (\\r\\n or \\n): copy them as they are.'
  } else {
    const near = nearestText(page, find)
    if (near !== null) hint = `The page goes on otherwise there: ${JSON.stringify(near)}. ${hint}`
  }
  const message = `: its find is nowhere in the page. ${hint}`
  return badEdit('edit_not_found', editIndex, message, { matches: 0 })
}

/** In larger pages no near text is looked for, since each search reads the whole page. */
const MAX_SEARCHED_BYTES = 4 * 1024 * 1024
const MAX_COMPARED = 500
const MIN_SHARED = 10
const MAX_SHOWN = 200

/** What the page has from where the longest beginning of a text is; null where that is short. */
function nearestText(page: Buffer, find: string): string | null {
  if (page.length > MAX_SEARCHED_BYTES) return null
  const text = find.trimStart().slice(0, MAX_COMPARED)
  let [shared, tooLong] = [0, text.length + 1]
  while (tooLong - shared > 1) {
    const middle = (shared + tooLong) >> 1
    if (page.includes(text.slice(0, middle))) shared = middle
    else tooLong = middle
  }
  if (shared < MIN_SHARED) return null
  const start = page.indexOf(text.slice(0, shared))
  const near = page.toString('utf8', start, start + 4 * MAX_SHOWN)
  return near.slice(0, MAX_SHOWN).toWellFormed()
}

function elided(editIndex: number) {
  const message =
    ' would write an ELIDED-BY-SERVICE placeholder, which stands for data that the read left ' +
    'out, into the page: leave it out of replace, and edit the text around it.'
  return badEdit('elided_edit', editIndex, message)
}

function ambiguous(page: Buffer, needle: Buffer, editIndex: number) {
  const { count, isMore } = countMatches(page, needle)
  const inData = isUniqueWithoutDataUris(page, needle.toString())
    ? ' All but one of them lie inside data: URIs that an elided read leaves out.'
    : ''
  const message =
    `: its find is in the page ${isMore ? 'more than ' : ''}${count} times and must be there ` +
    `once: make it longer, or set replace_all.${inData}`
  return badEdit('edit_ambiguous', editIndex, message, { matches: count })
}

/** @param message what follows the number of the edit */
function badEdit(
  code: Parameters<typeof refuse.unprocessable>[0],
  editIndex: number,
  message: string,
  details: object = {},
) {
  const all = { edit_index: editIndex, ...details }
  return refuse.unprocessable(code, `Edit ${editIndex}${message}`, all)
}

/** Counts matches, with overlapping ones, up to a limit that bounds the work. */
function countMatches(page: Buffer, needle: Buffer): { count: number; isMore: boolean } {
  const most = Math.max(2, Math.min(MAX_MATCHES, Math.floor(WORK_BYTES / 16 / needle.length)))
  let count = 0
  for (let at = page.indexOf(needle, 0); at >= 0; at = page.indexOf(needle, at + 1)) {
    if (count === most) return { count, isMore: true }
    count++
  }
  return { count, isMore: false }
}

/**
 * Whether the text occurs once in a read without long data: URIs. The other matches are in those.
 */
function isUniqueWithoutDataUris(page: Buffer, find: string): boolean {
  if (page.length > MAX_HINT_BYTES) return false
  const html = page.toString()
  const text = Buffer.from(withoutUris(html, findLongDataUris(html)))
  const at = text.indexOf(find)
  return at >= 0 && text.indexOf(find, at + 1) < 0
}

function assertCount(count: number, maxEdits: number): void {
  if (count <= maxEdits) return
  throw refuse.unprocessable(
    'too_many_edits',
    `A page of this size takes ${maxEdits} edits a call, and this call makes ${count}: send the ` +
      'rest in another call.',
    { max_edits: maxEdits },
  )
}

function assertFits(size: number, limit: number, { editIndex, maxBytes }: EditContext): void {
  if (size <= limit) return
  const message = `The edits would make the HTML ${size} bytes long; ${maxBytes} are allowed.`
  throw refuse.tooLarge('html_too_large', message, { limit: maxBytes, edit_index: editIndex })
}

function assertText({ find, replace }: Edit, editIndex: number): void {
  const bad =
    find === ''
      ? 'find is empty'
      : !find.isWellFormed()
        ? 'find has half of a surrogate pair'
        : !replace.isWellFormed()
          ? 'replace has half of a surrogate pair'
          : null
  if (bad === null) return
  const param = `edits.${editIndex}.${bad.split(' ')[0]}`
  throw refuse.invalid('invalid_edit', `Edit ${editIndex}: ${bad}.`, {
    param,
    edit_index: editIndex,
  })
}

function changeOf({ find, replace }: Edit, count: number): Change {
  const before = shortened(find)
  const after = shortened(replace)
  return {
    before,
    after,
    before_truncated: before.length < find.length,
    after_truncated: after.length < replace.length,
    count,
  }
}

/** Cuts text at 200 characters, and not inside a surrogate pair. */
function shortened(text: string): string {
  const end = text.slice(0, MAX_CHANGE_CHARS)
  return end.isWellFormed() ? end : end.slice(0, -1)
}
