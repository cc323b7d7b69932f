import type { Mails } from './mails.ts'

/** A fault that is made to happen while the server works. */
export interface Fault {
  letter: string
  about: string
  /** What it needs and this machine lacks; null where it can run. */
  missing?(): string | null
  run(tools: Tools): Promise<Row[]>
}

export interface Tools {
  rounds: number
  /** How many requests the memory of a server is watched through. */
  requests: number
  mails: Mails
  /** Makes an empty folder that is deleted after the run. */
  folder(): string
  /** Reports progress on stderr. */
  log(text: string): void
}

/** A line of the table: what was answered, what is there of it, and what else was measured. */
export interface Row {
  fault: string
  what: string
  answered: number
  found: number
  /** What must not be. Any of it fails the run, as anything that is lost does. */
  wrong: string[]
}
