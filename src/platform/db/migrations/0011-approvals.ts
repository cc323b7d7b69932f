import type { Migration } from '../migration.ts'

/** The decisions of approvers, and the mails that asked for them. */
export const approvals: Migration = {
  name: '0011-approvals',
  up: () => [
    `CREATE TABLE approval_decisions (
      id text PRIMARY KEY, page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      email text NOT NULL, decision text NOT NULL, note text, manifest_id text NOT NULL,
      version_no integer NOT NULL, decided_at text NOT NULL)`,
    'CREATE INDEX approval_decisions_of_page ON approval_decisions (page_id, decided_at)',

    `CREATE TABLE approval_requests (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, email text NOT NULL,
      asked_at text NOT NULL, due_at text, remind_at text, message text,
      PRIMARY KEY (page_id, email))`,
    `CREATE INDEX approval_requests_to_remind ON approval_requests (remind_at)
      WHERE remind_at IS NOT NULL`,
  ],
}
