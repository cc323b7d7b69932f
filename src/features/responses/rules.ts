import type { FormControl } from '../../model/form.ts'
import { parseTimestamp } from '../../model/timestamp.ts'

const MAX_NAME_LENGTH = 200
const MAX_CONTROLS = 200
const MAX_CONTROL_NAME_LENGTH = 1000
const MAX_LABEL_LENGTH = 200
/** How many of a viewer's latest submissions are recognised when the client sends them again. */
const MAX_REMEMBERED_IDS = 8

/** What a page sends for its viewer. */
export interface Submission {
  /** The client's own id: the same submission sent again is not another one. */
  id: string
  /** JSON text, as it was sent. */
  data: string
  name: string | null
  page_version: string | null
  path: string
  /** The form's, as they stood when it was sent. */
  controls: FormControl[]
}

/** What is kept of a submission. */
export interface Kept {
  name: string | null
  page_version: string | null
  path: string
  data: string
  /** JSON, or null. */
  controls: string | null
  size_bytes: number
}

export function keptOf(
  submission: Submission,
  parsed: Readonly<Record<string, unknown>>,
  published: readonly FormControl[],
): Kept {
  const { data, path, page_version: pageVersion } = submission
  const ownName = typeof parsed.name === 'string' ? parsed.name : null
  const controls = keptControls(submission.controls, published)
  return {
    name: cleanName(submission.name) ?? cleanName(ownName),
    page_version: pageVersion === null ? null : parseTimestamp(pageVersion),
    path,
    data,
    controls,
    size_bytes: Buffer.byteLength(data) + Buffer.byteLength(controls ?? ''),
  }
}

/** One line of visible text, cut where it is long; null where nothing is left. */
export function cleanName(text: string | null): string | null {
  const visible = (text ?? '')
    .slice(0, 10 * MAX_NAME_LENGTH)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\u0000-\u0020\u007f-\u00a0\u2028-\u202e\u2066-\u2069]+/g, ' ')
    .trim()
  return [...visible].slice(0, MAX_NAME_LENGTH).join('').trimEnd() || null
}

/** What the page's script made after it was published: the published HTML knows the others. */
export function keptControls(
  sent: readonly FormControl[],
  published: readonly FormControl[],
): string | null {
  const known = new Set(published.map(({ name }) => name))
  const kept: FormControl[] = []
  for (const { name, label, kind } of sent) {
    if (known.has(name) || name === '' || name.length > MAX_CONTROL_NAME_LENGTH) continue
    known.add(name)
    kept.push({ name, label: label?.slice(0, MAX_LABEL_LENGTH).toWellFormed() ?? null, kind })
    if (kept.length === MAX_CONTROLS) break
  }
  return kept.length === 0 ? null : JSON.stringify(kept)
}

export function isKnownSubmission(submissions: string, id: string): boolean {
  return submissions.split(' ').includes(id)
}

export function withSubmission(submissions: string, id: string): string {
  return [...submissions.split(' '), id].slice(-MAX_REMEMBERED_IDS).join(' ')
}

/** By the clock: from that instant on. */
export function isClosed(closedAt: string | null, now: string): boolean {
  return closedAt !== null && closedAt <= now
}

/** The list of objects that is split into rows, or null. `undefined`: one is unknown. */
export function splitKey(asked: string | undefined, explodable: readonly string[]) {
  if (asked === undefined) return explodable[0] ?? null
  if (asked === 'none') return null
  return explodable.includes(asked) ? asked : undefined
}

const MAX_CHUNK_BYTES = 512 * 1024
const MAX_CHUNK_RESPONSES = 500

/** How many are read at once: few where they are large, so that memory stays flat. */
export function chunkSize({ count, bytes }: { count: number; bytes: number }): number {
  const fitting = Math.floor(MAX_CHUNK_BYTES / Math.max(1, bytes / Math.max(1, count)))
  return Math.min(MAX_CHUNK_RESPONSES, Math.max(1, fitting))
}

const MAX_FILE_NAME_LENGTH = 100

/** What the page is called, where that can name a file. */
export function fileName({ title, slug }: { title: string | null; slug: string }): string {
  const name = (title ?? '').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu, ' ')
  const short = [...name.trim()]
    .slice(0, MAX_FILE_NAME_LENGTH)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '')
  return `${short || slug}-responses.csv`
}
