import { implement, type Operation } from '../../model/operation.ts'
import type { Checks } from '../../platform/checks.ts'
import { listMails, readMail, retryMail } from './contract.ts'
import type { MailLists } from './mail-lists.ts'

/** @param checks `sendsMails` is false while the mails of this server wait in a folder */
export function mailOperations(mails: MailLists, checks: Pick<Checks, 'sendsMails'>): Operation[] {
  return [
    implement(listMails, async (_subject, query) => ({
      ...(await mails.list(query)),
      sends_mails: checks.sendsMails,
    })),
    implement(readMail, async (_subject, { mail_id: id }) => ({ data: await mails.read(id) })),
    implement(retryMail, async (_subject, { mail_id: id }) => ({ data: await mails.retry(id) })),
  ]
}
