import { migrations } from '../migration.ts'

/** Links of a page that each name whom they were given to. */
export const links = migrations({
  '0051-links': `
    CREATE TABLE page_links (
      id text PRIMARY KEY, page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
      account_id text NOT NULL, token text NOT NULL UNIQUE,
      label text NOT NULL, email text, note text,
      expires_at text, max_views integer, off_at text, opens integer NOT NULL,
      first_opened_at text, last_opened_at text, sent_at text, bounced_at text,
      created_at text NOT NULL);
    CREATE INDEX page_links_of_page ON page_links (page_id, id);
    CREATE INDEX page_links_of_account ON page_links (account_id);`,
})
