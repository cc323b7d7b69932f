import { z } from 'zod'
import {
  approvalRecord,
  proof,
  RECORD_ALGORITHM,
  RECORD_TYPE,
} from '../../model/approval-record.ts'
import { type Batches, hash, MAX_NOTE, positive, time } from '../../model/archive.ts'
import type { Page } from '../../model/page/index.ts'
import { plainTextOf } from '../../model/plain-text.ts'
import { email } from '../../model/text.ts'
import { type Timestamp, timestampOf } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/index.ts'
import { badRows, importBatch, type WriteStep } from '../../platform/db/long-write.ts'
import { newId } from '../../platform/ids.ts'
import * as store from './store.ts'

/** The upper limit of times in records, in seconds since the epoch: the year 9999. */
const LAST_SECOND = 253_402_300_799

export async function* importedRecordsOf(db: Db, pageId: string): AsyncGenerator<object> {
  for (const { id, imported_at } of await store.listImportedRecords(db, [pageId])) {
    const row = await store.findImportedRecord(db, [pageId, id])
    if (row !== undefined) yield { ...row, imported_at }
  }
}

export const decisionRow = z.object({
  email,
  decision: z.enum(['approved', 'changes_requested']),
  note: plainTextOf(MAX_NOTE).nullable(),
  manifest_id: hash,
  version_no: positive,
  decided_at: time,
  proof,
})

/** A request to an approver. The server that has sent it reminds: this one never does. */
export const approvalRequestRow = z.object({
  email,
  asked_at: time,
  due_at: time.nullable(),
  // Older exports lack it.
  message: plainTextOf(MAX_NOTE).nullable().default(null),
})

/** A larger record stays in the archive. */
export const MAX_RECORD_BYTES = 2 * 1024 * 1024
/** A JWS in compact form. */
export const recordRow = z.object({ record: z.string().max(MAX_RECORD_BYTES) })

interface ImportedApprovals {
  approval_decisions: Batches<z.output<typeof decisionRow>>
  approval_requests: Batches<z.output<typeof approvalRequestRow>>
  approval_records: Batches<z.output<typeof recordRow>>
}

/**
 * Stores the approvals of an imported page. Its decisions are history: another server confirmed
 * them, so they count for nothing here and are in no record that this server signs. Requests are
 * shown, but send no reminders.
 *
 * @throws Refusal `invalid_parameter`
 */
export async function importApprovals(
  step: WriteStep,
  { page, now }: { page: Pick<Page, 'id'>; now: Timestamp },
  archived: ImportedApprovals,
): Promise<void> {
  const { id: pageId } = page
  const imported = { page_id: pageId, imported_at: now }
  for await (const batch of archived.approval_decisions) {
    const rows = batch.map((decision) => ({ ...decision, ...imported, id: newId('dec') }))
    await step((tx) => store.insertDecisions(tx, rows))
  }
  for await (const batch of archived.approval_requests) {
    const rows = batch.map((request) => ({ ...request, page_id: pageId, remind_at: null }))
    const duplicate = 'Two of its approval requests are to one address.'
    await importBatch(step, (tx) => store.insertImportedRequests(tx, rows), duplicate)
  }
  for await (const batch of archived.approval_records) {
    const rows = batch.map(({ record }) => ({ ...describe(record), ...imported, id: newId('rec') }))
    await step((tx) => store.insertImportedRecords(tx, rows))
  }
}

function describe(record: string) {
  const payload = parseRecord(record)
  if (payload === null) throw badRows('One of its signed records is no record of approvals.')
  const { iss: issuer, iat } = payload.record
  if (issuer.length > 2000 || iat < 0 || iat > LAST_SECOND) {
    throw badRows('One of its signed records names no server or no time that can be.')
  }
  return { record, issuer, key_id: payload.keyId, signed_at: timestampOf(iat * 1_000_000) }
}

const header = z.object({
  alg: z.literal(RECORD_ALGORITHM),
  typ: z.literal(RECORD_TYPE),
  kid: z.string().min(1).max(200),
})

/**
 * Reads the claims of a record, whose signature is not verified.
 *
 * @returns null unless this is a JWS in compact form with a record of approvals
 */
function parseRecord(jws: string) {
  const parts = jws.split('.')
  if (parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part))) return null
  try {
    const { kid: keyId } = header.parse(jsonIn(parts[0]!))
    return { record: approvalRecord.parse(jsonIn(parts[1]!)), keyId }
  } catch {
    return null
  }
}

function jsonIn(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
}
