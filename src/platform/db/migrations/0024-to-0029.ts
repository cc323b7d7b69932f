import type { Migration } from '../migration.ts'

export const FROM_24: readonly Migration[] = [
  /** Pages that an import is bringing, which nobody sees yet, and where imported pages are from. */
  {
    name: '0024-imports',
    up: () => [
      'ALTER TABLE pages ADD COLUMN importing_at text',
      'CREATE INDEX pages_importing ON pages (importing_at) WHERE importing_at IS NOT NULL',
      `CREATE TABLE imported_pages (
      page_id text PRIMARY KEY REFERENCES pages (id) ON DELETE CASCADE,
      account_id text NOT NULL REFERENCES accounts (id), from_server text NOT NULL,
      from_page_id text NOT NULL)`,
      'CREATE UNIQUE INDEX imported_pages_from ON imported_pages (account_id, from_page_id)',
    ],
  },
  /** Views are counted in files first: a row for each, with the last batch that was added. */
  {
    name: '0025-view-moves',
    up: () => ['CREATE TABLE view_moves (file text PRIMARY KEY, batch bigint NOT NULL)'],
  },
  /** Work that one node at a time does: who does it now, and until when without another word. */
  {
    name: '0026-leases',
    up: () => [
      'CREATE TABLE leases (name text PRIMARY KEY, holder text NOT NULL, ends_ms bigint NOT NULL)',
    ],
  },
  /** Who people are at a provider of single sign-on; an account has one identity at each. */
  {
    name: '0027-identities',
    up: () => [
      `CREATE TABLE identities (
      id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id),
      issuer text NOT NULL, subject text NOT NULL, email text,
      created_at text NOT NULL, last_used_at text NOT NULL,
      UNIQUE (issuer, subject), UNIQUE (account_id, issuer))`,
    ],
  },
  /**
   * Lists leave out pages that an import is bringing. Indexes without these pages have all that an
   * offset skips, and all that a count needs: the pages themselves are not read.
   */
  {
    name: '0028-list-indexes',
    up: () => [
      'DROP INDEX pages_by_edit',
      `CREATE INDEX pages_by_edit ON pages (account_id, updated_at, id)
      WHERE importing_at IS NULL`,
      'DROP INDEX pages_by_creation',
      `CREATE INDEX pages_by_creation ON pages (account_id, created_at, id)
      WHERE importing_at IS NULL`,
    ],
  },
  /**
   * On PostgreSQL: the pages that changed in the last minutes, by the transaction that changed
   * them. Nodes that keep pages in memory read it, because a notification can be lost.
   */
  {
    name: '0029-page-changes',
    up: () => [
      `CREATE TABLE page_changes (
      xid bigint NOT NULL, slug text NOT NULL, changed_ms bigint NOT NULL,
      PRIMARY KEY (xid, slug))`,
    ],
  },
]
