import { rawChange } from '../../../platform/db/raw.ts'
import { deleteBy, rowBy } from '../../../platform/db/rows.ts'

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
export const findMove = rowBy('view_moves', ['file'])

/** Only after the file is deleted: without the row, all of its views would be added again. */
export const forgetFile = deleteBy('view_moves', 'file')
