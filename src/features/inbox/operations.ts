import { refuse } from '../../model/errors.ts'
import { implement, type Operation } from '../../model/operation.ts'
import { getInbox, listInboxPages, markInbox } from './contract.ts'
import type { Inbox } from './index.ts'

export function inboxOperations(inbox: Inbox): Operation[] {
  return [
    implement(getInbox, async ({ account }, query) => ({ data: await inbox.read(account, query) })),
    implement(markInbox, async ({ account }, marks) => {
      if (marks.is_read === undefined && marks.is_done === undefined) {
        const message = 'Pass is_read or is_done, or both.'
        throw refuse.invalid('invalid_parameter', message, { param: 'is_read' })
      }
      return { data: await inbox.mark(account, marks) }
    }),
    implement(listInboxPages, ({ account }, query) => inbox.listPages(account, query)),
  ]
}
