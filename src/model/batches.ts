/** Rows in pieces that fit in memory, each for one short transaction. */
export interface Batches<T> extends Iterable<readonly T[]> {
  /** How many rows there are. */
  readonly count: number
}
