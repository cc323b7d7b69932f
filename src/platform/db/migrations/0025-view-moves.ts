import type { Migration } from '../migration.ts'

/** Views are counted in files first: a row for each, with the last batch that was added. */
export const viewMoves: Migration = {
  name: '0025-view-moves',
  up: () => ['CREATE TABLE view_moves (file text PRIMARY KEY, batch bigint NOT NULL)'],
}
