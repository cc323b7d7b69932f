import type { Tx } from './index.ts'

/**
 * Runs one short transaction of a long write. Its data stays hidden until the last transaction, and
 * other writes run in between.
 */
export type WriteStep = (work: (tx: Tx) => Promise<void>) => Promise<void>

/** The part of a long write in the last transaction. It stores few rows, and may be retried. */
export type LastStep = (tx: Tx) => Promise<void>
