import { implement, type Operation } from '../../model/operation.ts'
import { displayEmail } from '../../platform/display-email.ts'
import { listMails, readMail, retryMail } from './contract.ts'
import type { MailLists, MailSummary } from './mail-lists.ts'

/** @param sendsMails false while the mails of this server wait in a folder */
export function mailOperations(mails: MailLists, sendsMails: boolean): Operation[] {
  const shown = <T extends MailSummary>(mail: T): T => ({
    ...mail,
    to: mail.to && displayEmail(mail.to),
  })
  return [
    implement(listMails, async (_subject, query) => {
      const { mails: found, next_offset } = await mails.list(query)
      return { data: found.map(shown), next_offset, sends_mails: sendsMails }
    }),
    implement(readMail, async (_subject, { mail_id: id }) => ({
      data: shown(await mails.read(id)),
    })),
    implement(retryMail, async (_subject, { mail_id: id }) => ({
      data: shown(await mails.retry(id)),
    })),
  ]
}
