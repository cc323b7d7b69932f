import { parseTimestamp } from '../../model/times.ts'
import type { Tx } from '../../platform/db/index.ts'
import type { Services } from '../../platform/services.ts'
import type { Event } from './events.ts'
import {
  digestMail,
  type EventContext,
  type MailedKind,
  type MailedPage,
  OWNER_MAILS,
  type Subscription,
  singleMail,
} from './mail.ts'
import * as store from './store.ts'

const MINUTE_MS = 60_000
/** The limit of mails a minute, by kind and page. One digest replaces all further ones. */
const MAILS_PER_MINUTE = 20
const COUNTS_KEPT_MINUTES = 60
const KINDS = Object.keys(OWNER_MAILS) as MailedKind[]

interface OwnerMailDeps
  extends Pick<Services, 'database' | 'clock' | 'secrets' | 'baseUrl' | 'sendMail'> {
  /** Null where the page or its owner is gone, or the owner gets no mails. */
  findPage(tx: Tx, pageId: string): Promise<MailedPage | null>
}

export function createOwnerMails(deps: OwnerMailDeps) {
  const { database, clock, secrets, baseUrl, findPage, sendMail } = deps

  async function mailEvent<Kind extends MailedKind>(tx: Tx, event: Event<Kind>): Promise<void> {
    const { kind, pageId, count = 1 } = event
    const page = await findPage(tx, pageId)
    if (page === null) return
    const { topic, countedAs = kind, signedParts } = OWNER_MAILS[kind]
    const signature = secrets.sign('unsubscribe', pageId, ...signedParts)
    const minute = Math.floor(clock.ms() / MINUTE_MS)
    const total = await store.addCount(tx, [pageId, countedAs, minute, count])
    const context: EventContext = {
      page,
      at: clock.now(),
      baseUrl,
      unsubscribeUrl: `${baseUrl}/unsubscribe/${pageId}/${signature}`,
    }
    const singles = Math.max(0, Math.min(count, MAILS_PER_MINUTE - (total - count)))
    for (let nth = 1; nth <= singles; nth++) await sendMail(tx, singleMail(context, event, nth))
    if (total <= MAILS_PER_MINUTE) return
    // Sent when the minute is over. Until then, a later digest of this minute replaces it.
    const minuteEnd = new Date((minute + 1) * MINUTE_MS).toISOString()
    await sendMail(tx, digestMail(context, event, total - MAILS_PER_MINUTE), {
      dedupe_key: `${page.accountId} ${topic} ${pageId} ${minute}`,
      not_before: parseTimestamp(minuteEnd)!,
    })
  }

  return {
    /** Mails the page's owner about an event: in the outbox if the event is committed. */
    async onEvent(tx: Tx, event: Event): Promise<void> {
      if (event.notifyOwner && isMailed(event)) await mailEvent(tx, event)
    },
    /** The subscription of an unsubscribe link; null if its signature is not ours. */
    findSubscription(pageId: string, signature: string): Subscription | null {
      const isSigned = (kind: MailedKind) =>
        secrets.verify(signature, 'unsubscribe', pageId, ...OWNER_MAILS[kind].signedParts)
      const kind = KINDS.find(isSigned)
      return kind === undefined ? null : OWNER_MAILS[kind]
    },
    /** Deletes the counts of past minutes, and those of a clock that was set back since. */
    async sweep(): Promise<void> {
      const minute = Math.floor(clock.ms() / MINUTE_MS)
      const [first, last] = [minute - COUNTS_KEPT_MINUTES, minute + COUNTS_KEPT_MINUTES]
      await store.deleteOutside(database, [first, last])
    },
  }
}
export type OwnerMails = ReturnType<typeof createOwnerMails>

function isMailed(event: Event): event is Event<MailedKind> {
  return event.kind in OWNER_MAILS
}
