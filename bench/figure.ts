import type { Row } from './report.ts'

/** A figure, or several that are measured together. */
export interface Figure {
  letter: string
  about: string
  /** Starts the servers it needs, measures, and stops them. */
  measure(bench: Bench): Promise<Row[]>
}

/** The options of a run, and what a figure can use. */
export interface Bench {
  /** Makes an empty folder that is deleted after the run. */
  folder(name: string): string
  rounds: number
  seconds: number
  isQuick: boolean
  /** Reports progress on stderr. */
  log(text: string): void
  /** Adds a note below the table. */
  note(text: string): void
}
