import type { MailWords } from '../../model/mail.ts'
import { parseTimestamp } from '../../model/timestamp.ts'
import type { Clock, Timestamp } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { digestMail, type Notified, viewMail } from './mail.ts'
import * as store from './store.ts'

const MINUTE_MS = 60_000
/** A page's views of one minute that are mailed one by one. */
const MAILS_A_MINUTE = 20

export interface Noted {
  /** Just counted, at least one. */
  views: number
  /** Of all time, these included. */
  total: number
}

export interface Notifications {
  /** Within the transaction that counts the views: there is the mail if there is the count. */
  noteViews(tx: Tx, page_id: string, noted: Noted): Promise<void>
  /** Whether a link of ours stops the mails of this page. */
  isUnsubscribe(page_id: string, signature: string): boolean
  sweep(): Promise<void>
}

export interface NotificationMachines {
  database: Database
  clock: Clock
  secrets: Secrets
  base_url: string
  /** Null where the page or its owner is gone. */
  pageOf(tx: Tx, page_id: string): Promise<Notified | null>
  sendMail(tx: Tx, words: MailWords, options?: SendOptions): Promise<unknown>
}
interface SendOptions {
  dedupe_key?: string
  not_before?: Timestamp
}

export function createNotifications(machines: NotificationMachines): Notifications {
  const { database, clock, secrets, base_url, pageOf, sendMail } = machines
  const host = new URL(base_url).host

  return {
    async noteViews(tx, page_id, { views, total }) {
      const page = await pageOf(tx, page_id)
      if (page === null) return
      const now_ms = clock.ms()
      const minute = Math.floor(now_ms / MINUTE_MS)
      const of_minute = await store.addViews(tx, page_id, minute, views)
      const unsubscribe_url = `${base_url}/unsubscribe/${page_id}/${sign(page_id)}`
      const opened = { page, at: clock.now(), host, unsubscribe_url }
      const before = total - views
      const singly = Math.max(0, Math.min(views, MAILS_A_MINUTE - (of_minute - views)))
      for (let nth = 1; nth <= singly; nth++) {
        await sendMail(tx, viewMail({ ...opened, total: before + nth }))
      }
      if (of_minute <= MAILS_A_MINUTE) return
      // Waits for the end of its minute, and until then the next one takes its place.
      const ends = new Date((minute + 1) * MINUTE_MS).toISOString()
      await sendMail(tx, digestMail({ ...opened, total }, of_minute - MAILS_A_MINUTE), {
        dedupe_key: `views ${page_id} ${minute}`,
        not_before: parseTimestamp(ends)!,
      })
    },
    isUnsubscribe: (page_id, signature) => secrets.verify(signature, 'unsubscribe', page_id),
    sweep: () =>
      database.write((tx) => store.deleteBefore(tx, Math.floor(clock.ms() / MINUTE_MS) - 60)),
  }

  function sign(page_id: string): string {
    return secrets.sign('unsubscribe', page_id)
  }
}
