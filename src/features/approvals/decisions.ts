import type { Proof } from '../../model/approval-record.ts'
import { refuse } from '../../model/errors.ts'
import type { Subjects } from '../../model/operation.ts'
import type { Page } from '../../model/page/index.ts'
import type { PageSource } from '../../model/viewer.ts'
import { laterThan } from '../../platform/clock.ts'
import type { Database, Db, Tx } from '../../platform/db/index.ts'
import { lockUntilCommit } from '../../platform/db/leases.ts'
import { newId } from '../../platform/ids.ts'
import type { Services } from '../../platform/services.ts'
import type { Confirmation, Confirmations } from '../confirmations/index.ts'
import { type RecordEvent, sequence } from '../events/index.ts'
import type { Choice, Chosen } from './contract.ts'
import { type ApprovalFacts, approverIn } from './rules.ts'
import * as store from './store.ts'

/** A purpose of confirmations. It is stored with each confirmation. */
export const DECIDE_IN_BROWSER = 'decide_approval_in_browser'

/** The limit for one approver on one page, so that the record can be signed and printed. */
const MAX_DECISIONS = 100

/** A decision that is not confirmed yet. Stored in the confirmation. */
export interface PreparedDecision extends Record<string, unknown> {
  decision: Choice
  note: string | null
  /** The content that was shown. */
  manifest_id: string
  version_no: number
  /** The page's access epoch then. An entered password counts while the epoch is the same. */
  access_epoch: number
  /** The named link that the approver came by. */
  link_id?: string | null
}

export interface VersionNumbers {
  numberOf(pageId: string, manifestId: string, db?: Db): Promise<number | null>
}

export type FactsOf = ReturnType<typeof createFacts>

/** Returns a function that reads the facts that the rules need. */
export function createFacts(database: Database, versions: VersionNumbers) {
  return async (page: Page, db: Db = database.read): Promise<ApprovalFacts> => {
    const { id, settings, published_id: manifestId } = page
    const history = await store.listAllDecisions(db, [id])
    const versionNo = manifestId && (await versions.numberOf(id, manifestId, db))
    return {
      settings,
      // No version only if other content was published and this one pruned since the page was read.
      published:
        manifestId && versionNo ? { manifest_id: manifestId, version_no: versionNo } : null,
      decisions: history.filter(({ imported_at: at }) => at === null),
      history,
      requests: await store.listWholeRequests(db, [id]),
    }
  }
}

export interface DecisionDeps extends Pick<Services, 'database' | 'clock'> {
  confirmations: Confirmations
  factsOf: FactsOf
  recordEvent: RecordEvent
}

export function createDecisions(deps: DecisionDeps) {
  const { database, clock, confirmations, factsOf } = deps

  /** The content that this viewer has open and decides about. @throws Refusal `page_changed` */
  async function shownOf(page: Page, source: PageSource) {
    const { settings, published } = await factsOf(page)
    if (!settings.collect_approvals || published === null) throw approvalsOff()
    if (source.manifestId === published.manifest_id) return published
    const message =
      'The page has changed since you opened it. Reload it, look at it again, and then decide.'
    throw refuse.conflict('page_changed', message)
  }

  /** The decisions about the page so far. */
  async function assertMayDecide(db: Db, page: Page, email: string) {
    const { collect_approvals, approver_emails } = page.settings
    if (!collect_approvals || page.published_id === null) throw approvalsOff()
    if (!approver_emails.includes(email)) throw notAnApprover()
    const decisions = await store.listDecisions(db, page.id)
    const own = decisions.filter((each) => each.email === email)
    if (own.length < MAX_DECISIONS) return decisions
    const message = `You have decided ${MAX_DECISIONS} times about this page, the most it takes.`
    throw refuse.conflict('too_many_decisions', message)
  }

  return {
    /**
     * Prepares a decision. It counts once the approver confirms it on our own page.
     *
     * @returns the path where this browser confirms it
     * @throws Refusal `not_an_approver` where it has not confirmed the address of one
     */
    async prepare(
      { page, participant, source }: Subjects['participant'],
      { decision, note }: Chosen,
    ): Promise<string> {
      const published = await shownOf(page, source)
      const { linkId: link_id = null } = participant
      const details = { decision, note, ...published, access_epoch: page.access_epoch, link_id }
      const own = approverIn(page.settings, participant.emails)
      if (own === null) throw notAnApprover()
      await assertMayDecide(database.read, page, own)
      const options = { purpose: DECIDE_IN_BROWSER, email: own, page_id: page.id, details }
      const { token } = await database.write((tx) => confirmations.start(tx, options))
      return `/app/confirm/${token}`
    },
    /** Held from before the page is read: decisions, and who is asked, change one by one. */
    lock: (tx: Tx) => lockUntilCommit(tx, database.engine, 'decisions'),
    /** Stores a decision that was confirmed. @returns whether its content is still published */
    async record(
      tx: Tx,
      page: Page,
      confirmation: Confirmation,
      proof: Proof = 'mail',
    ): Promise<{ isCurrent: boolean }> {
      const { email } = confirmation
      const { decision, note, manifest_id, version_no, link_id } = preparedIn(confirmation)
      const decisions = await assertMayDecide(tx, page, email)
      const isCurrent = manifest_id === page.published_id
      const newest = decisions.findLast((each) => each.email === email)
      const isSame =
        newest?.decision === decision && newest.note === note && newest.manifest_id === manifest_id
      // A decision that is confirmed in two tabs counts once.
      if (isSame) return { isCurrent }
      const decidedAt = laterThan(decisions.at(-1)?.decided_at ?? null, clock.now())
      const row = { email, decision, note, manifest_id, version_no, decided_at: decidedAt, proof }
      const id = newId('dec')
      await store.insertDecisions(tx, [{ id, page_id: page.id, ...row, imported_at: null }])
      await store.updateRequest(tx, [page.id, email], { remind_at: null })
      await placeCounting(tx, page)
      await deps.recordEvent(tx, {
        kind: 'decision',
        pageId: page.id,
        notifyOwner: page.settings.notify_on_decision,
        accountId: page.account_id,
        at: decidedAt,
        objectId: id,
        itemId: id,
        place: 'open',
        linkId: link_id,
        email,
        decision,
        note,
        versionNo: version_no,
        isCurrent,
      })
      return { isCurrent }
    },
  }
}

/** The inbox has the newest decision of each approver whom the page asks now. */
export async function placeCounting(tx: Tx, page: Page): Promise<void> {
  const newest = await store.listNewest(tx, [page.id])
  const counting = newest.filter(({ email }) => askedBy(page).includes(email))
  const ids = counting.map(({ id }) => id)
  await sequence.placeDecisions(tx, page.id, ids)
}

export function askedBy({ settings }: Page): string[] {
  return settings.collect_approvals ? settings.approver_emails : []
}

export function preparedIn(confirmation: Confirmation): PreparedDecision {
  return confirmation.details as PreparedDecision
}

export function approvalsOff() {
  return refuse.conflict('approvals_off', 'This page asks for no approval now.')
}
export function notAnApprover() {
  return refuse.forbidden(
    'not_an_approver',
    'The owner has not asked the address that this browser has confirmed to approve the page.',
  )
}
