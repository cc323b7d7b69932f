import { sql } from 'kysely'
import type { Migration, MigrationTx } from '../migration.ts'

/**
 * What the inbox of an account lists, in an index of its own for each kind of item, so that it is
 * found without reading the account's pages.
 */
export const inboxOrder: Migration = {
  name: '0023-inbox-order',
  up: () => [
    "ALTER TABLE comments ADD COLUMN account_id text NOT NULL DEFAULT ''",
    'ALTER TABLE comments ADD COLUMN last_at text',
    `UPDATE comments SET
      account_id = (SELECT account_id FROM pages WHERE pages.id = comments.page_id),
      last_at = CASE WHEN parent_id IS NULL THEN coalesce(
        (SELECT max(reply.created_at) FROM comments AS reply
          WHERE reply.parent_id = comments.id), created_at) END`,
    `CREATE INDEX comments_in_inbox ON comments (account_id, last_at, id, page_id)
      WHERE parent_id IS NULL AND state = 'open' AND is_hidden = 0`,

    'ALTER TABLE access_requests ADD COLUMN in_inbox integer NOT NULL DEFAULT 0',
    `UPDATE access_requests SET in_inbox = 1 WHERE decided_at IS NULL AND page_id IN (
      SELECT id FROM pages WHERE access = 'people'
        AND settings LIKE '%"allow_access_requests":true%')`,
    `CREATE INDEX access_requests_in_inbox
      ON access_requests (account_id, created_at, id, page_id) WHERE in_inbox = 1`,

    "ALTER TABLE approval_decisions ADD COLUMN account_id text NOT NULL DEFAULT ''",
    'ALTER TABLE approval_decisions ADD COLUMN in_inbox integer NOT NULL DEFAULT 0',
    `UPDATE approval_decisions SET account_id =
      (SELECT account_id FROM pages WHERE pages.id = approval_decisions.page_id)`,
    `CREATE INDEX approval_decisions_in_inbox
      ON approval_decisions (account_id, decided_at, id, page_id) WHERE in_inbox = 1`,
  ],
  async fill(tx) {
    const { rows } = await sql<{ id: string; settings: string }>`
      SELECT id, settings FROM pages WHERE settings LIKE '%"collect_approvals":true%'
        AND id IN (SELECT page_id FROM approval_decisions)`.execute(tx)
    for (const { id, settings } of rows) {
      const { approver_emails: approvers = [] } = JSON.parse(settings)
      for (const email of approvers) await markNewest(tx, id, email)
    }
  },
}

async function markNewest(tx: MigrationTx, pageId: string, email: string): Promise<void> {
  await sql`UPDATE approval_decisions SET in_inbox = 1 WHERE id = (
    SELECT id FROM approval_decisions
    WHERE page_id = ${pageId} AND email = ${email} AND imported_at IS NULL
    ORDER BY decided_at DESC, id DESC LIMIT 1)`.execute(tx)
}
