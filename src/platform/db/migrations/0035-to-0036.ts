import type { Migration } from '../migration.ts'

export const FROM_35: readonly Migration[] = [
  /**
   * Slugs that accounts gave up. They outlive the account: then nobody may take them, which no
   * account means.
   */
  {
    name: '0035-freed-slugs',
    up: () => [
      'CREATE TABLE freed_slugs (slug text PRIMARY KEY, account_id text, freed_at text NOT NULL)',
      'CREATE INDEX freed_slugs_by_time ON freed_slugs (freed_at)',
      'CREATE INDEX freed_slugs_of_account ON freed_slugs (account_id)',
    ],
  },
  /** A deep offset of a list is read in a thread: no counts of it have to be kept up to date. */
  {
    name: '0036-no-list-moves',
    up: (blob) =>
      blob === 'blob'
        ? [
            'DROP TRIGGER pages_added',
            'DROP TRIGGER pages_removed',
            'DROP TRIGGER pages_moved',
            'DROP TRIGGER list_moves_kept',
            'DROP TABLE list_moves',
          ]
        : [
            'DROP TRIGGER pages_moved ON pages',
            'DROP TABLE list_moves',
            'DROP FUNCTION note_list_move()',
            'DROP FUNCTION delete_old_list_moves()',
          ],
  },
]
