import { StoredFile } from '../../model/download.ts'
import { refuse } from '../../model/errors.ts'
import type { Page } from '../../model/page/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { ImportedRecord } from './contract.ts'
import * as store from './store.ts'

export interface ImportedRecords {
  /** The records of other servers that were imported with the page, in the order of signing. */
  importedRecords(page: Page): Promise<ImportedRecord[]>
  /** One imported record, unchanged. @throws Refusal `record_not_found` */
  importedRecordFile(page: Page, id: string): Promise<StoredFile>
}

/** Imported records stay unchanged: only the key of the server that signed them verifies them. */
export function createImportedRecords(database: Database): ImportedRecords {
  return {
    importedRecords: ({ id }) => store.listImportedRecords(database.read, id),
    async importedRecordFile(page, id) {
      const record = await store.findImportedRecord(database.read, page.id, id)
      if (record === undefined) {
        const message = 'No such record was imported with this page.'
        throw refuse.notFound('record_not_found', message, { param: 'record_id' })
      }
      const body = Buffer.from(`${record}\n`)
      const filename = `approvals-${page.slug}-imported.jws`
      return new StoredFile({ filename, mime: 'application/jose', etag: `"${sha256(body)}"`, body })
    },
  }
}
