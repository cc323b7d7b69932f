import { implement, type Operation } from '../../model/operation.ts'
import { exportAccount, type ImportedPage, importAccount } from './contract.ts'
import type { Transfer } from './transfer.ts'

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
