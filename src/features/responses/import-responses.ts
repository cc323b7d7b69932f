import { z } from 'zod'
import type { Account } from '../../model/account.ts'
import { type Batches, positive, time } from '../../model/archive.ts'
import { parseJson } from '../../model/parse-json.ts'
import { microsecondsOf } from '../../model/times.ts'
import type { Db } from '../../platform/db/index.ts'
import {
  badRows,
  importBatch,
  type LastStep,
  rowsInBatches,
  type WriteStep,
} from '../../platform/db/long-write.ts'
import { newId } from '../../platform/ids.ts'
import * as store from './store.ts'

const RESPONSE_BYTES = 256 * 1024

/** A response in the form in which another server exported it. */
export const responseRow = z.object({
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

function isJsonObject(text: string): boolean {
  if (Buffer.byteLength(text) > RESPONSE_BYTES) return false
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One response has up to 256 KiB. */
const BATCH = 50

export function responsesOf(db: Db, pageId: string): AsyncGenerator<object> {
  return rowsInBatches({ by: 'created_at', limit: BATCH }, (...range) =>
    store.listToExport(db, [pageId, ...range]),
  )
}

/**
 * Stores the responses of an imported page.
 *
 * @throws Refusal `invalid_parameter` where they exceed the plan, or two are of one viewer
 */
export async function importResponses(
  step: WriteStep,
  { account, pageId }: { account: Account; pageId: string },
  responses: Batches<z.output<typeof responseRow>>,
): Promise<LastStep> {
  const { count } = responses
  if (count === 0) return async () => {}
  const { limits } = account
  const tooMany = 'It has more responses than your plan allows a page.'
  const duplicate = 'Two of its responses are of one viewer or of one time.'
  if (count > limits.responses_per_page) throw badRows(tooMany)
  const [viewers, times] = [new Set<string>(), new Set<string>()]
  let [bytes, newest] = [0, '']
  for await (const batch of responses) {
    for (const { viewer, created_at, submitted_at, data } of batch) {
      bytes += Buffer.byteLength(data)
      viewers.add(viewer)
      times.add(created_at)
      if (submitted_at > newest) newest = submitted_at
    }
    if (bytes > limits.response_bytes_per_page) throw badRows(tooMany)
    const rows = batch.map((response) => ({
      ...response,
      id: newId('rsp'),
      page_id: pageId,
      controls: null,
      size_bytes: Buffer.byteLength(response.data),
      submissions: '',
    }))
    await importBatch(step, (tx) => store.insertAll(tx, rows), duplicate)
  }
  if (viewers.size < count || times.size < count) throw badRows(duplicate)
  const counter = { page_id: pageId, count, bytes, revision: 1, list_types: '[]' }
  return (tx) => store.insertCounters(tx, [{ ...counter, last_us: microsecondsOf(newest) }])
}
