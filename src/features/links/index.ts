import type { Timestamp } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/index.ts'
import { recordRefusal } from '../confirmations/index.ts'
import * as store from './store.ts'

export { createLinkBatch, linkOperations } from './batch.ts'
export { createLinks, type Links, linkNotFound } from './links.ts'
export { createMailStops, type MailStops } from './mail.ts'
export { createReminders, type Reminders } from './reminders.ts'
export { type LinkRow, linkCounts } from './store.ts'

/** Records what became of the mail with a link: a named one, or a personal one. */
export async function recordBounce(
  tx: Tx,
  bounce: [id: string, at: Timestamp | null, mailedAt: Timestamp],
): Promise<void> {
  await store.recordBounce(tx, bounce)
  await recordRefusal(tx, bounce)
}
