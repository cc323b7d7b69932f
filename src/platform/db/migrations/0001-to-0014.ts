import { migrations } from '../migration.ts'

/** SQL by the name of the migration; `{blob}` is the type of bytes. */
export const FIRST = migrations({
  '0001-core': `
    CREATE TABLE accounts (
      id text PRIMARY KEY, email text NOT NULL UNIQUE, name text, plan text NOT NULL,
      created_at text NOT NULL);
    CREATE TABLE api_keys (
      id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id), name text,
      hash text NOT NULL UNIQUE, hint text NOT NULL, created_at text NOT NULL,
      last_used_at text, revoked_at text);
    CREATE INDEX api_keys_of_account ON api_keys (account_id, created_at);
    CREATE TABLE setup_links (
      hash text PRIMARY KEY, created_at text NOT NULL, expires_at text NOT NULL);
    CREATE TABLE blobs (
      hash text PRIMARY KEY, size_bytes integer NOT NULL, data {blob}, storage_key text,
      touched_at text NOT NULL);
    CREATE UNIQUE INDEX blobs_storage_key ON blobs (storage_key);
    CREATE TABLE manifests (
      id text PRIMARY KEY, manifest text NOT NULL, kind text NOT NULL, entry text NOT NULL,
      html_count integer NOT NULL, size_bytes integer NOT NULL, file text, release text,
      touched_at text NOT NULL);
    CREATE TABLE manifest_blobs (
      manifest_id text NOT NULL REFERENCES manifests (id) ON DELETE CASCADE, hash text NOT NULL,
      PRIMARY KEY (manifest_id, hash));
    CREATE INDEX manifest_blobs_of_hash ON manifest_blobs (hash);
    CREATE TABLE loose_blobs (hash text PRIMARY KEY, since text NOT NULL);
    CREATE TABLE loose_manifests (id text PRIMARY KEY, since text NOT NULL);
    CREATE TABLE uploads (
      id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id), hash text NOT NULL,
      size_bytes integer NOT NULL, created_at text NOT NULL, expires_at text NOT NULL);
    CREATE INDEX uploads_of_hash ON uploads (hash);
    CREATE INDEX uploads_expiring ON uploads (expires_at);
    CREATE TABLE pages (
      id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id),
      slug text NOT NULL UNIQUE, title text, settings text NOT NULL, password_sealed text,
      access_epoch integer NOT NULL, source text NOT NULL, draft_id text NOT NULL,
      published_id text, published_at text, is_listed integer NOT NULL, revision integer NOT NULL,
      created_at text NOT NULL, updated_at text NOT NULL);
    CREATE UNIQUE INDEX pages_title ON pages (account_id, title);
    CREATE INDEX pages_by_edit ON pages (account_id, updated_at, id);
    CREATE INDEX pages_draft ON pages (draft_id);
    CREATE INDEX pages_published ON pages (published_id);
    CREATE INDEX pages_listed ON pages (updated_at) WHERE is_listed = 1;
    CREATE TABLE versions (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, version_no integer NOT NULL,
      source text NOT NULL, label text, manifest_id text NOT NULL, size_bytes integer NOT NULL,
      created_at text NOT NULL, PRIMARY KEY (page_id, version_no));
    CREATE INDEX versions_of_manifest ON versions (manifest_id);
    CREATE TABLE view_counters (
      page_id text PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE, views integer NOT NULL,
      max_views integer, granted integer NOT NULL);
    CREATE TABLE view_hours (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, hour integer NOT NULL,
      views integer NOT NULL, PRIMARY KEY (page_id, hour));
    CREATE TABLE idempotency_keys (
      account_id text NOT NULL REFERENCES accounts (id), key text NOT NULL,
      fingerprint text NOT NULL, answer_sealed text NOT NULL, created_at text NOT NULL,
      PRIMARY KEY (account_id, key));
    CREATE INDEX idempotency_keys_aging ON idempotency_keys (created_at);`,
  '0002-gates': `
    CREATE TABLE outbox (
      id text PRIMARY KEY, to_address text NOT NULL, subject text NOT NULL, text_body text NOT NULL,
      html_body text NOT NULL, headers text NOT NULL, dedupe_key text UNIQUE,
      not_before text NOT NULL, attempts integer NOT NULL, last_error text,
      created_at text NOT NULL, sent_at text);
    CREATE INDEX outbox_waiting ON outbox (not_before) WHERE sent_at IS NULL;
    CREATE INDEX outbox_sent ON outbox (sent_at) WHERE sent_at IS NOT NULL;
    CREATE TABLE confirmations (
      id text PRIMARY KEY, purpose text NOT NULL, email text NOT NULL,
      page_id text REFERENCES pages (id) ON DELETE CASCADE, details text,
      token_hash text NOT NULL UNIQUE, code_hash text NOT NULL, browser_hash text,
      tries integer NOT NULL, created_at text NOT NULL, expires_at text NOT NULL, used_at text);
    CREATE INDEX confirmations_of_browser ON confirmations (browser_hash, created_at);
    CREATE INDEX confirmations_expiring ON confirmations (expires_at);
    CREATE TABLE sessions (
      id text PRIMARY KEY, token_hash text NOT NULL UNIQUE,
      account_id text NOT NULL REFERENCES accounts (id), user_agent text NOT NULL,
      created_at text NOT NULL, last_seen_at text NOT NULL, expires_at text NOT NULL);
    CREATE INDEX sessions_of_account ON sessions (account_id, last_seen_at);
    CREATE INDEX sessions_expiring ON sessions (expires_at);
    CREATE TABLE access_requests (
      id text PRIMARY KEY, page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      email text NOT NULL, created_at text NOT NULL, decided_at text, decision text,
      UNIQUE (page_id, email));
    CREATE TABLE throttles (
      key text PRIMARY KEY, ends_ms bigint NOT NULL, count integer NOT NULL);
    CREATE INDEX throttles_ending ON throttles (ends_ms);
    CREATE TABLE view_notices (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, minute integer NOT NULL,
      views integer NOT NULL, PRIMARY KEY (page_id, minute));`,
  '0003-responses': `
    CREATE TABLE responses (
      id text PRIMARY KEY, page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      viewer text NOT NULL, respondent text NOT NULL, name text,
      submitted_at text NOT NULL, created_at text NOT NULL, page_version text, path text NOT NULL,
      submit_count integer NOT NULL, data text NOT NULL, controls text,
      size_bytes integer NOT NULL, submissions text NOT NULL, UNIQUE (page_id, viewer));
    CREATE UNIQUE INDEX responses_in_order ON responses (page_id, created_at);
    CREATE INDEX responses_since ON responses (page_id, submitted_at);
    CREATE TABLE response_counters (
      page_id text PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
      count integer NOT NULL, bytes bigint NOT NULL, last_us bigint NOT NULL,
      revision integer NOT NULL);
    CREATE TABLE response_notices (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, minute integer NOT NULL,
      responses integer NOT NULL, PRIMARY KEY (page_id, minute));`,
  '0004-events': `
    CREATE TABLE event_counts (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, kind text NOT NULL,
      minute integer NOT NULL, count integer NOT NULL, PRIMARY KEY (page_id, kind, minute));
    INSERT INTO event_counts (page_id, kind, minute, count)
      SELECT page_id, 'view', minute, views FROM view_notices;
    INSERT INTO event_counts (page_id, kind, minute, count)
      SELECT page_id, 'response', minute, responses FROM response_notices;
    DROP TABLE view_notices;
    DROP TABLE response_notices;`,
  /** Names the tables of what may have lost its last reference by what they are for. */
  '0005-gc-candidates': `
    ALTER TABLE loose_blobs RENAME TO gc_candidate_blobs;
    ALTER TABLE loose_manifests RENAME TO gc_candidate_manifests;`,
  /**
   * Marks the accounts that operate the server. The set-up link of an earlier version made the
   * oldest account, with a key named `first key`; accounts that a command made have no such key.
   */
  '0006-operators': `
    ALTER TABLE accounts ADD COLUMN is_operator integer NOT NULL DEFAULT 0;
    UPDATE accounts SET is_operator = 1
      WHERE created_at = (SELECT min(created_at) FROM accounts)
      AND id IN (SELECT account_id FROM api_keys WHERE name = 'first key');`,
  /** Guest accounts; the owner of each access request, and an index for closing its links. */
  '0007-guests': `
    ALTER TABLE accounts ADD COLUMN is_guest integer NOT NULL DEFAULT 0;
    ALTER TABLE access_requests ADD COLUMN account_id text;
    UPDATE access_requests SET account_id =
      (SELECT account_id FROM pages WHERE pages.id = access_requests.page_id);
    CREATE INDEX access_requests_open ON access_requests (account_id, created_at)
      WHERE decided_at IS NULL;
    CREATE INDEX confirmations_of_page ON confirmations (page_id) WHERE page_id IS NOT NULL;`,
  /** What the lists in a page's responses had in them, for the time when all of them are empty. */
  '0008-list-types': `
    ALTER TABLE response_counters ADD COLUMN list_types text NOT NULL DEFAULT '[]';`,
  /** How edits changed files, so that comments on their passages move along. */
  '0009-file-edits': `
    CREATE TABLE file_edits (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, edit_no integer NOT NULL,
      from_hash text NOT NULL, to_hash text NOT NULL, splices text NOT NULL,
      created_at text NOT NULL, PRIMARY KEY (page_id, edit_no));`,
  '0010-polls': `
    CREATE TABLE polls (
      page_id text PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
      vote_count integer NOT NULL, option_count integer NOT NULL);
    CREATE TABLE poll_options (
      page_id text NOT NULL REFERENCES polls (page_id) ON DELETE CASCADE,
      option_no integer NOT NULL, text text NOT NULL, votes integer NOT NULL,
      PRIMARY KEY (page_id, option_no), UNIQUE (page_id, text));
    CREATE TABLE votes (
      page_id text NOT NULL REFERENCES polls (page_id) ON DELETE CASCADE,
      voter text NOT NULL, option_no integer NOT NULL,
      email text, name text, voted_at text, PRIMARY KEY (page_id, voter));
    CREATE INDEX votes_named ON votes (page_id, voted_at) WHERE voted_at IS NOT NULL;`,
  /** The decisions of approvers, and the mails that asked for them. */
  '0011-approvals': `
    CREATE TABLE approval_decisions (
      id text PRIMARY KEY, page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      email text NOT NULL, decision text NOT NULL, note text, manifest_id text NOT NULL,
      version_no integer NOT NULL, decided_at text NOT NULL);
    CREATE INDEX approval_decisions_of_page ON approval_decisions (page_id, decided_at);
    CREATE TABLE approval_requests (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, email text NOT NULL,
      asked_at text NOT NULL, due_at text, remind_at text, message text,
      PRIMARY KEY (page_id, email));
    CREATE INDEX approval_requests_to_remind ON approval_requests (remind_at)
      WHERE remind_at IS NOT NULL;`,
  '0012-comments': `
    CREATE TABLE comments (
      id text PRIMARY KEY, page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      parent_id text REFERENCES comments (id) ON DELETE CASCADE,
      author_kind text NOT NULL, author_key text NOT NULL, author_email text, name text,
      submission_id text NOT NULL, body text NOT NULL, path text NOT NULL,
      version_no integer NOT NULL, file_hash text NOT NULL,
      anchor text, anchor_state text, anchor_places text NOT NULL,
      anchor_manifest_id text NOT NULL,
      state text NOT NULL, addressed_in integer, addressed_by_draft integer,
      is_hidden integer NOT NULL, is_deleted integer NOT NULL,
      created_at text NOT NULL, edited_at text, revision bigint NOT NULL,
      UNIQUE (page_id, author_key, submission_id));
    CREATE UNIQUE INDEX comments_in_order ON comments (page_id, created_at);
    CREATE INDEX comments_changed ON comments (page_id, revision);
    CREATE INDEX comments_replies ON comments (parent_id) WHERE parent_id IS NOT NULL;
    CREATE INDEX comments_addressed ON comments (page_id)
      WHERE addressed_by_draft IS NOT NULL;
    CREATE TABLE comment_counters (
      page_id text PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
      count integer NOT NULL, last_us bigint NOT NULL,
      revision bigint NOT NULL, whole_revision bigint NOT NULL);
    CREATE TABLE comment_mutes (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, recipient text NOT NULL,
      PRIMARY KEY (page_id, recipient));`,
  /**
   * Views have been counted by hour since the first migration, so the hours of earlier views add up
   * to their pages' views already. Nothing else is known of them: they have no row here.
   */
  '0013-analytics': `
    ALTER TABLE view_counters ADD COLUMN account_id text NOT NULL DEFAULT '';
    UPDATE view_counters SET account_id =
      (SELECT account_id FROM pages WHERE pages.id = view_counters.page_id);
    CREATE INDEX view_counters_of_account ON view_counters (account_id);
    ALTER TABLE view_hours ADD COLUMN viewers integer NOT NULL DEFAULT 0;
    CREATE TABLE view_facets (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, day integer NOT NULL,
      facet text NOT NULL, value text NOT NULL, count integer NOT NULL, seconds integer NOT NULL,
      PRIMARY KEY (page_id, day, facet, value));
    CREATE TABLE view_salts (id integer PRIMARY KEY, day integer NOT NULL, salt text NOT NULL);
    CREATE TABLE daily_viewers (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, day integer NOT NULL,
      viewer text NOT NULL, PRIMARY KEY (page_id, day, viewer));
    CREATE INDEX daily_viewers_by_day ON daily_viewers (day);
    CREATE TABLE confirmed_viewers (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, email text NOT NULL,
      views integer NOT NULL, first_at text NOT NULL, last_at text NOT NULL, manifest_id text,
      seconds integer NOT NULL, last_sheet integer, PRIMARY KEY (page_id, email));
    CREATE INDEX confirmed_viewers_by_view ON confirmed_viewers (page_id, last_at);
    CREATE TABLE measured_views (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, day integer NOT NULL,
      view text NOT NULL, seconds integer NOT NULL, parts text NOT NULL,
      PRIMARY KEY (page_id, day, view));
    CREATE INDEX measured_views_by_day ON measured_views (day);`,
  /** A switch of an account for all mails about its pages. */
  '0014-account-mails': `
    ALTER TABLE accounts ADD COLUMN page_mails integer NOT NULL DEFAULT 1;`,
})
