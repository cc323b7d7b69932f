import type { Secrets } from '../secrets.ts'
import type { Database, Tx } from './index.ts'

/** A transaction on the schema of that time: migrations write their SQL themselves. */
export type MigrationTx = Tx

export interface MigrationContext {
  engine: Database['engine']
  /** Of the master key that protects these data. */
  secrets: Secrets
}

/** A forward step of the schema. `migrate.ts` lists them. A released migration is never edited. */
export interface Migration {
  name: string
  /** @param blob the column type for bytes on this engine */
  up(blob: 'blob' | 'bytea'): readonly string[]
  /** Fills in, after `up`, what SQL cannot compute from the rows that are there. */
  fill?(tx: MigrationTx, context: MigrationContext): Promise<void>
}

/** @param texts SQL by name, with a semicolon at the end of each statement and of its line */
export function migrations(texts: Record<string, string>): Migration[] {
  return Object.entries(texts).map(([name, text]) => ({
    name,
    up: (blob) =>
      text
        .replaceAll('{blob}', blob)
        .split(/;(?:\n|$)/)
        .slice(0, -1),
  }))
}
