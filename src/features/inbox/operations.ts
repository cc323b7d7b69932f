import { implement, type Operation } from '../../model/operation.ts'
import { getInbox, listInboxPages, markInbox } from './contract.ts'
import type { Inbox } from './index.ts'

export function inboxOperations(inbox: Inbox): Operation[] {
  return [
    implement(getInbox, async ({ account }, query) => ({ data: await inbox.read(account, query) })),
    implement(markInbox, async ({ account }, given) => ({
      data: await inbox.mark(account, given),
    })),
    implement(listInboxPages, ({ account }, query) => inbox.listPages(account, query)),
  ]
}
