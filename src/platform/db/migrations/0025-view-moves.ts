import type { Migration } from '../migration.ts'

/** Views are counted in files first: one row for each, with the last batch that was added from it. */
export const viewMoves: Migration = {
  name: '0025-view-moves',
  up: () => ['CREATE TABLE view_moves (file text PRIMARY KEY, batch bigint NOT NULL)'],
}
