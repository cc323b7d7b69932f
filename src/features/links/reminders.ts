import type { Page } from '../../model/page/index.ts'
import { millisecondsOf } from '../../model/times.ts'
import type { Db } from '../../platform/db/index.ts'
import { sendMany } from '../mail/index.ts'
import { LIMITS } from '../throttles/index.ts'
import type { BatchDeps } from './batch.ts'
import { MAX_REMINDED, type NotReminded } from './contract.ts'
import { createLinkMailer } from './mail.ts'
import * as store from './store.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Of a page, to one address. */
const MOST = 3

/** Mails links again to those who have not opened them: bounded by address, page and account. */
export function createReminders(deps: BatchDeps) {
  const { database, clock, checks, links, throttles, ownerOf, mailStops } = deps
  const mailLink = createLinkMailer(deps)

  function reasonOfPage(page: Page): NotReminded | null {
    if (!checks.sendsMails) return 'no_mail_server'
    return page.published_id === null ? 'not_published' : null
  }

  function reasonOfLink(page: Page, row: store.LinkRow, isOpened: boolean): NotReminded | null {
    if (row.email === null) return 'no_address'
    if (isOpened) return 'opened'
    if (links.stateOf(row) !== 'active') return 'link_closed'
    if (row.bounced_at !== null) return 'bounced'
    return deps.couldOpen(page, row.email) ? null : 'not_admitted'
  }

  /**
   * What is known of the reminders of links.
   *
   * @param isOpened whether somebody opened it, or whoever has its address
   */
  async function statesOf(db: Db, page: Page, isOpened: (row: store.LinkRow) => boolean) {
    const reminders = await store.listReminders(db, [page.id])
    const byRecipient = new Map(reminders.map((each) => [each.recipient, each]))
    const stopped = await mailStops.of(page, db)
    return (row: store.LinkRow) => {
      const recipient = row.email === null ? '' : mailStops.recipientOf(page, row.email)
      const { count = 0, last_at = null } = byRecipient.get(recipient) ?? {}
      const isRecent = last_at !== null && clock.ms() - millisecondsOf(last_at) < DAY_MS
      const ofPerson = (): NotReminded | null => {
        if (stopped.has(recipient)) return 'unsubscribed'
        if (count >= MOST) return 'reminded_enough'
        return isRecent ? 'reminded_today' : null
      }
      const not_now = reasonOfPage(page) ?? reasonOfLink(page, row, isOpened(row)) ?? ofPerson()
      return { count, last_at, not_now }
    }
  }

  async function send(page: Page, rows: readonly store.LinkRow[], message: string | null) {
    const owner = await ownerOf(page.account_id)
    const mailedIds = new Set<string>()
    await sendMany(database, rows, async (tx, row) => {
      const { id, email: to } = row
      const [at, before] = [clock.now(), clock.after(-DAY_MS)]
      const recipient = mailStops.recipientOf(page, to!)
      // Another call may have mailed it, on any node.
      if (!(await store.takeReminder(tx, [page.id, recipient, at, MOST, before]))) return
      const { url } = links.linkOf(row)
      await mailLink(tx, page, { id, to: to!, url, message, owner }, true)
      mailedIds.add(id)
    })
    return mailedIds
  }

  return {
    statesOf,
    /**
     * @param rows the links that are asked for
     * @throws Refusal `rate_limited`
     */
    async remind(
      page: Page,
      rows: readonly store.LinkRow[],
      { isOpened, message }: { isOpened(row: store.LinkRow): boolean; message: string | null },
    ) {
      await throttles.assert(LIMITS.invitations, page.account_id)
      const stateOf = await statesOf(database.read, page, isOpened)
      const states = rows.map((row) => ({ row, reason: stateOf(row).not_now }))
      const possible = states.filter(({ reason }) => reason === null).map(({ row }) => row)
      const batch = possible.slice(0, MAX_REMINDED)
      const mailedIds = await send(page, batch, message)
      const refused = states.map(({ row, reason }) => ({ link_id: row.id, reason }))
      const late = batch.filter(({ id }) => !mailedIds.has(id))
      return {
        reminded: [...mailedIds],
        not_reminded: [
          ...refused.flatMap(({ link_id, reason }) => (reason ? [{ link_id, reason }] : [])),
          ...late.map(({ id }) => ({ link_id: id, reason: 'reminded_today' as const })),
        ],
        left: possible.length - batch.length,
      }
    },
  }
}
export type Reminders = ReturnType<typeof createReminders>
