import type { Accent } from '../../model/accent.ts'
import type { Plan } from '../../model/plan.ts'
import type { Timestamp } from '../clock.ts'
import type { LinkTables, OAuthTables } from './access-tables.ts'
import type { AnalyticsTables, ConversationTables } from './conversation-tables.ts'

/**
 * The schema. Columns are text, integer or blob on both engines: times are fixed-width UTC text,
 * booleans 0 or 1, JSON is text. So one schema and the same queries serve SQLite and PostgreSQL.
 */
export interface Tables extends AnalyticsTables, ConversationTables, LinkTables, OAuthTables {
  accounts: {
    id: string
    email: string
    name: string | null
    plan: Plan
    created_at: Timestamp
    is_operator: number
    is_guest: number
    /** 0: none of the account's pages sends its owner mails, whatever the page's settings. */
    page_mails: number
    /** When its owner deleted it. The row goes once all its pages are deleted. */
    deleted_at: Timestamp | null
    /** When the operator suspended it: nothing of it is served, and nobody signs in to it. */
    suspended_at: Timestamp | null
    /** The bytes of all kept versions of all its pages. */
    stored_bytes: number
    /** Of its pages that have none of their own; null: that of the server. */
    accent: Accent | null
    logo_id: string | null
    /** The filters of its list of pages that have a name, as JSON; null: none. */
    saved_filters: string | null
  }
  /** One for each account that has one. */
  logos: {
    account_id: string
    /** Of its address: made of its bytes, so another picture has another address. */
    id: string
    mime: string
    data: Uint8Array
  }
  /** What operators have set in the app; the environment wins. */
  settings: {
    name: string
    /** The address of the mail server is encrypted. */
    value: string
    updated_at: Timestamp
  }
  api_keys: {
    id: string
    account_id: string
    name: string | null
    hash: string
    /** The first 7 and last 4 characters, by which the owner recognizes the key. */
    hint: string
    created_at: Timestamp
    last_used_at: Timestamp | null
    revoked_at: Timestamp | null
    /** Separated by spaces. */
    scopes: string
    /** Separated by spaces; null: all pages of the account. */
    page_ids: string | null
    expires_at: Timestamp | null
    confirmed_only: number
    /** The app whose tokens it stands for; null for a key that its owner made. */
    client_id: string | null
  }
  setup_links: {
    hash: string
    created_at: Timestamp
    expires_at: Timestamp
  }
  sessions: {
    id: string
    token_hash: string
    account_id: string
    user_agent: string
    created_at: Timestamp
    last_seen_at: Timestamp
    expires_at: Timestamp
  }
  /** Who an account is at a provider of single sign-on. */
  identities: {
    id: string
    account_id: string
    issuer: string
    /** The provider's id of the person, which stays when an address changes. */
    subject: string
    /** The verified address that the provider last named; null: none. */
    email: string | null
    created_at: Timestamp
    last_used_at: Timestamp
  }
  /** Public keys of authenticators, which sign in to an account (WebAuthn). */
  passkeys: {
    id: string
    account_id: string
    name: string
    /** In base64url, as the browser names it. */
    credential_id: string
    /** In base64url, as COSE has it. */
    public_key: string
    /** How often it has signed, if its device counts that. */
    counter: number
    created_at: Timestamp
    last_used_at: Timestamp | null
  }
  blobs: {
    hash: string
    size_bytes: number
    /** Small content; larger content is in the blob store under `storage_key`. */
    data: Uint8Array | null
    storage_key: string | null
    /** When this content was last stored. The sweeper keeps what was touched within the hour. */
    touched_at: Timestamp
  }
  manifests: {
    id: string
    /** JSON of the manifest: kind, entry, files by hash. Its SHA-256 is the id. */
    manifest: string
    kind: string
    entry: string
    html_count: number
    size_bytes: number
    /** JSON `{name, mime, size_bytes}` of a PDF or image, else null. */
    file: string | null
    /** JSON of the files that visitors get, made at the first publish; null before. */
    release: string | null
    /** JSON: what the release needs an origin of its own for; null: none since 0021. */
    needs_origin: string | null
    touched_at: Timestamp
  }
  /** The blobs that a manifest refers to. */
  manifest_blobs: {
    manifest_id: string
    hash: string
  }
  /** Blobs that may have lost their last reference. The sweeper looks at these and at no others. */
  gc_candidate_blobs: {
    hash: string
    since: Timestamp
  }
  gc_candidate_manifests: {
    id: string
    since: Timestamp
  }
  uploads: {
    id: string
    account_id: string
    hash: string
    size_bytes: number
    created_at: Timestamp
    expires_at: Timestamp
  }
  pages: {
    id: string
    account_id: string
    slug: string
    title: string | null
    /** JSON of all settings except `max_views`, which is in `view_counters`, and `password`. */
    settings: string
    password_sealed: string | null
    /** Changes with every change of who may open the page; older visit tokens become invalid. */
    access_epoch: number
    source: string
    draft_id: string
    published_id: string | null
    published_at: Timestamp | null
    /** When and why the operator took the page down; both null if it is not. */
    taken_down_at: Timestamp | null
    taken_down_reason: string | null
    /** 1 while search engines may list the page: it is published, `link` and `indexed`. */
    is_listed: number
    /** Changes with every write; the page's ETag. */
    revision: number
    created_at: Timestamp
    updated_at: Timestamp
    /** The settings of these names, for lists of pages. */
    access: string
    expires_at: Timestamp | null
    folder: string | null
    /** The title and the slug without case and accents, for searches and for the order by title. */
    search_text: string
    /**
     * While an import brings the page: when it last wrote. Empty while the page is being deleted.
     * Null of a page that is there.
     */
    importing_at: Timestamp | null
    /** Since when the page is in the trash; null of a page that is not. */
    trashed_at: Timestamp | null
    /** What was published when it came there. */
    trashed_published_id: string | null
  }
  /** The slugs that accounts gave up within a year. */
  freed_slugs: {
    slug: string
    /** Who may take it again; null: nobody. */
    account_id: string | null
    freed_at: Timestamp
  }
  /** Where the pages are from that an import brought. */
  imported_pages: {
    page_id: string
    account_id: string
    /** The base URL of the server that the page was made on. */
    from_server: string
    from_page_id: string
  }
  versions: {
    page_id: string
    version_no: number
    source: string
    label: string | null
    manifest_id: string
    size_bytes: number
    created_at: Timestamp
    /** The interface that saved it, or `autosave`; null for those from before. */
    via: string | null
    key_name: string | null
  }
  /** How find-and-replace edits changed files of a page. */
  file_edits: {
    page_id: string
    /** Counts the edits of the page. */
    edit_no: number
    from_hash: string
    to_hash: string
    /** JSON: a list of `[start, end, length]`, in bytes. */
    splices: string
    created_at: Timestamp
  }
  idempotency_keys: {
    account_id: string
    key: string
    fingerprint: string
    answer_sealed: string
    created_at: Timestamp
  }
  outbox: {
    id: string
    /** Empty once the mail was sent, where it is to be forgotten. */
    to_address: string
    /** 1 for mails of votes: who gets them votes. */
    forgets_recipient: number
    subject: string
    text_body: string
    html_body: string
    /** JSON object of additional headers. */
    headers: string
    /** A new mail with this key replaces one that still waits. */
    dedupe_key: string | null
    not_before: Timestamp
    attempts: number
    last_error: string | null
    created_at: Timestamp
    sent_at: Timestamp | null
    /** The named link that it sends. */
    link_id: string | null
  }
  confirmations: {
    id: string
    purpose: string
    email: string
    page_id: string | null
    /** JSON of the data of the purpose, or null. */
    details: string | null
    token_hash: string
    code_hash: string
    /** Identifies the browser that asked. The code is valid in that browser only. */
    browser_hash: string | null
    tries: number
    created_at: Timestamp
    expires_at: Timestamp
    used_at: Timestamp | null
  }
  access_requests: {
    id: string
    page_id: string
    /** The owner of the page. */
    account_id: string | null
    email: string
    created_at: Timestamp
    decided_at: Timestamp | null
    decision: string | null
  }
  responses: {
    id: string
    page_id: string
    /** Identifies the viewer on this page only. Every viewer has one response. */
    viewer: string
    /** A confirmed address, or the alias of a browser. */
    respondent: string
    name: string | null
    submitted_at: Timestamp
    /** The time of the first submission, which fixes the order. Unique within a page. */
    created_at: Timestamp
    page_version: Timestamp | null
    path: string
    submit_count: number
    /** JSON as the visitor sent it. */
    data: string
    /** JSON of the form's controls as the page sent them, when the published HTML lacks them. */
    controls: string | null
    size_bytes: number
    /** Ids of the last submissions, separated by spaces: a repeated one is not counted again. */
    submissions: string
  }
  /** Totals of a page's responses, for the quota and for finding changes. */
  response_counters: {
    page_id: string
    count: number
    bytes: number
    /**
     * The newest `submitted_at` so far, in microseconds since the epoch. One statement increases
     * it, so that every submission is later than the one before.
     */
    last_us: number
    /** Changes with every change of the page's responses. */
    revision: number
    /** JSON: what the lists of each field had in them, also those that were replaced. */
    list_types: string
  }
  /** Events of a page by kind and minute. Above 20 a minute their mails become one digest. */
  event_counts: {
    page_id: string
    kind: string
    /** Minutes since the epoch. */
    minute: number
    count: number
  }
  /** Work that one process at a time does. */
  leases: {
    name: string
    /** Identifies the run of the work that has the lease. */
    holder: string
    /** In milliseconds since the epoch, by the clock of the database. */
    ends_ms: number
  }
  /** On PostgreSQL: which pages changed in the last minutes. */
  page_changes: {
    /** The transaction that changed it. */
    xid: number
    slug: string
    /** In milliseconds since the epoch, by the clock of the database. */
    changed_ms: number
  }
  throttles: {
    key: string
    /** The end of the window in milliseconds since the epoch. */
    ends_ms: number
    count: number
  }
}
