import { implement, type Operation } from '../../model/operation.ts'
import {
  changeAccount,
  createAccount,
  endSuspension,
  getHealth,
  getStorage,
  giveBackPage,
  listAccounts,
  listAllPages,
  suspendAccount,
  takeDownPage,
} from './contract.ts'
import type { Operator } from './index.ts'

export function operatorOperations(operator: Operator): Operation[] {
  return [
    implement(listAccounts, (_subject, query) => operator.listAccounts(query)),
    implement(createAccount, async (_subject, given) => ({
      data: await operator.createAccount(given),
    })),
    implement(changeAccount, async (_subject, { account_id: id, ...changes }) => ({
      data: await operator.changeAccount(id, changes),
    })),
    implement(suspendAccount, async (by, { account_id: id }) => ({
      data: await operator.suspend(id, by.account),
    })),
    implement(endSuspension, async (by, { account_id: id }) => ({
      data: await operator.endSuspension(id, by.account),
    })),
    implement(listAllPages, (_subject, query) => operator.listPages(query)),
    implement(takeDownPage, async (_subject, { page_id: id, reason }) => ({
      data: await operator.setTakedown(id, reason),
    })),
    implement(giveBackPage, async (_subject, { page_id: id }) => ({
      data: await operator.setTakedown(id, null),
    })),
    implement(getStorage, async () => ({ data: await operator.storage() })),
    implement(getHealth, async () => ({ data: await operator.health() })),
  ]
}
