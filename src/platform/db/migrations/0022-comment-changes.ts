import type { Migration } from '../migration.ts'

/**
 * Indexes the comments that were changed after they were posted. New ones are found by their time,
 * so that posting writes one index less.
 */
export const commentChanges: Migration = {
  name: '0022-comment-changes',
  up: () => [
    'ALTER TABLE comments ADD COLUMN changed_revision bigint',
    'DROP INDEX comments_changed',
    `CREATE INDEX comments_changed ON comments (page_id, changed_revision)
      WHERE changed_revision IS NOT NULL`,
  ],
}
