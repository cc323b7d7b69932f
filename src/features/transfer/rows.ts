import type { z } from 'zod'
import type { Batches } from '../../model/archive.ts'
import type { TemporaryFile } from '../../platform/temporary-files.ts'
import { accessRequestRow } from '../access/index.ts'
import { acceptanceRow, agreementRow } from '../agreements/index.ts'
import { approvalRequestRow, decisionRow, recordRow } from '../approvals/index.ts'
import { commentRow } from '../comments/index.ts'
import { optionRow, voteRow } from '../polls/index.ts'
import { responseRow } from '../responses/index.ts'
import { facetRow, hourRow, viewerRow } from '../views/index.ts'

const MB = 1024 * 1024
export const MAX_LINE_CHARS = 3 * MB

/** The files of rows that an import reads. They wait in a file until the page is stored. */
export const ROW_FILES = {
  responses: { row: responseRow, maxBytes: 512 * MB, maxRows: 1_000_000 },
  comments: { row: commentRow, maxBytes: 64 * MB, maxRows: 10_000 },
  poll_options: { row: optionRow, maxBytes: MB, maxRows: 1000 },
  votes: { row: voteRow, maxBytes: 64 * MB, maxRows: 100_000 },
  agreements: { row: agreementRow, maxBytes: 64 * MB, maxRows: 1000 },
  agreement_acceptances: { row: acceptanceRow, maxBytes: 16 * MB, maxRows: 10_000 },
  access_requests: { row: accessRequestRow, maxBytes: 16 * MB, maxRows: 50_000 },
  approval_decisions: { row: decisionRow, maxBytes: 64 * MB, maxRows: 20_000 },
  approval_requests: { row: approvalRequestRow, maxBytes: 64 * MB, maxRows: 10_000 },
  approval_records: { row: recordRow, maxBytes: 64 * MB, maxRows: 100 },
  view_facets: { row: facetRow, maxBytes: 64 * MB, maxRows: 500_000 },
  confirmed_viewers: { row: viewerRow, maxBytes: 64 * MB, maxRows: 100_000 },
  view_hours: { row: hourRow, maxBytes: 16 * MB, maxRows: 200_000 },
} as const

export type ArchivedRows = {
  [File in keyof typeof ROW_FILES]: Batches<z.output<(typeof ROW_FILES)[File]['row']>>
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
