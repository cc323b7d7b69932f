import type { Account } from '../../model/account.ts'
import { operationsOf } from '../../model/operation.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { Accounts, AnnouncePages } from './accounts.ts'
import * as contract from './contract.ts'
import type { AccountDeletion } from './deletion.ts'
import type { AccountUsage } from './usage.ts'

interface AccountOperationDeps {
  accounts: Accounts
  deletion: AccountDeletion
  announcePages: AnnouncePages
  usageOf(account: Account): Promise<AccountUsage>
  /** @throws Refusal `invalid_parameter` */
  pageIdsNamed(account: Account, names: string[] | null): Promise<string[] | null>
}

export function accountOperations(deps: AccountOperationDeps) {
  const { accounts, deletion, announcePages, usageOf, pageIdsNamed } = deps

  async function present(account: Account) {
    const [details, usage] = await Promise.all([accounts.details(account.id), usageOf(account)])
    return { ...account, ...details, email: displayEmail(account.email), usage }
  }

  return operationsOf(contract, {
    getAccount: ({ account }) => present(account),
    updateAccount: async ({ account }, changes) => {
      await accounts.update(account.id, changes, announcePages)
      return present({ ...account, ...(changes.name !== undefined && { name: changes.name }) })
    },
    deleteAccount: ({ account }, { email }) => deletion.delete(account, email),
    listKeys: ({ account }) => accounts.activeKeys(account.id),
    createKey: async ({ account }, { page_ids: names, ...newKey }) => {
      const page_ids = await pageIdsNamed(account, names)
      return accounts.addKey(account, { ...newKey, page_ids })
    },
    revokeKey: ({ account }, { key_id: id }) => accounts.revokeKey(id, account.id),
  })
}
