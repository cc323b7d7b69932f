import { z } from 'zod'
import { proof } from '../../model/approval-record.ts'
import { type Batches, positive, time } from '../../model/archive.ts'
import { hasPdfHeader } from '../../model/file-types.ts'
import { agreementSetting, MAX_AGREEMENT_BYTES, type Page } from '../../model/page/index.ts'
import { plainText, plainTextOf } from '../../model/plain-text.ts'
import { email } from '../../model/text.ts'
import type { Timestamp } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import { badRows, importBatch, type WriteStep } from '../../platform/db/long-write.ts'
import { newId, sha256 } from '../../platform/ids.ts'
import * as store from './store.ts'

export const agreementRow = agreementSetting
  .pick({ version: true, require: true, type: true })
  .extend({
    data_base64: z.base64().max(Math.ceil((4 / 3) * MAX_AGREEMENT_BYTES) + 4),
    created_at: time,
  })

export const acceptanceRow = z.object({
  agreement_version: positive,
  name: plainTextOf(100),
  email: email.nullable(),
  proof,
  page_version: positive.nullable(),
  accepted_at: time,
})

export async function* agreementsOf(db: Db, pageId: string): AsyncGenerator<object> {
  for (const { version } of await store.listVersions(db, [pageId])) {
    const row = await store.findVersion(db, [pageId, version])
    if (row === undefined) continue
    const { data, page_id: _, size_bytes: __, ...rest } = row
    yield { ...rest, data_base64: Buffer.from(data).toString('base64') }
  }
}

interface Imported {
  agreements: Batches<z.output<typeof agreementRow>>
  agreement_acceptances: Batches<z.output<typeof acceptanceRow>>
}

interface At {
  page: Page
  now: Timestamp
  addStored(tx: Tx, accountId: string, bytes: number): Promise<void>
}

/**
 * Stores the agreements of an imported page. Its acceptances are history, which is in no record
 * that this server signs. A page that asks for an agreement comes with that one, or not at all.
 *
 * @throws Refusal `invalid_parameter`, `quota_reached`
 */
export async function importAgreements(
  step: WriteStep,
  { page, now, addStored }: At,
  { agreements, agreement_acceptances }: Imported,
): Promise<void> {
  const { id: page_id, account_id, settings } = page
  const hashes = new Map<number, string>()
  let isComplete = settings.agreement === null
  for await (const { data_base64, ...row } of each(agreements)) {
    const data = Buffer.from(data_base64, 'base64')
    if (!isContent(row.type, data)) throw badRows('One of its agreements is no text or PDF.')
    const hash = sha256(data)
    hashes.set(row.version, hash)
    const { version, require, type, sha256: own } = settings.agreement ?? {}
    const isSame = version === row.version && require === row.require && type === row.type
    isComplete ||= isSame && own === hash
    const bytes = data.byteLength
    const versionRow = { ...row, page_id, sha256: hash, data, size_bytes: bytes }
    const duplicate = 'Two of its agreements have one number.'
    const insert = async (tx: Tx) => {
      await store.insertVersions(tx, [versionRow])
      await addStored(tx, account_id, bytes)
    }
    await importBatch(step, insert, duplicate)
  }
  if (!isComplete) throw badRows('The agreement that it asks for is missing.')
  for await (const batch of agreement_acceptances) {
    if (batch.some((row) => !hashes.has(row.agreement_version))) {
      throw badRows('One of its acceptances is of no agreement that it has.')
    }
    const of = { page_id, link_id: null, browser: null, imported_at: now }
    const rows = batch.map((row) => ({ ...row, ...of, id: newId('agr') }))
    await step((tx) => store.insertImported(tx, rows))
  }
}

async function* each<T>(batches: Batches<T>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch
}

function isContent(type: string, data: Buffer): boolean {
  if (type === 'pdf') return hasPdfHeader(data)
  const text = data.toString()
  return text !== '' && plainText(text) === text && Buffer.from(text).equals(data)
}
