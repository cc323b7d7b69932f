import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../platform/db/tables.ts'
import type { TestApp } from './app.ts'

const TABLE_NAMES = {
  sqlite: `SELECT name FROM sqlite_schema WHERE type = 'table'`,
  postgres: `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
}

/** Temporary state of the nodes, and slugs and numbers that are not given twice: no data. */
const NOTES = ['freed_slugs', 'page_changes', 'view_moves', 'feedback_counters']

type Counts = Record<string, number | string>
const queries = new WeakMap<TestApp['database'], Promise<RawBuilder<Counts>>>()

/** How many rows each table has, apart from notes of the nodes. */
export async function rowCounts({ database, views }: TestApp): Promise<Record<string, number>> {
  await views.flush()
  const query = queries.get(database) ?? countsQuery(database)
  queries.set(database, query)
  const { rows } = await (await query).execute(database.read)
  return Object.fromEntries(Object.entries(rows[0]!).map(([name, n]) => [name, Number(n)]))
}

/** Made once for a database: tests of properties count some thousand times. */
async function countsQuery(database: TestApp['database']): Promise<RawBuilder<Counts>> {
  const names = (await tableNames(database)).filter((name) => !NOTES.includes(name))
  return sql.raw(`SELECT ${names.map((name) => `(SELECT count(*) FROM ${name}) AS ${name}`)}`)
}

/** The whole database as one text: every row, and on SQLite every byte of its files. */
export async function dumpDatabase(app: TestApp): Promise<string> {
  const parts: string[] = []
  for (const table of await tableNames(app.database)) {
    for (const row of await app.rows(table)) {
      parts.push(...Object.values(row).map(textOf))
    }
  }
  if (app.engine === 'sqlite') {
    const files = readdirSync(app.folder).filter((name) => name.startsWith('test.db'))
    parts.push(...files.map((name) => readFileSync(join(app.folder, name), 'latin1')))
  }
  return parts.join('\n')
}

/** The keys of the blob store, which holds large content. */
export async function storedKeys({ blobs }: TestApp): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of blobs.list()) keys.push(key)
  return keys.sort()
}

async function tableNames({ engine, read }: TestApp['database']): Promise<(keyof Tables)[]> {
  const { rows } = await sql.raw<{ name: keyof Tables }>(TABLE_NAMES[engine]).execute(read)
  return rows.map(({ name }) => name).sort()
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
}
