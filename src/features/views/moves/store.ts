import type { Db, Tx } from '../../../platform/db/index.ts'
import { raw, rawWrite } from '../../../platform/db/raw.ts'

const upsertMove = raw<{ batch: number }>(`
  INSERT INTO view_moves (file, batch) VALUES ($1, $2)
  ON CONFLICT (file) DO UPDATE SET batch = excluded.batch
    WHERE view_moves.batch < excluded.batch RETURNING batch`)
const selectMove = raw<{ batch: number }>('SELECT batch FROM view_moves WHERE file = $1')
/**
 * Records up to which batch the views of a file are stored, in the transaction that stores them.
 *
 * @returns false where they were stored before: they must not be added again
 */
export async function recordMove(tx: Tx, file: string, batch: number): Promise<boolean> {
  return (await upsertMove(tx, [file, batch])).length > 0
}

/** @returns the last batch of the file that is stored; 0 where none is */
export async function movedBatch(db: Db, file: string): Promise<number> {
  return (await selectMove(db, [file]))[0]?.batch ?? 0
}

/** Only after the file is deleted: without the row, all of its views would be added again. */
export const forgetFile = rawWrite<[file: string]>('DELETE FROM view_moves WHERE file = $1')
