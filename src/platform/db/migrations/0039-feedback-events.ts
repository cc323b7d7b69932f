import type { Migration } from '../migration.ts'

const IS_THREAD = "type IN ('comment', 'reply')"

/** All that viewers did before, with the time that orders it. Secret votes have none. */
const EVERYTHING = `
  SELECT page_id, CASE WHEN parent_id IS NULL THEN 'comment' ELSE 'reply' END AS type,
    created_at AS at, id AS object_id, coalesce(parent_id, id) AS item_id,
    CASE WHEN author_kind = 'owner' THEN 1 ELSE 0 END AS is_own, NULL AS place
  FROM comments
  UNION ALL SELECT page_id, 'response', submitted_at, id, id, 0, 'done' FROM responses
  UNION ALL SELECT page_id, 'access_request', created_at, id, id, 0,
    CASE WHEN decided_at IS NOT NULL THEN 'closed' WHEN in_inbox = 1 THEN 'open' END
  FROM access_requests
  UNION ALL SELECT page_id, 'approval', decided_at, id, id, 0,
    CASE WHEN in_inbox = 1 THEN 'open' END
  FROM approval_decisions WHERE imported_at IS NULL
  UNION ALL SELECT page_id, 'vote', voted_at, voter, NULL, 0, NULL
  FROM votes WHERE voted_at IS NOT NULL`

/**
 * What viewers did, as one sequence of events for each account, from what there is. The inbox reads
 * it: threads and requests that wait are unread, unless the owner wrote last; responses are done.
 * What placed things in the inbox before goes.
 */
export const feedbackEvents: Migration = {
  name: '0039-feedback-events',
  up: () => [
    `CREATE TABLE feedback_events (
      account_id text NOT NULL, number bigint NOT NULL,
      type text NOT NULL, at text NOT NULL,
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      object_id text, item_id text, is_own integer NOT NULL, is_read integer NOT NULL, place text,
      PRIMARY KEY (account_id, number))`,
    `CREATE TABLE feedback_counters (
      account_id text PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
      last_number bigint NOT NULL)`,
    `INSERT INTO feedback_events (account_id, number, type, at, page_id, object_id, item_id, is_own,
        is_read, place)
      SELECT account_id, row_number() OVER (PARTITION BY account_id ORDER BY at, object_id), type,
        at, page_id, object_id, item_id, is_own, 1, place
      FROM (${EVERYTHING}) AS everything JOIN pages ON pages.id = page_id
      WHERE importing_at IS NULL`,
    `INSERT INTO feedback_counters (account_id, last_number)
      SELECT account_id, max(number) FROM feedback_events GROUP BY account_id`,
    `CREATE INDEX feedback_events_of_item ON feedback_events (item_id, number)
      WHERE item_id IS NOT NULL`,
    // The newest event of each thread, own replies aside.
    `UPDATE feedback_events SET place = (
        SELECT CASE WHEN is_hidden = 1 THEN NULL WHEN state = 'open' THEN 'open' ELSE 'closed' END
        FROM comments WHERE comments.id = item_id)
      WHERE ${IS_THREAD} AND number = (
        SELECT max(other.number) FROM feedback_events AS other
        WHERE other.item_id = feedback_events.item_id
          AND (other.is_own = 0 OR other.type = 'comment'))`,
    `UPDATE feedback_events SET is_read = 0
      WHERE place = 'open' AND is_own = 0 AND (type = 'access_request' OR (${IS_THREAD}
        AND NOT EXISTS (SELECT 1 FROM feedback_events AS later
          WHERE later.item_id = feedback_events.item_id
            AND later.number > feedback_events.number)))`,
    'CREATE INDEX feedback_events_of_page ON feedback_events (page_id, number)',
    `CREATE INDEX feedback_events_in_inbox
      ON feedback_events (account_id, place, number, type, is_read, page_id)
      WHERE place IS NOT NULL`,
    // What is counted is found as one range of this.
    `CREATE INDEX feedback_events_counted
      ON feedback_events (account_id, place, type, is_read, page_id) WHERE place IS NOT NULL`,
    `CREATE INDEX feedback_events_to_sweep ON feedback_events (at)
      WHERE place IS NULL AND type IN ('reply', 'response', 'vote')`,

    'DROP INDEX comments_in_inbox',
    'ALTER TABLE comments DROP COLUMN last_at',
    'ALTER TABLE comments DROP COLUMN account_id',
    'DROP INDEX access_requests_in_inbox',
    'ALTER TABLE access_requests DROP COLUMN in_inbox',
    'DROP INDEX approval_decisions_in_inbox',
    'ALTER TABLE approval_decisions DROP COLUMN in_inbox',
    'ALTER TABLE approval_decisions DROP COLUMN account_id',
  ],
}
