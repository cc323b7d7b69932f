import type { Migration } from '../migration.ts'

/** Removes what 0030 also made before the first release. */
export const noListMoves: Migration = {
  name: '0036-no-list-moves',
  up: (blob) => [
    ...['pages_added', 'pages_removed', 'pages_moved', 'list_moves_kept'].map(
      (name) => `DROP TRIGGER IF EXISTS ${name}${blob === 'bytea' ? ' ON pages' : ''}`,
    ),
    'DROP TABLE IF EXISTS list_moves',
    ...(blob === 'bytea' ? ['note_list_move', 'delete_old_list_moves'] : []).map(
      (name) => `DROP FUNCTION IF EXISTS ${name}()`,
    ),
  ],
}
