import type { Expression, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Runs reads, which see only what is committed, and on SQLite return it once the disk has it. */
export type Db = Kysely<Tables>

/** A query of ids, which another feature's query has as a part. */
export type IdQuery = Expression<string>

declare const insideTransaction: unique symbol
/** A function that writes takes a `Tx`, so it cannot run outside a transaction. */
export type Tx = Db & { readonly [insideTransaction]: true }

/**
 * `full`: durable before `write` resolves. `relaxed`: survives a crash of the process at once, and
 * one of the operating system after at most 100 ms. It is for views of pages without a view limit,
 * rate limits and times of last use. `freeing`: full, and on a disk that is full it may use the
 * space that is kept for writes that delete or take offline, and for what leads there: signing in,
 * its mails, and changes of who may open a page. `unhurried`: full, and its statements may take as
 * long as they need: migrations and restores.
 */
export type Durability = 'full' | 'relaxed' | 'freeing' | 'unhurried'

export interface Database {
  readonly engine: 'sqlite' | 'postgres'
  readonly read: Db
  /**
   * Runs `read` on one consistent state of the database, that of its first query, without delaying
   * writes. Use it for several reads that belong together and for long ones. Only a limited number
   * run at once; others wait.
   */
  snapshot<T>(read: (db: Db) => Promise<T>): Promise<T>
  /**
   * Like `snapshot`, for reads that go through so many rows that others would notice. On SQLite,
   * whose queries hold up the event loop, they run in a thread. Short reads are faster otherwise.
   */
  longRead<T>(read: (db: Db) => Promise<T>): Promise<T>
  /**
   * Runs `work` in one transaction and resolves with its result once that has committed. `work`
   * awaits nothing but the database. It runs again after a conflict with another transaction.
   */
  write<T>(work: (tx: Tx) => Promise<T>, durability?: Durability): Promise<T>
  /** Notifies every node, this one included, once the surrounding transaction has committed. */
  notify(tx: Tx, channel: string, payload: string): Promise<void>
  /** `onLost` is called when notifications may have been missed: caches must be cleared then. */
  listen(channel: string, listener: (payload: string) => void, onLost: () => void): Promise<void>
  /**
   * Whether notifications of other processes arrive. While they do not, what is cached until one
   * comes may be out of date, and must be read again. On SQLite, where a command has written since
   * the last call, this first calls each `onLost`.
   */
  isListening(): boolean
  /** Listens on another connection, since a notification did not arrive on this one. */
  listenAgain(): void
  close(): Promise<void>
}
