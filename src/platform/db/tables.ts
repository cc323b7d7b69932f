import type { Timestamp } from '../clock.ts'

/**
 * Columns are text, integer or blob in both engines: times are fixed-width UTC text, booleans 0 or
 * 1, JSON is text. So one schema and one query serve SQLite and PostgreSQL.
 */
export interface Tables {
  accounts: AccountsTable
  api_keys: ApiKeysTable
  setup_links: SetupLinksTable
  blobs: BlobsTable
  manifests: ManifestsTable
  manifest_blobs: ManifestBlobsTable
  gc_candidate_blobs: GcCandidateBlobsTable
  gc_candidate_manifests: GcCandidateManifestsTable
  uploads: UploadsTable
  pages: PagesTable
  versions: VersionsTable
  view_counters: ViewCountersTable
  view_hours: ViewHoursTable
  idempotency_keys: IdempotencyKeysTable
  outbox: OutboxTable
  confirmations: ConfirmationsTable
  sessions: SessionsTable
  access_requests: AccessRequestsTable
  throttles: ThrottlesTable
  responses: ResponsesTable
  response_counters: ResponseCountersTable
  event_counts: EventCountsTable
}

export interface AccountsTable {
  id: string
  email: string
  name: string | null
  plan: string
  created_at: Timestamp
  is_operator: number
}

export interface ApiKeysTable {
  id: string
  account_id: string
  name: string | null
  hash: string
  /** First 7 and last 4 characters, so that its owner can tell it from others. */
  hint: string
  created_at: Timestamp
  last_used_at: Timestamp | null
  revoked_at: Timestamp | null
}

export interface SetupLinksTable {
  hash: string
  created_at: Timestamp
  expires_at: Timestamp
}

export interface BlobsTable {
  hash: string
  size_bytes: number
  /** Small content lives in its row; larger content under `storage_key` in the blob store. */
  data: Uint8Array | null
  storage_key: string | null
  /** Last time somebody put this content: the sweeper leaves what was touched within the hour. */
  touched_at: Timestamp
}

export interface ManifestsTable {
  id: string
  /** JSON of the manifest: kind, entry, files by hash. Its SHA-256 is the id. */
  manifest: string
  kind: string
  entry: string
  html_count: number
  size_bytes: number
  /** JSON `{name, mime, size_bytes}` of a PDF or image, else null. */
  file: string | null
  /** JSON of what visitors are sent, made at the first publish; null before. */
  release: string | null
  touched_at: Timestamp
}

/** Which blobs a manifest keeps alive. */
export interface ManifestBlobsTable {
  manifest_id: string
  hash: string
}

/** Blobs that may have lost their last reference. The sweeper looks at these and at no others. */
export interface GcCandidateBlobsTable {
  hash: string
  since: Timestamp
}

export interface GcCandidateManifestsTable {
  id: string
  since: Timestamp
}

export interface UploadsTable {
  id: string
  account_id: string
  hash: string
  size_bytes: number
  created_at: Timestamp
  expires_at: Timestamp
}

export interface PagesTable {
  id: string
  account_id: string
  slug: string
  title: string | null
  /** JSON of all settings but `max_views` (which the counter holds) and `password`. */
  settings: string
  password_sealed: string | null
  /** Moves with every change of who may open the page, and ends earlier admissions. */
  access_epoch: number
  source: string
  draft_id: string
  published_id: string | null
  published_at: Timestamp | null
  /** 1 while a search engine may list it: published, `link`, `indexed`. */
  is_listed: number
  /** Moves with every change; the page's ETag. */
  revision: number
  created_at: Timestamp
  updated_at: Timestamp
}

export interface VersionsTable {
  page_id: string
  version_no: number
  source: string
  label: string | null
  manifest_id: string
  size_bytes: number
  created_at: Timestamp
}

export interface ViewCountersTable {
  page_id: string
  views: number
  max_views: number | null
  /** How many of the views last asked for were granted: what one statement can hand back. */
  granted: number
}

export interface ViewHoursTable {
  page_id: string
  /** Hours since the epoch. */
  hour: number
  views: number
}

export interface IdempotencyKeysTable {
  account_id: string
  key: string
  fingerprint: string
  answer_sealed: string
  created_at: Timestamp
}

export interface OutboxTable {
  id: string
  to_address: string
  subject: string
  text_body: string
  html_body: string
  /** JSON object of further headers. */
  headers: string
  /** While a mail with this key waits, another takes its place instead of joining it. */
  dedupe_key: string | null
  not_before: Timestamp
  attempts: number
  last_error: string | null
  created_at: Timestamp
  sent_at: Timestamp | null
}

export interface ConfirmationsTable {
  id: string
  purpose: string
  email: string
  page_id: string | null
  /** JSON of what the purpose needs, or null. */
  details: string | null
  token_hash: string
  code_hash: string
  /** Of the browser that asked: only there the code counts. */
  browser_hash: string | null
  tries: number
  created_at: Timestamp
  expires_at: Timestamp
  used_at: Timestamp | null
}

export interface SessionsTable {
  id: string
  token_hash: string
  account_id: string
  user_agent: string
  created_at: Timestamp
  last_seen_at: Timestamp
  expires_at: Timestamp
}

export interface AccessRequestsTable {
  id: string
  page_id: string
  email: string
  created_at: Timestamp
  decided_at: Timestamp | null
  decision: string | null
}

export interface ThrottlesTable {
  key: string
  /** When the window ends, in milliseconds since the epoch. */
  ends_ms: number
  count: number
}

export interface ResponsesTable {
  id: string
  page_id: string
  /** Who responded, by a name that means nothing on other pages: one response each. */
  viewer: string
  /** A confirmed address, or the alias of a device. */
  respondent: string
  name: string | null
  submitted_at: Timestamp
  /** Of the first submission: it keeps the response's place. No two of a page are equal. */
  created_at: Timestamp
  page_version: Timestamp | null
  path: string
  submit_count: number
  /** JSON as it was sent. */
  data: string
  /** JSON of what the form's controls said, where the published HTML does not say it; or null. */
  controls: string | null
  size_bytes: number
  /** The last submissions' own ids, by spaces: one that comes again is not counted again. */
  submissions: string
}

/** Of one page: what limits it, and what tells whether anything changed. */
export interface ResponseCountersTable {
  page_id: string
  count: number
  bytes: number
  /**
   * The newest `submitted_at` ever given, in microseconds since the epoch: one statement can move
   * it on, so that the next is later.
   */
  last_us: number
  /** Moves with every change of the page's responses. */
  revision: number
}

/** Events of a page, by kind and minute: above 20 a minute their mails become one digest. */
export interface EventCountsTable {
  page_id: string
  kind: string
  /** Minutes since the epoch. */
  minute: number
  count: number
}
