import { diffArrays } from 'diff'
import type { Manifest, ManifestFile } from '../../model/manifest.ts'
import { textLines } from '../content/index.ts'
import type { ApprovalChanges, TextChange } from './contract.ts'

/** HTML beyond this, on either side, is reported as changed without its text. */
const MAX_HTML_BYTES = 8 * 1024 * 1024
/** Lines of a file beyond this have no difference computed: it would take too long. */
const MAX_FILE_LINES = 20_000
const MAX_EDITS = 2000
const MAX_DIFF_MS = 100
/** Of all files together. */
const MAX_LINES = 400
const MAX_LINE_CHARS = 500
const CONTEXT_LINES = 2

type Line = NonNullable<TextChange['lines']>[number]

export interface ContentPair {
  before: Manifest
  after: Manifest
  /** The bytes of a file by its hash. */
  bytes(hash: string): Promise<Uint8Array>
}

/** The differences between the texts of two versions, file by file, within limits. */
export async function changesBetween(
  pair: ContentPair,
): Promise<Pick<ApprovalChanges, 'files' | 'is_cut'>> {
  const budget = { bytes: MAX_HTML_BYTES, lines: MAX_LINES }
  const files: TextChange[] = []
  let isCut = false
  for (const changed of changedFiles(pair)) {
    const lines = await linesOf(changed, { ...pair, budget })
    if (lines !== null && lines.length > budget.lines) isCut = true
    const shown = lines?.slice(0, budget.lines) ?? null
    budget.lines -= shown?.length ?? 0
    files.push({ path: changed.path, state: changed.state, lines: shown })
  }
  return { files, is_cut: isCut }
}

interface ChangedFile {
  path: string
  state: TextChange['state']
  before: ManifestFile | undefined
  after: ManifestFile | undefined
}

/** A page with one file keeps it, whatever its name is. */
function changedFiles({ before, after }: ContentPair): ChangedFile[] {
  if (before.kind === 'single' && after.kind === 'single') {
    const [old, next] = [before.files[0], after.files[0]]
    return old?.hash === next?.hash
      ? []
      : [{ path: '', state: 'changed', before: old, after: next }]
  }
  const olds = new Map(before.files.map((file) => [file.path, file]))
  const news = new Map(after.files.map((file) => [file.path, file]))
  const paths = [...new Set([...news.keys(), ...olds.keys()])]
  return paths.flatMap((path) => {
    const [old, next] = [olds.get(path), news.get(path)]
    if (old?.hash === next?.hash) return []
    const state = old === undefined ? 'added' : next === undefined ? 'removed' : 'changed'
    return [{ path, state, before: old, after: next }]
  })
}

interface Limits {
  bytes(hash: string): Promise<Uint8Array>
  budget: { bytes: number }
}

/** @returns null for a file without text, and beyond the limits */
async function linesOf(
  { before, after }: ChangedFile,
  { bytes, budget }: Limits,
): Promise<Line[] | null> {
  const sides = [before, after].filter((file) => file !== undefined)
  if (!sides.every(({ mime }) => mime.startsWith('text/html'))) return null
  budget.bytes -= sides.reduce((sum, { size_bytes: size }) => sum + size, 0)
  if (budget.bytes < 0) return null
  const [old, next] = await Promise.all(
    [before, after].map(async (file) => (file ? textLines(await bytes(file.hash)) : [])),
  )
  if (Math.max(old!.length, next!.length) > MAX_FILE_LINES) return null
  const options = { maxEditLength: MAX_EDITS, timeout: MAX_DIFF_MS }
  const parts = diffArrays(old!, next!, options)
  return parts === undefined
    ? null
    : parts.flatMap((part, at) => shownLines(part, at, parts.length))
}

interface Part {
  added: boolean
  removed: boolean
  value: string[]
}

/** Lines that changed, with those around them. */
function shownLines({ added, removed, value }: Part, at: number, count: number): Line[] {
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
  const cut = text.length <= MAX_LINE_CHARS ? text : `${text.slice(0, MAX_LINE_CHARS - 1)}…`
  return cut.toWellFormed()
}
