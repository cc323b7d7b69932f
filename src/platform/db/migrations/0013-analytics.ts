import type { Migration } from '../migration.ts'

/**
 * Views have been counted by hour since the first migration, so the hours of earlier views add up
 * to their pages' views already. Nothing else is known of them: they have no row here.
 */
export const analytics: Migration = {
  name: '0013-analytics',
  up: () => [
    `ALTER TABLE view_counters ADD COLUMN account_id text NOT NULL DEFAULT ''`,
    `UPDATE view_counters SET account_id =
      (SELECT account_id FROM pages WHERE pages.id = view_counters.page_id)`,
    'CREATE INDEX view_counters_of_account ON view_counters (account_id)',

    'ALTER TABLE view_hours ADD COLUMN viewers integer NOT NULL DEFAULT 0',

    `CREATE TABLE view_facets (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, day integer NOT NULL,
      facet text NOT NULL, value text NOT NULL, count integer NOT NULL, seconds integer NOT NULL,
      PRIMARY KEY (page_id, day, facet, value))`,

    'CREATE TABLE view_salts (id integer PRIMARY KEY, day integer NOT NULL, salt text NOT NULL)',
    `CREATE TABLE daily_viewers (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, day integer NOT NULL,
      viewer text NOT NULL, PRIMARY KEY (page_id, day, viewer))`,
    'CREATE INDEX daily_viewers_by_day ON daily_viewers (day)',

    `CREATE TABLE confirmed_viewers (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, email text NOT NULL,
      views integer NOT NULL, first_at text NOT NULL, last_at text NOT NULL, manifest_id text,
      seconds integer NOT NULL, last_sheet integer, PRIMARY KEY (page_id, email))`,
    'CREATE INDEX confirmed_viewers_by_view ON confirmed_viewers (page_id, last_at)',

    `CREATE TABLE measured_views (
      page_id text NOT NULL REFERENCES pages (id) ON DELETE CASCADE, day integer NOT NULL,
      view text NOT NULL, seconds integer NOT NULL, parts text NOT NULL,
      PRIMARY KEY (page_id, day, view))`,
    'CREATE INDEX measured_views_by_day ON measured_views (day)',
  ],
}
