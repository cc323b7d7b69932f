import { refuse } from '../errors.ts'
import { toJson } from '../json-text.ts'
import { BODY_LIMIT_BYTES, inMegabytes } from '../plan.ts'
import type { Received } from './received.ts'

/** What `tools/call` answers. */
export interface ToolResult {
  [member: string]: unknown
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

/**
 * The operation's answer as it is, after a line of what it means where it is about one page.
 *
 * @throws Refusal `content_too_large`: only what is read can be that long
 */
export function answerResult(answer: unknown, beside: Beside): ToolResult {
  if (answer === undefined) return { content: [text('Done.')] }
  const body = { ...(answer as object), ...beside }
  const json = toJson(body)
  if (json.length > BODY_LIMIT_BYTES) throw tooLong()
  const line = lineOf(body)
  return {
    content: [...(line === null ? [] : [text(line)]), text(json)],
    structuredContent: JSON.parse(json, asWritten) as Record<string, unknown>,
  }
}

/** What a tool answers beside what its operation does. */
export interface Beside {
  received?: Received | undefined
  etag?: string | undefined
}

/**
 * A file, such as a CSV: its text is the content.
 *
 * @throws Refusal `content_too_large`: whatever is longer is for other programs
 */
export async function fileResult({ filename, mime, chunks }: TextFile): Promise<ToolResult> {
  let content = ''
  for await (const chunk of chunks) {
    content += chunk
    if (content.length > BODY_LIMIT_BYTES) throw tooLong()
  }
  const sizeBytes = new TextEncoder().encode(content).byteLength
  return {
    content: [text(content)],
    structuredContent: { file: { filename, mime, size_bytes: sizeBytes } },
  }
}
interface TextFile {
  filename: string
  mime: string
  chunks: AsyncIterable<string>
}

function tooLong() {
  const limit = inMegabytes(BODY_LIMIT_BYTES)
  return refuse.tooLarge(
    'content_too_large',
    `The answer is over ${limit}, too long for a tool: ask for less, or read it from the API.`,
  )
}

/** A "no" that the model may read, and act on: the message says what to do. */
export function errorResult(error: ToolError): ToolResult {
  return {
    isError: true,
    content: [text(`${error.message} (${error.code})`), text(JSON.stringify({ error }))],
    structuredContent: { error },
  }
}

export interface ToolError {
  code: string
  message: string
  [detail: string]: unknown
}

interface Told {
  data?: { url?: string; is_published?: boolean; has_unpublished_changes?: boolean }
  received?: Received | undefined
}

function lineOf({ data, received }: Told): string | null {
  if (data?.url === undefined) return null
  const { url, is_published: isPublished, has_unpublished_changes: hasUnpublishedChanges } = data
  const state = !isPublished
    ? 'a draft, which only you see until you call publish'
    : hasUnpublishedChanges
      ? 'published, with changes that visitors do not see until you call publish'
      : 'published'
  const arrived = received === undefined ? '' : ` ${sentenceOf(received)}`
  return `${url} is ${state}.${arrived}`
}

function sentenceOf(received: Received): string {
  const what =
    'files' in received ? ` in ${received.files.length} files` : `, SHA-256 ${received.sha256}`
  return (
    `Received ${received.size_bytes} bytes${what}: ` +
    'if you meant to send more, it was cut short; send it by URL or as an upload.'
  )
}

function text(content: string) {
  return { type: 'text' as const, text: content }
}

/** A whole number of more digits than a number can hold stays as it was written. */
function asWritten(_name: string, value: unknown, { source = '' }: Written = {}): unknown {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value)
  return isRounded && /^-?\d+$/.test(source) ? rawJSON(source) : value
}
interface Written {
  source?: string
}
/** Newer than what TypeScript knows of JSON. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown }
