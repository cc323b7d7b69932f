import { migrations } from '../migration.ts'

const PERSON = 'page_id, email, views, first_at, last_at, seconds'
const FROM_COMMENTS = `
  SELECT page_id, author_email, 0, min(created_at), max(created_at), 0 FROM comments
  WHERE author_kind = 'confirmed' AND author_email IS NOT NULL GROUP BY page_id, author_email`
const FROM_VOTES = `
  SELECT page_id, email, 0, min(voted_at), max(voted_at), 0 FROM votes
  WHERE email IS NOT NULL AND voted_at IS NOT NULL GROUP BY page_id, email`
const FROM_DECISIONS = `
  SELECT page_id, email, 0, min(decided_at), max(decided_at), 0 FROM approval_decisions
  WHERE imported_at IS NULL GROUP BY page_id, email`

/**
 * Which browsers and confirmed addresses came by a named link, how far, and who was reminded of it.
 * Whoever confirmed an address to comment, vote or decide is known beside those at a gate.
 */
export const people = migrations({
  '0056-people': `
    CREATE TABLE link_visitors (
      link_id text NOT NULL REFERENCES page_links (id) ON DELETE CASCADE, visitor text NOT NULL,
      email text, first_at text NOT NULL, last_at text NOT NULL,
      seconds integer NOT NULL, last_sheet integer, sections integer,
      PRIMARY KEY (link_id, visitor));
    CREATE INDEX link_visitors_by_email ON link_visitors (email) WHERE email IS NOT NULL;
    CREATE INDEX link_visitors_by_age ON link_visitors (last_at);
    CREATE TABLE link_reminders (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, recipient text NOT NULL,
      count integer NOT NULL, last_at text NOT NULL, PRIMARY KEY (page_id, recipient));
    CREATE TABLE link_mail_stops (
      account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      recipient text NOT NULL, PRIMARY KEY (account_id, recipient));
    CREATE INDEX feedback_events_by_link ON feedback_events (link_id) WHERE link_id IS NOT NULL;
    CREATE INDEX view_facets_of_links ON view_facets (page_id, value)
      WHERE facet = 'link_refusal';
    ALTER TABLE confirmed_viewers ADD COLUMN sections integer;
    ${[FROM_COMMENTS, FROM_VOTES, FROM_DECISIONS]
      .map((rows) => `INSERT INTO confirmed_viewers (${PERSON}) ${rows} ON CONFLICT DO NOTHING;`)
      .join('\n    ')}`,
})
