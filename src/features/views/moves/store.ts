import { rawChange, rawRow, rawWrite } from '../../../platform/db/raw.ts'

/**
 * Records up to which batch the views of a file are stored, in the transaction that stores them.
 *
 * @returns false where they were stored before: they must not be added again
 */
export const recordMove = rawChange<[file: string, batch: number]>(`
  INSERT INTO view_moves (file, batch) VALUES ($1, $2)
  ON CONFLICT (file) DO UPDATE SET batch = excluded.batch
    WHERE view_moves.batch < excluded.batch RETURNING batch`)

/** The last batch of the file that is stored. */
export const findMove = rawRow<{ batch: number }, [file: string]>(
  'SELECT batch FROM view_moves WHERE file = $1',
)

/** Only after the file is deleted: without the row, all of its views would be added again. */
export const forgetFile = rawWrite<[file: string]>('DELETE FROM view_moves WHERE file = $1')
