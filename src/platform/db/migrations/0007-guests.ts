import type { Migration } from '../migration.ts'

/** Guest accounts; the owner of each access request, and an index for closing its links. */
export const guests: Migration = {
  name: '0007-guests',
  up: () => [
    'ALTER TABLE accounts ADD COLUMN is_guest integer NOT NULL DEFAULT 0',
    'ALTER TABLE access_requests ADD COLUMN account_id text',
    `UPDATE access_requests SET account_id =
      (SELECT account_id FROM pages WHERE pages.id = access_requests.page_id)`,
    `CREATE INDEX access_requests_open ON access_requests (account_id, created_at)
      WHERE decided_at IS NULL`,
    'CREATE INDEX confirmations_of_page ON confirmations (page_id) WHERE page_id IS NOT NULL',
  ],
}
