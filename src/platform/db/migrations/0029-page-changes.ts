import type { Migration } from '../migration.ts'

/**
 * On PostgreSQL: the pages that changed in the last minutes, by the transaction that changed them.
 * Nodes that keep pages in memory read it, because a notification can be lost.
 */
export const pageChanges: Migration = {
  name: '0029-page-changes',
  up: () => [
    `CREATE TABLE page_changes (
      xid bigint NOT NULL, slug text NOT NULL, changed_ms bigint NOT NULL,
      PRIMARY KEY (xid, slug))`,
  ],
}
