import { refuse } from '../../model/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { CHANNEL } from './outbox.ts'
import * as store from './store.ts'

/** A mail of the outbox, without its text, which can hold one-time links. */
export interface MailSummary {
  id: string
  /** Null where it was erased once the mail was sent. */
  to: string | null
  subject: string
  state: store.MailState
  attempts: number
  last_error: string | null
  /** When it is tried next; null if it is sent or given up. */
  next_attempt_at: string | null
  created_at: string
  sent_at: string | null
}

/** The outbox, as the operator sees it. */
export interface MailLists {
  list(query: store.MailQuery): Promise<{ mails: MailSummary[]; next_offset: number | null }>
  /** @param text null where it was delivered and so erased @throws Refusal `mail_not_found` */
  read(id: string): Promise<MailSummary & { text: string | null }>
  /** Tries a mail again now. @throws Refusal `mail_not_found`, `mail_sent` */
  retry(id: string): Promise<MailSummary>
  countUnsent(): Promise<{ waiting: number; failed: number }>
  /** Deletes the digests that wait to be sent about an account's pages. */
  deleteDigests(tx: Tx, accountId: string): Promise<void>
}

export function createMailLists(database: Database, clock: Clock): MailLists {
  const { read } = database

  async function find(id: string) {
    const row = await store.findMail(read, id)
    if (row !== undefined) return row
    throw refuse.notFound('mail_not_found', 'There is no such mail: it may have been deleted.')
  }

  return {
    async list(query) {
      const rows = await store.listMails(read, { ...query, limit: query.limit + 1 })
      const more = rows.length > query.limit
      return {
        mails: rows.slice(0, query.limit).map(summaryOf),
        next_offset: more ? query.offset + query.limit : null,
      }
    },
    async read(id) {
      const row = await find(id)
      return { ...summaryOf(row), text: row.text_body === '' ? null : row.text_body }
    },
    async retry(id) {
      await find(id)
      const isDue = await database.write(async (tx) => {
        const changed = await store.makeDue(tx, id, clock.now())
        await database.notify(tx, CHANNEL, '')
        return changed
      })
      if (!isDue) throw refuse.conflict('mail_sent', 'This mail was sent already.')
      return summaryOf(await find(id))
    },
    countUnsent: () => store.countUnsent(read),
    deleteDigests: (tx, accountId) => store.deleteWaiting(tx, `${accountId} `),
  }
}

function summaryOf(row: store.ListedMail): MailSummary {
  const state = store.stateOf(row)
  const isDue = state === 'waiting' || state === 'retrying'
  return {
    id: row.id,
    to: row.to_address === '' ? null : row.to_address,
    subject: row.subject,
    state,
    attempts: row.attempts,
    last_error: row.last_error,
    next_attempt_at: isDue ? row.not_before : null,
    created_at: row.created_at,
    sent_at: row.sent_at,
  }
}
