import type { Mails } from './mails.ts'

/** A fault that is injected while the server works. */
export interface Fault {
  letter: string
  about: string
  /** The reason why it cannot run on this machine; null if it can. */
  missing?(): string | null
  run(tools: Tools): Promise<Row[]>
}

export interface Tools {
  rounds: number
  /** The number of requests of the memory test. */
  requests: number
  mails: Mails
  /** Makes an empty folder that is deleted after the run. */
  folder(): string
  /** Reports progress on stderr. */
  log(text: string): void
}

/**
 * A line of the table: answered operations, how many of them are stored, and other measurements.
 */
export interface Row {
  fault: string
  what: string
  answered: number
  found: number
  /** Errors. Any of them fails the run, and so does any lost operation. */
  wrong: string[]
}
