import type { z } from 'zod'
import type { Batches } from '../../model/archive.ts'
import { accessRequestRow } from '../access/index.ts'
import { acceptanceRow, agreementRow } from '../agreements/index.ts'
import { approvalRequestRow, decisionRow, recordRow } from '../approvals/index.ts'
import { commentRow } from '../comments/index.ts'
import { optionRow, voteRow } from '../polls/index.ts'
import { responseRow } from '../responses/index.ts'
import { facetRow, hourRow, viewerRow } from '../views/index.ts'

const MB = 1024 * 1024
export const MAX_LINE_CHARS = 3 * MB

/** The files of rows that an import reads: twice, as all are checked before any is stored. */
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

/** What one transaction stores, during which other writes have to wait. */
const BATCH_CHARS = 128 * 1024
const BATCH_ROWS = 100

/** Rows, each with its length in the archive. */
type RowsOfFile<T> = AsyncIterable<readonly [row: T, chars: number]>

/**
 * Checks all rows of a file before any is stored.
 *
 * @param read reads and checks them, from the first one on
 */
export async function batchesOf<T>(read: () => RowsOfFile<T>): Promise<Batches<T>> {
  let count = 0
  for await (const _ of read()) count += 1
  return { count, [Symbol.asyncIterator]: () => inBatches(read()) }
}

async function* inBatches<T>(rows: RowsOfFile<T>): AsyncGenerator<T[]> {
  let batch: T[] = []
  let size = 0
  for await (const [row, chars] of rows) {
    batch.push(row)
    size += chars
    if (size < BATCH_CHARS && batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}
