import { refuse } from '../errors.ts'
import { toJson } from '../json-text.ts'
import { BODY_LIMIT_BYTES, inMegabytes } from '../plan.ts'
import type { Received } from './received.ts'

/** The result of `tools/call`. */
export interface ToolResult {
  [member: string]: unknown
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

/**
 * Makes a tool result from the result of an operation. A sentence comes first when it is about one
 * page.
 *
 * @throws Refusal `content_too_large`, which only reads can cause
 */
export function answerResult(answer: unknown, metadata: Metadata): ToolResult {
  if (answer === undefined) return { content: [text('Done.')] }
  const body = { ...(answer as object), ...metadata }
  const json = toJson(body)
  if (json.length > BODY_LIMIT_BYTES) throw tooLong()
  const sentence = describe(body)
  return {
    content: [...(sentence === null ? [] : [text(sentence)]), text(json)],
    structuredContent: JSON.parse(json, preserveInteger) as Record<string, unknown>,
  }
}

/** What a tool result has besides the result of its operation. */
export interface Metadata {
  received?: Received | undefined
  etag?: string | undefined
}

/**
 * Makes a tool result from a text file, such as a CSV.
 *
 * @throws Refusal `content_too_large`
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
    `The result is over ${limit}, too long for a tool: ask for less, or read it from the API.`,
  )
}

/** Makes a tool result from an error, whose message tells the model what to do. */
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

interface PageResult {
  data?: { url?: string; is_published?: boolean; has_unpublished_changes?: boolean }
  received?: Received | undefined
}

function describe({ data, received }: PageResult): string | null {
  if (data?.url === undefined) return null
  const { url, is_published: isPublished, has_unpublished_changes: hasUnpublishedChanges } = data
  const state = !isPublished
    ? 'a draft, which only you see until you call publish'
    : hasUnpublishedChanges
      ? 'published, with changes that visitors do not see until you call publish'
      : 'published'
  const details = received === undefined ? '' : ` ${describeReceived(received)}`
  return `${url} is ${state}.${details}`
}

function describeReceived(received: Received): string {
  const files =
    'files' in received ? ` in ${received.files.length} files` : `, SHA-256 ${received.sha256}`
  return (
    `Received ${received.size_bytes} bytes${files}: ` +
    'if you meant to send more, it was cut short; send it by URL or as an upload.'
  )
}

function text(content: string) {
  return { type: 'text' as const, text: content }
}

/** A reviver that preserves the digits of integers that a number would round. */
function preserveInteger(
  _name: string,
  value: unknown,
  { source = '' }: ParseContext = {},
): unknown {
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value)
  return isRounded && /^-?\d+$/.test(source) ? rawJSON(source) : value
}
interface ParseContext {
  source?: string
}
/** The types of TypeScript do not have it yet. */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): unknown }
