/** Rows in pieces that fit in memory. They can be read again: a transaction may run twice. */
export interface Batches<T> extends Iterable<readonly T[]> {
  /** How many rows there are. */
  readonly count: number
}
