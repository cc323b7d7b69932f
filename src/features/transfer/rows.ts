import { z } from 'zod'
import { ANCHOR_STATES, anchorInput } from '../../model/anchor.ts'
import type { Batches } from '../../model/batches.ts'
import { AUTHOR_KINDS, MAX_BODY, MAX_NAME, MAX_PATH } from '../../model/comment.ts'
import { MAX_POLL_OPTION } from '../../model/page/facts.ts'
import { plainLine, plainTextOf } from '../../model/plain-text.ts'
import { email } from '../../model/text.ts'
import type { TemporaryFile } from '../../platform/temporary-files.ts'
import { FACETS } from '../views/index.ts'
import { hash, time } from './format.ts'

const MB = 1024 * 1024
const INT = 2_147_483_647
const RESPONSE_BYTES = 256 * 1024
const MAX_NOTE = 2000
/** One row of a file. */
export const MAX_LINE_BYTES = 3 * MB
/** A larger record stays in the archive. */
export const MAX_RECORD_BYTES = 2 * MB

const positive = z.int().min(1).max(INT)
const bit = z.union([z.literal(0), z.literal(1)])
const name = z
  .string()
  .max(4 * MAX_NAME)
  .transform(plainLine)
  .nullable()
const id = z.string().min(1).max(100)

const response = z.object({
  viewer: z.string().min(1).max(200),
  respondent: z.string().min(1).max(320),
  name: z.string().max(200).nullable(),
  submitted_at: time,
  created_at: time,
  page_version: time.nullable(),
  path: z.string().max(1024),
  submit_count: positive,
  data: z.string().max(RESPONSE_BYTES).refine(isJsonObject),
})

const range = z.object({ start: z.int().min(0).max(INT), end: z.int().min(0).max(INT) })
const around = z.string().max(400)
const comment = z
  .object({
    id,
    parent_id: id.nullable(),
    author_kind: z.enum(AUTHOR_KINDS),
    author_key: z.string().min(1).max(200),
    author_email: email.nullable(),
    name,
    body: z.union([z.literal(''), plainTextOf(MAX_BODY)]),
    path: z.string().max(MAX_PATH),
    version_no: positive,
    file_hash: hash,
    anchor: anchorInput.nullable(),
    anchor_state: z.enum(ANCHOR_STATES).nullable(),
    anchor_places: z.object({
      written: range.nullable(),
      last: z.object({ ...range.shape, hash, prefix: around, suffix: around }).nullable(),
    }),
    state: z.enum(['open', 'resolved']),
    addressed_in: positive.nullable(),
    addressed_by_draft: positive.nullable(),
    is_hidden: bit,
    is_deleted: bit,
    created_at: time,
    edited_at: time.nullable(),
  })
  .refine((row) => (row.anchor === null) === (row.anchor_state === null))
  .refine((row) => (row.body === '') === (row.is_deleted === 1))
  .refine((row) => row.is_deleted === 0 || (row.parent_id === null && row.author_email === null))

const option = z.object({
  option_no: z.int().min(1).max(1_000_000),
  text: z.string().min(1).max(MAX_POLL_OPTION),
})
const vote = z
  .object({
    option_no: option.shape.option_no,
    email: email.nullable(),
    name,
    voted_at: time.nullable(),
  })
  // A vote is named in all of it, or it is secret.
  .refine(({ email, name, voted_at: at }) =>
    email === null ? name === null && at === null : name !== null && at !== null,
  )

const request = z
  .object({
    email,
    created_at: time,
    decided_at: time.nullable(),
    decision: z.enum(['approve', 'deny']).nullable(),
  })
  .refine((row) => (row.decided_at === null) === (row.decision === null))

const decision = z.object({
  email,
  decision: z.enum(['approved', 'changes_requested']),
  note: plainTextOf(MAX_NOTE).nullable(),
  manifest_id: hash,
  version_no: positive,
  decided_at: time,
})

/** The server that has sent them reminds: this one never does. */
const approvalRequest = z.object({
  email,
  asked_at: time,
  due_at: time.nullable(),
  // Older exports lack it.
  message: plainTextOf(MAX_NOTE).nullable().default(null),
})

const record = z.object({ record: z.string().max(MAX_RECORD_BYTES) })

const hour = z.object({
  hour: z.int().min(0).max(INT),
  views: z.int().min(0).max(INT),
  viewers: z.int().min(0).max(INT),
})

const facet = z.object({
  day: z.int().min(0).max(INT),
  facet: z.enum(FACETS),
  value: z.string().max(1200),
  count: z.int().min(0).max(INT),
  seconds: z.int().min(0).max(INT),
})

const viewer = z
  .object({
    email,
    views: positive,
    first_at: time,
    last_at: time,
    manifest_id: hash.nullable(),
    seconds: z.int().min(0).max(INT),
    last_sheet: positive.nullable(),
  })
  .refine((row) => row.first_at <= row.last_at)

/** The files of rows that an import reads. They wait in a file until the page is stored. */
export const ROW_FILES = {
  responses: { row: response, maxBytes: 512 * MB, maxRows: 1_000_000 },
  comments: { row: comment, maxBytes: 64 * MB, maxRows: 10_000 },
  poll_options: { row: option, maxBytes: MB, maxRows: 1000 },
  votes: { row: vote, maxBytes: 64 * MB, maxRows: 100_000 },
  access_requests: { row: request, maxBytes: 16 * MB, maxRows: 50_000 },
  approval_decisions: { row: decision, maxBytes: 64 * MB, maxRows: 20_000 },
  approval_requests: { row: approvalRequest, maxBytes: 64 * MB, maxRows: 10_000 },
  approval_records: { row: record, maxBytes: 64 * MB, maxRows: 100 },
  view_facets: { row: facet, maxBytes: 64 * MB, maxRows: 500_000 },
  confirmed_viewers: { row: viewer, maxBytes: 64 * MB, maxRows: 100_000 },
  view_hours: { row: hour, maxBytes: 16 * MB, maxRows: 200_000 },
} as const

export type ArchivedRows = {
  [File in keyof typeof ROW_FILES]: Batches<z.output<(typeof ROW_FILES)[File]['row']>>
}

function isJsonObject(text: string): boolean {
  if (Buffer.byteLength(text) > RESPONSE_BYTES) return false
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** The bytes that one transaction stores, during which other writes have to wait. */
const BATCH_BYTES = 128 * 1024
const BATCH_ROWS = 100

/** Appends rows to a temporary file, until all data of the page is checked. */
export async function stageRows<T>(file: StagingFile, rows: AsyncIterable<T>): Promise<Batches<T>> {
  const places: { position: number; length: number }[] = []
  let count = 0
  let texts: string[] = []
  let size = 0

  async function flush(): Promise<void> {
    if (texts.length === 0) return
    const bytes = Buffer.from(`[${texts.join()}]`)
    places.push({ position: await file.append(bytes), length: bytes.byteLength })
    texts = []
    size = 0
  }

  for await (const row of rows) {
    const text = JSON.stringify(row)
    count += 1
    size += text.length
    texts.push(text)
    if (size >= BATCH_BYTES || texts.length >= BATCH_ROWS) await flush()
  }
  await flush()
  return {
    count,
    *[Symbol.iterator]() {
      for (const { position, length } of places) {
        const bytes = Buffer.allocUnsafe(length)
        file.read(bytes, position)
        yield JSON.parse(bytes.toString()) as T[]
      }
    },
  }
}

export type StagingFile = ReturnType<typeof createStagingFile>

/** A file for the rows of one page. It is made when there are any. */
export function createStagingFile(create: () => Promise<TemporaryFile>) {
  let file: TemporaryFile | null = null
  let size = 0
  return {
    /** @returns the position of the bytes */
    async append(bytes: Uint8Array): Promise<number> {
      file ??= await create()
      await file.append(bytes)
      size += bytes.byteLength
      return size - bytes.byteLength
    },
    read: (target: Uint8Array, position: number) => file!.readAtSync(target, position),
    close: async () => file?.close(),
  }
}
