import type { Migration } from '../migration.ts'

/** A deep offset of a list is read in a thread: no counts of it have to be kept up to date. */
export const noListMoves: Migration = {
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
}
