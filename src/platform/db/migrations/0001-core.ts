import type { Migration } from '../migration.ts'

export const core: Migration = {
  name: '0001-core',
  up: (blob) => [
    `CREATE TABLE accounts (
      id text PRIMARY KEY, email text NOT NULL UNIQUE, name text, plan text NOT NULL,
      created_at text NOT NULL)`,

    `CREATE TABLE api_keys (
      id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id), name text,
      hash text NOT NULL UNIQUE, hint text NOT NULL, created_at text NOT NULL,
      last_used_at text, revoked_at text)`,
    'CREATE INDEX api_keys_of_account ON api_keys (account_id, created_at)',

    `CREATE TABLE setup_links (
      hash text PRIMARY KEY, created_at text NOT NULL, expires_at text NOT NULL)`,

    `CREATE TABLE blobs (
      hash text PRIMARY KEY, size_bytes integer NOT NULL, data ${blob}, storage_key text,
      touched_at text NOT NULL)`,
    'CREATE UNIQUE INDEX blobs_storage_key ON blobs (storage_key)',

    `CREATE TABLE manifests (
      id text PRIMARY KEY, manifest text NOT NULL, kind text NOT NULL, entry text NOT NULL,
      html_count integer NOT NULL, size_bytes integer NOT NULL, file text, release text,
      touched_at text NOT NULL)`,

    `CREATE TABLE manifest_blobs (
      manifest_id text NOT NULL REFERENCES manifests (id) ON DELETE CASCADE, hash text NOT NULL,
      PRIMARY KEY (manifest_id, hash))`,
    'CREATE INDEX manifest_blobs_of_hash ON manifest_blobs (hash)',

    'CREATE TABLE loose_blobs (hash text PRIMARY KEY, since text NOT NULL)',
    'CREATE TABLE loose_manifests (id text PRIMARY KEY, since text NOT NULL)',

    `CREATE TABLE uploads (
      id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id), hash text NOT NULL,
      size_bytes integer NOT NULL, created_at text NOT NULL, expires_at text NOT NULL)`,
    'CREATE INDEX uploads_of_hash ON uploads (hash)',
    'CREATE INDEX uploads_expiring ON uploads (expires_at)',

    `CREATE TABLE pages (
      id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id),
      slug text NOT NULL UNIQUE, title text, settings text NOT NULL, password_sealed text,
      access_epoch integer NOT NULL, source text NOT NULL, draft_id text NOT NULL,
      published_id text, published_at text, is_listed integer NOT NULL, revision integer NOT NULL,
      created_at text NOT NULL, updated_at text NOT NULL)`,
    'CREATE UNIQUE INDEX pages_title ON pages (account_id, title)',
    'CREATE INDEX pages_by_edit ON pages (account_id, updated_at, id)',
    'CREATE INDEX pages_draft ON pages (draft_id)',
    'CREATE INDEX pages_published ON pages (published_id)',
    'CREATE INDEX pages_listed ON pages (updated_at) WHERE is_listed = 1',

    `CREATE TABLE versions (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, version_no integer NOT NULL,
      source text NOT NULL, label text, manifest_id text NOT NULL, size_bytes integer NOT NULL,
      created_at text NOT NULL, PRIMARY KEY (page_id, version_no))`,
    'CREATE INDEX versions_of_manifest ON versions (manifest_id)',

    `CREATE TABLE view_counters (
      page_id text PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE, views integer NOT NULL,
      max_views integer, granted integer NOT NULL)`,

    `CREATE TABLE view_hours (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, hour integer NOT NULL,
      views integer NOT NULL, PRIMARY KEY (page_id, hour))`,

    `CREATE TABLE idempotency_keys (
      account_id text NOT NULL REFERENCES accounts (id), key text NOT NULL,
      fingerprint text NOT NULL, answer_sealed text NOT NULL, created_at text NOT NULL,
      PRIMARY KEY (account_id, key))`,
    'CREATE INDEX idempotency_keys_aging ON idempotency_keys (created_at)',
  ],
}
