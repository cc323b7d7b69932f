import type { AnchorState } from '../../model/anchor.ts'
import type { Proof } from '../../model/approval-record.ts'
import type { AuthorKind } from '../../model/comment.ts'
import type { WebhookFormat } from '../../model/webhook-formats.ts'
import type { Timestamp } from '../clock.ts'

/** The tables of what viewers and owners of pages say to each other. */
export interface ConversationTables {
  /** Totals of a page's poll. Its row is locked while a vote is stored. */
  polls: {
    page_id: string
    /** All stored votes, those for options that were removed included. */
    vote_count: number
    /** The highest `option_no` so far. */
    option_count: number
    /** The votes for each option, sealed; null while nobody has voted. */
    tally: string | null
  }
  /** Options that could be voted for, whether or not the page's settings still have them. */
  poll_options: {
    page_id: string
    option_no: number
    text: string
  }
  /**
   * Votes. That of a secret ballot has no address, name or time, its option is sealed, and its
   * `voter` cannot be compared with the viewers of other tables. SQLite keeps the rows in the order
   * of their keys, which is nobody's; PostgreSQL, in the order in which they were written.
   */
  votes: {
    page_id: string
    /** Identifies the voter in this poll only. Every voter has one vote. */
    voter: string
    /** The option of a named vote, else null. */
    option_no: number | null
    /** The sealed option of a secret vote, else null. */
    ballot: string | null
    /** The address, name and time of a named vote, else null. */
    email: string | null
    name: string | null
    voted_at: Timestamp | null
  }
  /** Every version of a page's agreement: what somebody has accepted can be shown for good. */
  agreements: {
    page_id: string
    version: number
    /** `name`, or `email` where who accepts has confirmed an address. */
    require: string
    /** `text` or `pdf`. */
    type: string
    /** Of the bytes in `data`: the PDF, or the text in UTF-8. */
    sha256: string
    data: Uint8Array
    size_bytes: number
    created_at: Timestamp
  }
  agreement_acceptances: {
    id: string
    page_id: string
    agreement_version: number
    /** As it was typed. */
    name: string
    /** Confirmed in the browser, where the gate knows one. */
    email: string | null
    /** What proves the address. */
    proof: Proof
    link_id: string | null
    /** The browser, keyed by the page; it accepts the same once. Null of an imported one. */
    browser: string | null
    /** The number of the version that was published then. */
    page_version: number | null
    accepted_at: Timestamp
    /** When it came with an import: another server took it. */
    imported_at: Timestamp | null
  }
  /** Every decision of an approver. The newest that this server confirmed counts. */
  approval_decisions: {
    id: string
    page_id: string
    email: string
    decision: 'approved' | 'changes_requested'
    note: string | null
    /** The content that the approver saw. */
    manifest_id: string
    version_no: number
    decided_at: Timestamp
    /** How the approver's address was proved. */
    proof: Proof
    /** When it came with an imported page; null for a decision that this server confirmed. */
    imported_at: Timestamp | null
  }
  /** The owner's last request to each approver. */
  approval_requests: {
    page_id: string
    email: string
    asked_at: Timestamp
    due_at: Timestamp | null
    /** When the next reminder is due; null if there is none, or the approver has decided. */
    remind_at: Timestamp | null
    /** What the owner wrote, for the reminders. */
    message: string | null
  }
  /** Records that other servers signed, as they came with an imported page. */
  imported_approval_records: {
    id: string
    page_id: string
    /** What the record says of itself: the server, its key, and when it was signed. */
    issuer: string
    key_id: string
    signed_at: Timestamp
    imported_at: Timestamp
    /** The JWS, byte for byte. */
    record: string
  }
  comments: {
    id: string
    page_id: string
    /** The comment that it replies to. */
    parent_id: string | null
    author_kind: AuthorKind
    /** Identifies the author on this page only. */
    author_key: string
    /** The confirmed address. Viewers never see it. */
    author_email: string | null
    /** What viewers see: the name that the author gave, or an alias. */
    name: string | null
    /** Made by the author's browser: a retry is no second comment. */
    submission_id: string
    body: string
    /** The file of a deck; '' on other pages. */
    path: string
    /** The version that the author had open, and the hash of its file. */
    version_no: number
    file_hash: string
    /** JSON as the author's browser sent it, or null. */
    anchor: string | null
    /** How the anchor stands in the content of this manifest; null without an anchor. */
    anchor_state: AnchorState | null
    /** JSON: where its words were found, in the version that was open and the last time. */
    anchor_places: string
    anchor_manifest_id: string
    state: 'open' | 'resolved'
    addressed_in: number | null
    /** The version of the draft that answers it, until that is published. */
    addressed_by_draft: number | null
    is_hidden: number
    /** 1 if its author deleted it while it had replies: there is no text in the row. */
    is_deleted: number
    /** Strictly increases within a page. */
    created_at: Timestamp
    edited_at: Timestamp | null
    /** The revision of the page's comments that posted it or changed it last. */
    revision: number
    /** The same where it was changed after it was posted, else null. */
    changed_revision: number | null
  }
  /**
   * What viewers did, in one rising sequence for each account. The newest event of a thread,
   * response, request or decision also says where the inbox has it.
   */
  feedback_events: {
    account_id: string
    /** Given in the transaction that stores the thing. No later number is visible before it. */
    number: number
    type: string
    /** That of a secret vote is the beginning of the hour. */
    at: Timestamp
    page_id: string
    /** The comment, response, decision, request, or voter of a named vote. Null: nobody is told. */
    object_id: string | null
    /** The thread, response, decision or request; null for a vote. */
    item_id: string | null
    /** 1 if the account itself wrote it. */
    is_own: number
    is_read: number
    /**
     * `open` while it waits, `done` where the owner said so, `closed` once it is resolved or
     * decided, `told` where it is listed only if its kind is asked for. Null: the inbox does not
     * have it, or has a later event of the same item.
     */
    place: string | null
    /** The named link by which they came who did it; null also for what the owner did. */
    link_id: string | null
  }
  /** The last number of the sequence of each account. */
  feedback_counters: {
    account_id: string
    last_number: number
  }
  /** Addresses that the events of an account are sent to. */
  webhooks: {
    id: string
    account_id: string
    /** The page whose events are sent; null: all. */
    page_id: string | null
    /** The API key that made it, or changed it last: it ends with the key. Null: a session. */
    key_id: string | null
    url: string
    host: string
    /** JSON: the types of events. */
    types: string
    format: WebhookFormat
    /** What signs the requests, sealed. */
    secret: string
    /** Why it is off; null: it is on. */
    off_reason: 'owner' | 'failing' | 'gone' | null
    /** The last event that deliveries were made of. */
    last_number: number
    /** No request is sent before. */
    due_at: Timestamp
    /** Until when one node sends to it. */
    leased_until: Timestamp
    /** When its receiver took something last. */
    delivered_at: Timestamp | null
    created_at: Timestamp
  }
  /** What was sent to a webhook, or waits for it. */
  webhook_deliveries: {
    /** The same with each attempt: receivers know by it what they have already. */
    id: string
    webhook_id: string
    /** Null for a test. */
    page_id: string | null
    /** That of the event; null for a test. */
    number: number | null
    type: string
    body: string
    size_bytes: number
    state: 'waiting' | 'delivered' | 'failed'
    attempts: number
    due_at: Timestamp
    attempted_at: Timestamp | null
    /** Of the last answer; null: there was none. */
    status: number | null
    /** The beginning of its body. */
    answer: string | null
    created_at: Timestamp
  }
  /** Questions to people, whose answers are events of the page. */
  asks: {
    id: string
    account_id: string
    page_id: string
    kind: 'poll' | 'form' | 'approval'
    /** JSON: the addresses of those who are asked. */
    people: string
    /** The last event before it. */
    after_number: number
    due_at: Timestamp | null
    cancelled_at: Timestamp | null
    created_at: Timestamp
  }
  /** What numbers and bounds the comments of a page. */
  comment_counters: {
    page_id: string
    count: number
    /** The newest `created_at`, in microseconds since the epoch. */
    last_us: number
    /** Changes with every change of the page's comments. */
    revision: number
    /** Clients that know an older revision read everything: threads were deleted. */
    whole_revision: number
  }
  /** Commenters who want no mails about this page. */
  comment_mutes: {
    page_id: string
    /** Derived from the address. */
    recipient: string
  }
}

/** The tables of what is counted about the views of pages. */
export interface AnalyticsTables {
  view_counters: {
    page_id: string
    /** The owner of the page. */
    account_id: string
    views: number
    max_views: number | null
    /** When the link expires; null once its owner was told. */
    closes_at: Timestamp | null
    /** How many views the last counting statement admitted, for that statement to return. */
    granted: number
  }
  view_hours: {
    page_id: string
    /** Hours since the epoch. */
    hour: number
    views: number
    /** Those of the hour's viewers who had not viewed the page before on this day, in UTC. */
    viewers: number
  }
  /** How much of a file that views are counted in has been added to the counters. */
  view_moves: {
    /** The id of the file. */
    file: string
    /** The last batch that was added. */
    batch: number
  }
  /** Counts of one fact about a page's views, by day. Rows of two facets cannot be joined. */
  view_facets: {
    page_id: string
    /** Days since the epoch, in UTC. */
    day: number
    /** What is counted: `referrer`, `browser`, `refusal`, … */
    facet: string
    value: string
    count: number
    /** Seconds that were spent there, for what time is measured of. */
    seconds: number
  }
  /** One row: the salt of the hashes in `daily_viewers`. The next day's salt overwrites it. */
  view_salts: {
    id: number
    day: number
    salt: string
  }
  /** Who has viewed a page today, as hashes. Rows of earlier days are deleted. */
  daily_viewers: {
    page_id: string
    day: number
    viewer: string
  }
  /**
   * Those whose address a page's own gate has confirmed; and with no views, those who confirmed one
   * to comment, vote or decide.
   */
  confirmed_viewers: {
    page_id: string
    email: string
    views: number
    first_at: Timestamp
    last_at: Timestamp
    /** The content of the last view. */
    manifest_id: string | null
    /** The time that was measured of their views. */
    seconds: number
    /** The highest page number of a PDF that they have reached, where it was measured. */
    last_sheet: number | null
    /** The most sections or files that one view reached, where it was measured. */
    sections: number | null
    /** When the row was imported; null once this server has confirmed the address. */
    imported_at: Timestamp | null
  }
  /** The time of views that may still grow: of today and yesterday. Older rows are deleted. */
  measured_views: {
    page_id: string
    day: number
    /** Identifies the view, not the viewer. */
    view: string
    seconds: number
    /** JSON: seconds by part, a file of a deck or a page of a PDF. */
    parts: string
  }
}
