import type { FormControl } from '../../model/form.ts'
import { plainLine } from '../../model/plain-text.ts'
import { parseTimestamp } from '../../model/times.ts'

const MAX_NAME_LENGTH = 200
const MAX_CONTROLS = 200
const MAX_CONTROL_NAME_LENGTH = 1000
const MAX_LABEL_LENGTH = 200
/** How many of a viewer's latest submissions are recognised if the client repeats them. */
const MAX_REMEMBERED_IDS = 8

/** What a page's HTML says about responses: the published HTML, or the draft if there is none. */
export interface Forms {
  /** Whether visitors can respond; false if nothing is published. */
  collecting: boolean
  controls: readonly FormControl[]
}

/** A submission that a page sends for its viewer. */
export interface Submission {
  /** Chosen by the client. A repeated submission has the same id and counts once. */
  id: string
  /** The JSON text exactly as sent. */
  data: string
  name: string | null
  page_version: string | null
  path: string
  /** The form's controls at the time of the submission. */
  controls: FormControl[]
}

/** The columns that are stored of a submission. */
export interface SubmissionRow extends Omit<Submission, 'id' | 'controls'> {
  /** JSON, or null. */
  controls: string | null
  size_bytes: number
}

export function submissionRow(
  submission: Submission,
  fields: Readonly<Record<string, unknown>>,
  publishedControls: readonly FormControl[],
): SubmissionRow {
  const { data, path, page_version } = submission
  const nameInData = typeof fields.name === 'string' ? fields.name : null
  const controls = unpublishedControls(submission.controls, publishedControls)
  return {
    name: cleanName(submission.name) ?? cleanName(nameInData),
    page_version: page_version === null ? null : parseTimestamp(page_version),
    path,
    data,
    controls,
    size_bytes: Buffer.byteLength(data) + Buffer.byteLength(controls ?? ''),
  }
}

/** One line of visible text with a limited length; null if nothing visible remains. */
export function cleanName(text: string | null): string | null {
  const visible = plainLine((text ?? '').slice(0, 10 * MAX_NAME_LENGTH))
  return [...visible].slice(0, MAX_NAME_LENGTH).join('').trimEnd() || null
}

/**
 * The controls that the published HTML does not have, since the page's script added them. JSON, or
 * null if there are none.
 */
export function unpublishedControls(
  formControls: readonly FormControl[],
  published: readonly FormControl[],
): string | null {
  const knownNames = new Set(published.map(({ name }) => name))
  const controls: FormControl[] = []
  for (const { name, label, kind } of formControls) {
    if (knownNames.has(name) || name === '' || name.length > MAX_CONTROL_NAME_LENGTH) continue
    knownNames.add(name)
    controls.push({ name, label: label?.slice(0, MAX_LABEL_LENGTH).toWellFormed() ?? null, kind })
    if (controls.length === MAX_CONTROLS) break
  }
  return controls.length === 0 ? null : JSON.stringify(controls)
}

/** @param submissions a response's latest submission ids, separated by spaces */
export function hasSubmission(submissions: string, id: string): boolean {
  return submissions.split(' ').includes(id)
}

export function withSubmission(submissions: string, id: string): string {
  return [...submissions.split(' '), id].slice(-MAX_REMEMBERED_IDS).join(' ')
}

/** A page is closed from `closedAt` on, that instant included. */
export function isClosed(closedAt: string | null, now: string): boolean {
  return closedAt !== null && closedAt <= now
}

/** The list of objects to split into rows; null for none, undefined for an unknown one. */
export function splitKey(explode: string | undefined, explodable: readonly string[]) {
  if (explode === undefined) return explodable[0] ?? null
  if (explode === 'none') return null
  return explodable.includes(explode) ? explode : undefined
}

const MAX_CHUNK_BYTES = 512 * 1024
const MAX_CHUNK_RESPONSES = 500

/** How many responses to read at once: fewer if they are large, so that memory is bounded. */
export function chunkSize({ count, bytes }: { count: number; bytes: number }): number {
  const fitting = Math.floor(MAX_CHUNK_BYTES / Math.max(1, bytes / Math.max(1, count)))
  return Math.min(MAX_CHUNK_RESPONSES, Math.max(1, fitting))
}

const MAX_FILE_NAME_LENGTH = 100

/** Names a download after the page's title, or its slug if the title cannot name a file. */
export function fileName({ title, slug }: { title: string | null; slug: string }): string {
  const name = (title ?? '').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu, ' ')
  const short = [...name.trim()]
    .slice(0, MAX_FILE_NAME_LENGTH)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '')
  return `${short || slug}-responses.csv`
}
