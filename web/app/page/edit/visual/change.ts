import { presentableDiff } from '@codemirror/merge'
import { decode, type Range, type Run, readUnits, type Unit } from './places.ts'

export interface SourceEdit extends Range {
  insert: string
}

/** Large texts are compared roughly, so that a save or a dialog begins at once. */
export const COMPARE = { scanLimit: 1000, timeout: 500 }
const SPACE = /[ \t\n\f\r]+/g

/** White space as the browser shows it where no style keeps it. */
export function fold(text: string): string {
  return text.replace(SPACE, ' ')
}

/** The text without the white space that the author wrote around it. */
export function coreOf(text: string): string {
  return text.replace(/^[ \t\n\f\r]+|[ \t\n\f\r]+$/g, '')
}

interface TextChange {
  /** What was shown when the typing began: the text of the run, as it is or folded. */
  before: string
  after: string
}

/**
 * The edits that make a run of text say what was typed. Only words that changed are replaced: all
 * that the author wrote around and between them stays, byte for byte.
 * @returns null where the run does not say `before`
 */
export function changeText(html: string, run: Run, { before, after }: TextChange) {
  const core = coreOf(run.text)
  const isFolded = core !== before
  if (isFolded && fold(core) !== before) return null
  const source = html.slice(run.start, run.end)
  const units = unitsOf(source, run, isFolded)
  const lineEnd = html.includes('\r\n') ? '\r\n' : '\n'
  const changes = differences(before, isFolded ? fold(after) : after)
  const edits = changes.map(({ start, end, insert }) => {
    const [from, to] = [boundary(units, start, 'start'), boundary(units, end, 'end')]
    // Of a reference that stands for several characters, those that stay are written again.
    const head = before.slice(from.text, start)
    const tail = before.slice(end, to.text)
    const text = escapeText(head + insert + tail).replaceAll('\n', lineEnd)
    return { start: run.start + from.source, end: run.start + to.source, insert: text }
  })
  const target = applyEdits(before, changes)
  const result = coreOf(decode(applyEdits(html, edits, run)))
  if ((isFolded ? fold(result) : result) === coreOf(target)) return edits
  // A bare `&` has met letters that make a reference of it: the whole text is written anew.
  const [first, last] = [units[0]!, units.at(-1)!]
  const insert = escapeText(target).replaceAll('\n', lineEnd)
  return [{ start: run.start + first.start, end: run.start + last.end, insert }]
}

/** The units of the core, of which each run of white space is one where it is shown as one. */
function unitsOf(source: string, { text }: Run, isFolded: boolean): Unit[] {
  const all = readUnits(source)
  const isSpace = (unit: Unit | undefined) => unit !== undefined && coreOf(unit.text) === ''
  if (coreOf(text) === '') return []
  let [first, last] = [0, all.length - 1]
  while (isSpace(all[first])) first += 1
  while (isSpace(all[last])) last -= 1
  const units: Unit[] = []
  for (const unit of all.slice(first, last + 1)) {
    const previous = units.at(-1)
    if (isFolded && isSpace(unit) && isSpace(previous)) previous!.end = unit.end
    else units.push(isFolded ? { ...unit, text: fold(unit.text) } : unit)
  }
  return units
}

/** Where a position of the text is in the source: at the start or end of its unit. */
function boundary(units: Unit[], at: number, side: 'start' | 'end') {
  let text = 0
  for (const unit of units) {
    const next = text + unit.text.length
    if (at === text) return { text, source: unit.start }
    if (at < next) {
      return side === 'start' ? { text, source: unit.start } : { text: next, source: unit.end }
    }
    text = next
  }
  return { text, source: units.at(-1)?.end ?? 0 }
}

/** The edits, in order, that make one text of another; words that changed are replaced whole. */
export function differences(before: string, after: string): SourceEdit[] {
  return presentableDiff(before, after, COMPARE).map(({ fromA, toA, fromB, toB }) => ({
    ...{ start: fromA, end: toA },
    insert: after.slice(fromB, toB),
  }))
}

/** What a text, or a part of it, is after edits, which are in order. */
export function applyEdits(
  text: string,
  edits: readonly SourceEdit[],
  part: Range = { start: 0, end: text.length },
): string {
  let out = ''
  let from = part.start
  for (const { start, end, insert } of edits) {
    out += text.slice(from, start) + insert
    from = end
  }
  return out + text.slice(from, part.end)
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
