import { refuse } from '../../model/errors.ts'
import { operationsOf } from '../../model/operation.ts'
import { pageOf } from '../../model/paging.ts'
import type { Checks } from '../../platform/checks.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { displayEmail } from '../../platform/display-email.ts'
import type { MailSummary } from './contract.ts'
import * as contract from './contract.ts'
import { CHANNEL } from './outbox.ts'
import * as store from './store.ts'

/** The outbox, as the operator sees it. */
export function createMailLists(database: Database, clock: Clock) {
  const { read } = database

  async function find(id: string) {
    const [row] = await store.findMail(read, [id])
    if (row !== undefined) return row
    throw refuse.notFound('mail_not_found', 'There is no such mail: it may have been deleted.')
  }

  return {
    async list(query: store.MailQuery) {
      const rows = await store.listMails(read, { ...query, limit: query.limit + 1 })
      return pageOf(rows.map(summaryOf), query)
    },
    /** With its text, null where it was delivered and so erased. @throws `mail_not_found` */
    async read(id: string) {
      const row = await find(id)
      return { ...summaryOf(row), text: row.text_body === '' ? null : row.text_body }
    },
    /** Tries a mail again now. @throws Refusal `mail_not_found`, `mail_sent` */
    async retry(id: string) {
      await find(id)
      const isDue = await database.write(async (tx) => {
        await database.notify(tx, CHANNEL, '')
        return store.makeDue(tx, [id, clock.now()])
      })
      if (!isDue) throw refuse.conflict('mail_sent', 'This mail was sent already.')
      return summaryOf(await find(id))
    },
    countUnsent: () => store.countUnsent(read, []),
    /** Deletes the mails to an address that were sent or given up. */
    forgetSent: (tx: Tx, email: string) => store.deleteDoneTo(tx, [email]),
    /** Deletes the digests that wait to be sent about an account's pages. */
    deleteDigests: (tx: Tx, accountId: string) => store.deleteWaiting(tx, `${accountId} `),
  }
}
export type MailLists = ReturnType<typeof createMailLists>

function summaryOf(row: store.ListedMail): MailSummary {
  const state = store.stateOf(row)
  const { id, to_address: to, subject, attempts, last_error, created_at, sent_at } = row
  const next = state === 'waiting' || state === 'retrying' ? row.not_before : null
  return {
    ...{ id, subject, state, attempts, last_error, created_at, sent_at, next_attempt_at: next },
    // Erased once a mail about a vote was sent.
    to: to === '' ? null : displayEmail(to),
  }
}

/** @param checks `sendsMails` is false while the mails of this server wait in a folder */
export function mailOperations(mails: MailLists, checks: Pick<Checks, 'sendsMails'>) {
  return operationsOf(contract, {
    listMails: async (_subject, query) => ({
      ...(await mails.list(query)),
      sends_mails: checks.sendsMails,
    }),
    readMail: (_subject, { mail_id: id }) => mails.read(id),
    retryMail: (_subject, { mail_id: id }) => mails.retry(id),
  })
}
