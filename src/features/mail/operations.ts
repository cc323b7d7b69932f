import { implement, type Operation } from '../../model/operation.ts'
import { listMails, readMail, retryMail } from './contract.ts'
import type { MailLists } from './mail-lists.ts'

/** @param sendsMails false while the mails of this server wait in a folder */
export function mailOperations(mails: MailLists, sendsMails: boolean): Operation[] {
  return [
    implement(listMails, async (_subject, query) => ({
      ...(await mails.list(query)),
      sends_mails: sendsMails,
    })),
    implement(readMail, async (_subject, { mail_id: id }) => ({ data: await mails.read(id) })),
    implement(retryMail, async (_subject, { mail_id: id }) => ({ data: await mails.retry(id) })),
  ]
}
