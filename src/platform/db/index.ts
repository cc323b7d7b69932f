import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Reads may run anywhere; they see only what is committed. */
export type Db = Kysely<Tables>

declare const insideTransaction: unique symbol
/** A write asks for a `Tx`, so it cannot run outside a transaction. */
export type Tx = Db & { readonly [insideTransaction]: true }

/**
 * `full`: on the disk before `write` resolves. `relaxed`: survives a crash of the process at once,
 * a crash of the machine after at most 100 ms (counts of pages without a view limit, and nothing
 * else).
 */
export type Durability = 'full' | 'relaxed'

export interface Database {
  readonly engine: 'sqlite' | 'postgres'
  readonly read: Db
  /**
   * All reads of `read` see one state, that of the first of them, and hold up no write. It is for
   * what takes several reads, or long: so many may be under way at once, and others wait for one
   * to end.
   */
  snapshot<T>(read: (db: Db) => Promise<T>): Promise<T>
  /**
   * Runs `work` in one transaction and resolves with its result once that is committed. `work`
   * awaits nothing but the database, and may be run again if the engine asks for it.
   */
  write<T>(work: (tx: Tx) => Promise<T>, durability?: Durability): Promise<T>
  /** Tells every node, this one included, once the surrounding transaction has committed. */
  notify(tx: Tx, channel: string, payload: string): Promise<void>
  /** `lost` is called when messages may have been missed: whoever caches forgets everything. */
  listen(channel: string, heard: (payload: string) => void, lost: () => void): Promise<void>
  close(): Promise<void>
}
