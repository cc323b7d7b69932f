import type { Tx } from './index.ts'

/**
 * Runs one short transaction of a long write. Nobody sees what it stores before the last one, and
 * other writes come in between.
 */
export type WriteStep = (work: (tx: Tx) => Promise<void>) => Promise<void>

/** What a part of a long write stores in the last transaction: few rows. It may run again. */
export type LastStep = (tx: Tx) => Promise<void>
