import type { Timestamp } from '../clock.ts'

/** Totals of a page's poll. Its row is locked while a vote is stored. */
export interface PollsTable {
  page_id: string
  /** All stored votes, those for options that were removed included. */
  vote_count: number
  /** The highest `option_no` so far. */
  option_count: number
}

/** Options that have been voted for, whether or not the page's settings still have them. */
export interface PollOptionsTable {
  page_id: string
  option_no: number
  text: string
  votes: number
}

/**
 * Votes. That of a secret ballot has no address, name or time, and its `voter` cannot be compared
 * with the viewers of other tables.
 */
export interface VotesTable {
  page_id: string
  /** Identifies the voter in this poll only. Every voter has one vote. */
  voter: string
  option_no: number
  /** The address, name and time of a named vote, else null. */
  email: string | null
  name: string | null
  voted_at: Timestamp | null
}

/** Every decision of an approver. The newest of an address counts. */
export interface ApprovalDecisionsTable {
  id: string
  page_id: string
  email: string
  decision: string
  note: string | null
  /** The content that the approver saw. */
  manifest_id: string
  version_no: number
  decided_at: Timestamp
}

/** The owner's last request to each approver. */
export interface ApprovalRequestsTable {
  page_id: string
  email: string
  asked_at: Timestamp
  due_at: Timestamp | null
  /** When the next reminder is due; null if there is none, or the approver has decided. */
  remind_at: Timestamp | null
  /** What the owner wrote, for the reminders. */
  message: string | null
}
