import type { Account } from '../../model/account.ts'
import type { Batches } from '../../model/batches.ts'
import { refuse } from '../../model/errors.ts'
import { microsecondsOf } from '../../model/timestamp.ts'
import { isUniqueViolation } from '../../platform/db/errors.ts'
import type { Db } from '../../platform/db/index.ts'
import type { LastStep, WriteStep } from '../../platform/db/long-write.ts'
import type { ResponsesTable } from '../../platform/db/tables.ts'
import { newId } from '../../platform/ids.ts'
import * as store from './store.ts'

/** A response in the form in which another server exported it. */
export type GivenResponse = Omit<
  ResponsesTable,
  'id' | 'page_id' | 'controls' | 'size_bytes' | 'submissions'
>

/** One response has up to 256 KiB. */
const BATCH = 50

/** All responses of a page for an export, oldest first. */
export async function* responsesOf(db: Db, pageId: string): AsyncGenerator<object> {
  for (let after = ''; ; ) {
    const rows = await store.listToExport(db, pageId, { after, limit: BATCH })
    yield* rows
    if (rows.length < BATCH) return
    after = rows.at(-1)!.created_at
  }
}

/**
 * Stores the responses of an imported page.
 *
 * @throws Refusal `invalid_parameter` where they exceed the plan, or two are of one viewer
 */
export async function importResponses(
  step: WriteStep,
  { account, pageId }: { account: Account; pageId: string },
  given: Batches<GivenResponse>,
): Promise<LastStep> {
  if (given.count === 0) return async () => {}
  const { limits } = account
  const tooMany = 'It has more responses than your plan allows a page.'
  if (given.count > limits.responses_per_page) throw refused(tooMany)
  const [viewers, times] = [new Set<string>(), new Set<string>()]
  let [bytes, newest] = [0, '']
  for (const batch of given) {
    const rows = batch.map((response) => ({
      ...response,
      id: newId('rsp'),
      page_id: pageId,
      controls: null,
      size_bytes: Buffer.byteLength(response.data),
      submissions: '',
    }))
    for (const row of rows) {
      bytes += row.size_bytes
      viewers.add(row.viewer)
      times.add(row.created_at)
      if (row.submitted_at > newest) newest = row.submitted_at
    }
    if (bytes > limits.response_bytes_per_page) throw refused(tooMany)
    await step((tx) => store.insertAll(tx, rows)).catch((err) => {
      throw isUniqueViolation(err) ? badResponses() : err
    })
  }
  if (viewers.size < given.count || times.size < given.count) throw badResponses()
  const counter = { page_id: pageId, count: given.count, bytes, revision: 1 }
  return (tx) => store.insertWholeCounter(tx, { ...counter, last_us: microsecondsOf(newest) })
}

function badResponses() {
  return refused('Two of its responses are of one viewer or of one time.')
}

function refused(message: string) {
  return refuse.invalid('invalid_parameter', message)
}
