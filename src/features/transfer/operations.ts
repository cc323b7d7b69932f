import type { Account } from '../../model/account.ts'
import type { ByteDownload } from '../../model/download.ts'
import { implement, type Operation, type RawBody } from '../../model/operation.ts'
import { exportAccount, type ImportedPage, importAccount } from './contract.ts'

export interface Transfer {
  /** @throws Refusal `export_running`, `too_many_exports` */
  exportAccount(account: Account): ByteDownload
  /** @throws Refusal `not_an_archive`, `archive_too_large` */
  importAccount(account: Account, body: RawBody): Promise<ImportedPage[]>
}

export function transferOperations(transfer: Transfer): Operation[] {
  return [
    implement(exportAccount, async ({ account }) => transfer.exportAccount(account)),
    implement(importAccount, async ({ account }, _input, body) => {
      const pages = await transfer.importAccount(account, body)
      const count = (status: ImportedPage['status']) =>
        pages.filter((page) => page.status === status).length
      return {
        data: {
          imported: count('imported'),
          skipped: count('skipped'),
          failed: count('failed'),
          pages,
        },
      }
    }),
  ]
}
