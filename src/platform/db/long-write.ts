import { type Refusal, refuse } from '../../model/errors.ts'
import { isUniqueViolation } from './errors.ts'
import type { Tx } from './index.ts'

/**
 * Runs one short transaction of a long write. Its data stays hidden until the last transaction, and
 * other writes run in between.
 */
export type WriteStep = (work: (tx: Tx) => Promise<unknown>) => Promise<void>

/** The part of a long write in the last transaction. It stores few rows, and may be retried. */
export type LastStep = (tx: Tx) => Promise<unknown>

/**
 * All rows of a list in the order of a column, in batches that each begin after the one before.
 *
 * @param start before the first value of the column
 */
export async function* rowsInBatches<
  Name extends string,
  Row extends Record<Name, Key>,
  Key = string,
>(
  { by, limit, start = '' as Key }: { by: Name; limit: number; start?: Key },
  read: (after: Key, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let after = start; ; ) {
    const rows = await read(after, limit)
    yield* rows
    if (rows.length < limit) return
    after = rows.at(-1)![by]
  }
}

/** The rows of an archive cannot be those of a page, so nothing of it is imported. */
export function badRows(message: string): Refusal {
  return refuse.invalid('invalid_parameter', message)
}

/**
 * Stores some imported rows in a short transaction.
 *
 * @param duplicate the message where two of them are the same
 * @throws Refusal `invalid_parameter`
 */
export async function importBatch(
  step: WriteStep,
  insert: (tx: Tx) => Promise<unknown>,
  duplicate: string,
): Promise<void> {
  await step(insert).catch((err) => {
    throw isUniqueViolation(err) ? badRows(duplicate) : err
  })
}
