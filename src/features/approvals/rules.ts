import type { PageSettings } from '../../model/page/index.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Approvals, ApprovalView, Approver, Choice, LatestDecision } from './contract.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** How long before the due date an approver is reminded. */
const REMINDERS_MS = [3 * DAY_MS, DAY_MS]

/** An approver's decision about one content. */
export type Decision = Omit<Tables['approval_decisions'], 'id' | 'page_id' | 'imported_at'>

/** A decision in the history. A decision that another server confirmed is marked. */
export type PastDecision = Omit<Tables['approval_decisions'], 'id' | 'page_id'>
/** The owner's last request to an approver. */
export type Asked = Pick<Tables['approval_requests'], 'email' | 'asked_at' | 'due_at'>

/** The settings of the page that decide about approvals. */
type ApprovalSettings = Pick<
  PageSettings,
  'collect_approvals' | 'approver_emails' | 'approvals_visibility'
>

/** The content that visitors see. */
interface PublishedContent {
  manifest_id: string
  version_no: number
}

export interface ApprovalFacts {
  settings: ApprovalSettings
  /** Null while the page is not published. */
  published: PublishedContent | null
  /** Oldest first; of former approvers too. */
  decisions: readonly Decision[]
  /** Includes those of an imported page, which do not count. */
  history: readonly PastDecision[]
  requests: readonly Asked[]
}

/** The owner's view: every approver with all decisions. */
export function approvalsOf(facts: ApprovalFacts): Omit<Approvals, 'imported_records'> {
  const { settings, published } = facts
  const approvers = settings.approver_emails.map((email) => approverOf(email, facts))
  const countOf = (state: Choice | 'waiting') =>
    approvers.filter((each) => stateOf(each) === state).length
  return {
    collecting: settings.collect_approvals,
    visibility: settings.approvals_visibility,
    version_no: published?.version_no ?? null,
    manifest: published?.manifest_id ?? null,
    counts: {
      approved: countOf('approved'),
      changes_requested: countOf('changes_requested'),
      waiting: countOf('waiting'),
    },
    approvers,
  }
}

/** An approver without a decision about the published content is waited for. */
export function stateOf({ decision, is_current }: Approver): Choice | 'waiting' {
  return decision !== null && is_current ? decision : 'waiting'
}

function approverOf(
  email: string,
  { published, decisions, history, requests }: ApprovalFacts,
): Approver {
  const newest = decisions.findLast((each) => each.email === email)
  const own = history.filter((each) => each.email === email)
  const request = requests.find((each) => each.email === email)
  return {
    email,
    decision: newest?.decision ?? null,
    note: newest?.note ?? null,
    decided_at: newest?.decided_at ?? null,
    version_no: newest?.version_no ?? null,
    proof: newest?.proof ?? null,
    is_current: newest !== undefined && newest.manifest_id === published?.manifest_id,
    asked_at: request?.asked_at ?? null,
    due_at: request?.due_at ?? null,
    history: own.toReversed().map(({ email: _email, manifest_id, ...decision }) => decision),
  }
}

export interface ViewerFacts {
  /** Addresses that the viewer has confirmed in this browser. */
  emails: readonly string[]
  isOwner: boolean
  /** Where the owner of the page reads its record. */
  recordPath: string
  /** Whether the viewer has the published content open. */
  isShown: boolean
}

/** The address of the viewer that is also an approver's; null if there is none. */
export function approverIn(
  { approver_emails }: ApprovalSettings,
  emails: readonly string[],
): string | null {
  return emails.find((email) => approver_emails.includes(email)) ?? null
}

/**
 * The state that one viewer sees. Approvers see their own decision, and each other's where the
 * page shares them; the owner sees all of them; other viewers see no decision and no address.
 */
export function viewOf(
  facts: ApprovalFacts & { published: PublishedContent },
  { emails, isOwner, isShown, recordPath }: ViewerFacts,
): ApprovalView {
  const { settings, published } = facts
  const own = approverIn(settings, emails)
  const { approvers } = approvalsOf(facts)
  const mine = approvers.find(({ email }) => email === own)
  const others = approvers.filter(({ email }) => email !== own)
  const seesOthers = isOwner || (mine !== undefined && settings.approvals_visibility === 'shared')
  return {
    version_no: published.version_no,
    is_shown: isShown,
    mine: mine ? { email: mine.email, decision: shownDecisionOf(mine), due_at: mine.due_at } : null,
    others: seesOthers ? others.flatMap((each) => shownDecisionOf(each) ?? []) : null,
    waiting: isOwner ? awaitedApprovers(facts) : null,
    record_path: isOwner ? recordPath : null,
  }
}

function shownDecisionOf(approver: Approver): LatestDecision | null {
  const { email, decision, note, is_current, decided_at, version_no } = approver
  if (decision === null || decided_at === null || version_no === null) return null
  return { email, decision, note, decided_at, version_no, is_current }
}

/** Approvers whose decision about the published content is missing. */
export function awaitedApprovers(facts: ApprovalFacts): string[] {
  const { approvers } = approvalsOf(facts)
  return approvers.filter((each) => stateOf(each) === 'waiting').map(({ email }) => email)
}

/** When the next reminder is due, in milliseconds since the epoch; null if there is none left. */
export function nextReminderMs(dueMs: number | null, nowMs: number): number | null {
  if (dueMs === null) return null
  const ahead = REMINDERS_MS.map((beforeMs) => dueMs - beforeMs).filter((atMs) => atMs > nowMs)
  return ahead[0] ?? null
}
