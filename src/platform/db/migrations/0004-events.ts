import type { Migration } from '../migration.ts'

export const events: Migration = {
  name: '0004-events',
  up: () => [
    `CREATE TABLE event_counts (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, kind text NOT NULL,
      minute integer NOT NULL, count integer NOT NULL, PRIMARY KEY (page_id, kind, minute))`,

    `INSERT INTO event_counts (page_id, kind, minute, count)
      SELECT page_id, 'view', minute, views FROM view_notices`,
    `INSERT INTO event_counts (page_id, kind, minute, count)
      SELECT page_id, 'response', minute, responses FROM response_notices`,

    'DROP TABLE view_notices',
    'DROP TABLE response_notices',
  ],
}
