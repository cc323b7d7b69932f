import type { Migration } from '../migration.ts'

export const gates: Migration = {
  name: '0002-gates',
  up: () => [
    `CREATE TABLE outbox (
      id text PRIMARY KEY, to_address text NOT NULL, subject text NOT NULL, text_body text NOT NULL,
      html_body text NOT NULL, headers text NOT NULL, dedupe_key text UNIQUE,
      not_before text NOT NULL, attempts integer NOT NULL, last_error text,
      created_at text NOT NULL, sent_at text)`,
    'CREATE INDEX outbox_waiting ON outbox (not_before) WHERE sent_at IS NULL',
    'CREATE INDEX outbox_sent ON outbox (sent_at) WHERE sent_at IS NOT NULL',

    `CREATE TABLE confirmations (
      id text PRIMARY KEY, purpose text NOT NULL, email text NOT NULL,
      page_id text REFERENCES pages (id) ON DELETE CASCADE, details text,
      token_hash text NOT NULL UNIQUE, code_hash text NOT NULL, browser_hash text,
      tries integer NOT NULL, created_at text NOT NULL, expires_at text NOT NULL, used_at text)`,
    'CREATE INDEX confirmations_of_browser ON confirmations (browser_hash, created_at)',
    'CREATE INDEX confirmations_expiring ON confirmations (expires_at)',

    `CREATE TABLE sessions (
      id text PRIMARY KEY, token_hash text NOT NULL UNIQUE,
      account_id text NOT NULL REFERENCES accounts (id), user_agent text NOT NULL,
      created_at text NOT NULL, last_seen_at text NOT NULL, expires_at text NOT NULL)`,
    'CREATE INDEX sessions_of_account ON sessions (account_id, last_seen_at)',
    'CREATE INDEX sessions_expiring ON sessions (expires_at)',

    `CREATE TABLE access_requests (
      id text PRIMARY KEY, page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      email text NOT NULL, created_at text NOT NULL, decided_at text, decision text,
      UNIQUE (page_id, email))`,

    `CREATE TABLE throttles (
      key text PRIMARY KEY, ends_ms bigint NOT NULL, count integer NOT NULL)`,
    'CREATE INDEX throttles_ending ON throttles (ends_ms)',

    `CREATE TABLE view_notices (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, minute integer NOT NULL,
      views integer NOT NULL, PRIMARY KEY (page_id, minute))`,
  ],
}
