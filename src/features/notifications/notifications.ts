import type { MailWords } from '../../model/mail.ts'
import { parseTimestamp } from '../../model/timestamp.ts'
import type { Clock, Timestamp } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import type { Secrets } from '../../platform/secrets.ts'
import {
  type Notified,
  type Occasion,
  type Responded,
  responseDigest,
  responseMail,
  viewDigest,
  viewMail,
} from './mail.ts'
import type { Happening } from './store.ts'
import * as store from './store.ts'

const MINUTE_MS = 60_000
/** How many of a page in one minute are mailed one by one. */
const MAILS_A_MINUTE = 20

export interface Noted {
  /** Just counted, at least one. */
  views: number
  /** Of all time, these included. */
  total: number
}

export interface Notifications {
  /** Within the transaction that counts the views: there is the mail if there is the count. */
  noteViews(tx: Tx, pageId: string, noted: Noted): Promise<void>
  /** Within the transaction that keeps the response. */
  noteResponse(tx: Tx, pageId: string, responded: Responded): Promise<void>
  /** Which mails about this page a link of ours stops; null for what is no link of ours. */
  unsubscribes(pageId: string, signature: string): Happening | null
  sweep(): Promise<void>
}

export interface NotificationDeps {
  database: Database
  clock: Clock
  secrets: Secrets
  baseUrl: string
  /** Null where the page or its owner is gone. */
  pageOf(tx: Tx, pageId: string): Promise<Notified | null>
  sendMail(tx: Tx, words: MailWords, options?: SendOptions): Promise<unknown>
}
interface SendOptions {
  dedupe_key?: string
  not_before?: Timestamp
}

/** So many of something that happened to a page, and the mails that tell of it. */
interface News {
  happening: Happening
  count: number
  /** Of the nth of them, from 1. */
  one(occasion: Occasion, nth: number): MailWords
  /** Of those of this minute that none was sent for. */
  digest(occasion: Occasion, count: number): MailWords
}

/** What a link's signature is made over beside the page's id. */
const SIGNED: Record<Happening, string[]> = { views: [], responses: ['responses'] }
const HAPPENINGS = Object.keys(SIGNED) as Happening[]

export function createNotifications(deps: NotificationDeps): Notifications {
  const { database, clock, secrets, baseUrl, pageOf, sendMail } = deps
  const host = new URL(baseUrl).host

  async function note(tx: Tx, pageId: string, news: News): Promise<void> {
    const { happening, count } = news
    const page = await pageOf(tx, pageId)
    if (page === null) return
    const minute = Math.floor(clock.ms() / MINUTE_MS)
    const ofMinute = await store.add(tx, happening, { page_id: pageId, minute, count })
    const signature = secrets.sign('unsubscribe', pageId, ...SIGNED[happening])
    const unsubscribeUrl = `${baseUrl}/unsubscribe/${pageId}/${signature}`
    const occasion = { page, at: clock.now(), host, unsubscribeUrl }
    const singly = Math.max(0, Math.min(count, MAILS_A_MINUTE - (ofMinute - count)))
    for (let nth = 1; nth <= singly; nth++) await sendMail(tx, news.one(occasion, nth))
    if (ofMinute <= MAILS_A_MINUTE) return
    // Waits for the end of its minute, and until then the next one takes its place.
    const ends = new Date((minute + 1) * MINUTE_MS).toISOString()
    await sendMail(tx, news.digest(occasion, ofMinute - MAILS_A_MINUTE), {
      dedupe_key: `${happening} ${pageId} ${minute}`,
      not_before: parseTimestamp(ends)!,
    })
  }

  return {
    noteViews: (tx, pageId, { views, total }) =>
      note(tx, pageId, {
        happening: 'views',
        count: views,
        one: (occasion, nth) => viewMail(occasion, total - views + nth),
        digest: (occasion, count) => viewDigest(occasion, count, total),
      }),
    noteResponse: (tx, pageId, responded) =>
      note(tx, pageId, {
        happening: 'responses',
        count: 1,
        one: (occasion) => responseMail(occasion, responded),
        digest: responseDigest,
      }),
    unsubscribes(pageId, signature) {
      const stops = (happening: Happening) =>
        secrets.verify(signature, 'unsubscribe', pageId, ...SIGNED[happening])
      return HAPPENINGS.find(stops) ?? null
    },
    sweep: () =>
      database.write((tx) => store.deleteBefore(tx, Math.floor(clock.ms() / MINUTE_MS) - 60)),
  }
}
