import type { z } from 'zod'
import { refuse } from '../../model/errors.ts'
import type { MailContent } from '../../model/mail.ts'
import type { Page } from '../../model/page/index.ts'
import { millisecondsOf } from '../../model/times.ts'
import { laterThan, type Timestamp, timestampOf } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/index.ts'
import type { Services } from '../../platform/services.ts'
import {
  ownerWords,
  type PageMail,
  type PageOwner,
  pageName,
  personalMail,
  theyWrite,
  timeWords,
} from '../mail/index.ts'
import { LIMITS, type Throttles } from '../throttles/index.ts'
import type { requestApprovals } from './contract.ts'
import type { FactsOf } from './decisions.ts'
import { type ApprovalFacts, awaitedApprovers, nextReminderMs } from './rules.ts'
import * as store from './store.ts'

/** How many reminders are read at once. */
const BATCH = 100

type RequestInput = z.output<typeof requestApprovals.input>
type RequestResult = Omit<z.output<typeof requestApprovals.output>['data'], 'sends_mails'>

export interface RequestDeps extends Pick<Services, 'database' | 'clock' | 'host' | 'sendMail'> {
  throttles: Throttles
  factsOf: FactsOf
  /** Null where the account is gone. */
  ownerOf(accountId: string, db?: Db): Promise<PageOwner | null>
  findPage(id: string, db?: Db): Promise<Page | undefined>
  /** Makes the personal link of a mail to an approver. */
  linkOf(tx: Tx, page: Page, email: string): Promise<{ url: string; link_id: string }>
  /** Whether the page's access lets this address in, once confirmed. */
  admitsEmail(page: Page, email: string): boolean
}

type DueReminder = Awaited<ReturnType<typeof store.listDueReminders>>[number]

export function createRequests(deps: RequestDeps) {
  const { database, clock, throttles, host, factsOf, sendMail } = deps
  const { ownerOf, findPage, admitsEmail, linkOf } = deps

  /** A private page opens for its owner alone. */
  function mayOpen(page: Page, email: string, owner: PageOwner | null): boolean {
    return page.settings.access === 'private' ? email === owner?.email : admitsEmail(page, email)
  }

  async function sendReminder(tx: Tx, reminder: DueReminder): Promise<boolean> {
    const { page_id, email, due_at: dueAt, remind_at, message } = reminder
    const dueMs = dueAt === null ? null : millisecondsOf(dueAt)
    const next = timestampOrNull(nextReminderMs(dueMs, clock.ms()))
    const isTaken = await store.takeReminder(tx, [page_id, email, remind_at, next])
    if (isTaken.length === 0) return false
    if (dueAt === null || dueMs! <= clock.ms()) return false
    const page = await findPage(page_id, tx)
    const owner = page && (await ownerOf(page.account_id, tx))
    if (!page || !owner || page.suspended_at !== null || !mayOpen(page, email, owner)) return false
    const facts = await factsOf(page, tx)
    const { settings, published } = facts
    if (!settings.collect_approvals || published === null) return false
    // The decision may have come while it was asked for.
    if (!awaitedApprovers(facts).includes(email)) return false
    const mail = { page, owner, versionNo: published.version_no, host }
    const { url, link_id } = await linkOf(tx, page, email)
    const content = reminderMail({ ...mail, to: email, url, message, dueAt })
    await sendMail(tx, content, { link_id })
    return true
  }

  return {
    /**
     * Mails approvers and asks for their decision.
     *
     * @throws Refusal `approvals_off`, `nothing_published`, `invalid_parameter` or `rate_limited`
     */
    async request(page: Page, { emails, ...input }: RequestInput): Promise<RequestResult> {
      const { message = null, due_at = null } = input
      const facts = await factsOf(page)
      const published = assertMayAsk(facts, emails)
      const dueMs = due_at === null ? null : millisecondsOf(due_at)
      if (dueMs !== null && dueMs <= clock.ms()) {
        throw refuse.invalidParameter('due_at', 'due_at must be in the future.')
      }
      await throttles.assert(LIMITS.approval_request, page.account_id)
      const owner = await ownerOf(page.account_id)
      const awaited = awaitedApprovers(facts)
      const recipients = emails ?? awaited
      const admitted = recipients.filter((email) => mayOpen(page, email, owner))
      const requests = await database.write(async (tx) => {
        const all: RequestResult['asked'] = []
        const versionNo = published.version_no
        const mail = { page, owner, versionNo, host, message, dueAt: due_at }
        let { asked_at } = await store.findNewest(tx, [page.id])
        for (const email of admitted) {
          asked_at = laterThan(asked_at, clock.now())
          const remindMs = awaited.includes(email) ? nextReminderMs(dueMs, clock.ms()) : null
          await store.upsertRequest(tx, {
            page_id: page.id,
            email,
            asked_at,
            due_at,
            remind_at: timestampOrNull(remindMs),
            message,
          })
          const { url, link_id } = await linkOf(tx, page, email)
          await sendMail(tx, requestMail({ ...mail, to: email, url }), { link_id })
          all.push({ email, asked_at })
        }
        return all
      })
      const notAdmitted = recipients.filter((email) => !admitted.includes(email))
      return { asked: requests, not_admitted: notAdmitted, due_at }
    },
    /** Sends the reminders that are due. Safe on several nodes at once. @returns how many */
    async remind(): Promise<number> {
      let count = 0
      for (;;) {
        const due = await store.listDueReminders(database.read, [clock.now(), BATCH])
        for (const reminder of due) {
          if (await database.write((tx) => sendReminder(tx, reminder))) count += 1
        }
        if (due.length < BATCH) return count
      }
    },
  }
}

function assertMayAsk(
  { settings, published }: ApprovalFacts,
  emails: readonly string[] | undefined,
) {
  if (!settings.collect_approvals) {
    const message =
      'The page collects no approvals: set collect_approvals and approver_emails first.'
    throw refuse.conflict('approvals_off', message)
  }
  if (published === null) throw nothingPublished()
  const stranger = emails?.find((email) => !settings.approver_emails.includes(email))
  if (stranger === undefined) return published
  const message = `${stranger} is not among approver_emails: add it there first.`
  throw refuse.invalidParameter('emails', message)
}

function timestampOrNull(ms: number | null): Timestamp | null {
  return ms === null ? null : timestampOf(Math.floor(ms) * 1000)
}

export function nothingPublished() {
  return refuse.conflict(
    'nothing_published',
    'The page is not published, so there is nothing to approve: publish it first.',
  )
}

interface RequestMail extends PageMail {
  page: Page
  versionNo: number
  /** The owner's message; shown as text. */
  message: string | null
  dueAt: string | null
}

export function requestMail(mail: RequestMail): MailContent {
  const [owner, name] = [ownerWords(mail.owner), pageName(mail.page)]
  const due = mail.dueAt === null ? [] : [`It is due by ${timeWords(mail.dueAt)}.`]
  return askingMail(mail, due, {
    subject: `${owner} asks for your approval of ${name}`,
    heading: 'Your approval is asked for',
    first: `${owner} asks for your decision about ${name}, version ${mail.versionNo}.`,
  })
}

export function reminderMail(mail: RequestMail & { dueAt: string }): MailContent {
  const [name, due] = [pageName(mail.page), timeWords(mail.dueAt)]
  const waiting = `${ownerWords(mail.owner)} waits for your decision about ${name}`
  return askingMail(mail, [], {
    subject: `Reminder: your approval of ${name} is due by ${due}`,
    heading: 'Your approval is due soon',
    first: `${waiting}, version ${mail.versionNo}. It is due by ${due}.`,
  })
}

function askingMail(
  mail: RequestMail,
  due: string[],
  { first, ...text }: { subject: string; heading: string; first: string },
): MailContent {
  return personalMail(mail.page, mail, {
    ...text,
    paragraphs: [
      first,
      ...theyWrite(mail.message),
      ...due,
      'The page opens with Approve and Request changes beside it. The link is yours alone: it ' +
        'works once, for 14 days.',
    ],
    label: 'Open and decide',
    reason: `The owner of this page on ${mail.host} named you as one of its approvers.`,
  })
}
