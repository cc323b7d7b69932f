import { z } from 'zod'

/** The version of the format. It changes when older programs cannot read the new one. */
export const FORMAT = 1
export const HEADER = 'handbill-backup.json'
export const SECRET = 'secret.key'
export const CHECKSUMS = 'checksums.json'
const TABLES = 'tables/'
const FILES = 'files/'

export const tableEntry = (name: string) => `${TABLES}${name}.ndjson`
export const fileEntry = (key: string) => FILES + key

/** @returns null for an entry that is no file of the blob store */
export function keyOf(entry: string): string | null {
  return entry.startsWith(FILES) ? entry.slice(FILES.length) : null
}

/** The first entry of a backup. */
export const header = z.object({
  format: z.number(),
  version: z.string(),
  created_at: z.string(),
  base_url: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  /** The schema of the tables. */
  migrations: z.array(z.string()),
  /** A signature that shows whether a key is the one that protects these data. */
  key_check: z.string(),
})
export type Header = z.output<typeof header>

/** The last entry: the list of all others, to verify that the backup is complete. */
export const checksums = z.object({
  /** SHA-256 by entry. */
  entries: z.record(z.string(), z.string()),
  /** How many rows each table has. */
  tables: z.record(z.string(), z.number()),
})
export type Checksums = z.output<typeof checksums>

/** The first line of a table. */
export const tableHead = z.object({ columns: z.array(z.string()) })

const bytes = z.object({ base64: z.base64() })
/** The following lines: the values of a row by column. */
export const tableRow = z.array(z.union([z.string(), z.number(), z.null(), bytes]))

/** What `secrets.sign` signs for `key_check`. */
export const KEY_CHECK = ['backup', 'key'] as const
