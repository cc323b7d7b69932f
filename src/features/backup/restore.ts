import type { Readable } from 'node:stream'
import { type Entry, fromFdPromise, openPromise } from 'yauzl'
import { z } from 'zod'
import type { Blobs } from '../../platform/blobs/index.ts'
import { skipEventNumbers } from '../../platform/db/event-numbers.ts'
import type { Database, Tx } from '../../platform/db/index.ts'
import { firstMigrations, migrateWithin, migrationNames } from '../../platform/db/migrate.ts'
import {
  deleteRows,
  insertRows,
  listTables,
  type Table,
  type Value,
  withoutOrder,
} from '../../platform/db/table-copy.ts'
import { sha256Of } from '../../platform/ids.ts'
import { splitLines } from '../../platform/lines.ts'
import type { Secrets } from '../../platform/secrets.ts'
import {
  CHECKSUMS,
  type Checksums,
  checksums,
  FORMAT,
  HEADER,
  type Header,
  header,
  keyOf,
  SECRET,
  tableEntry,
  tableHead,
  tableRow,
} from './format.ts'

/** The message says what is wrong with the backup. */
export class BadBackup extends Error {
  override readonly name = 'BadBackup'

  constructor(why: string) {
    super(`This backup cannot be used: ${why}.`)
  }
}

interface RestoreTarget {
  /** Without tables. */
  database: Database
  blobs: Blobs
  /** Of the key that protects the backup. */
  secrets: Secrets
}

/** A backup that was checked from its first byte to its last. */
export type Backup = Awaited<ReturnType<typeof openBackup>>

const ROWS_AT_ONCE = 200

/**
 * Opens a backup, and verifies every byte of it before anything is written.
 *
 * @param file a path, or a descriptor, which is closed in the end
 * @throws BadBackup
 */
export async function openBackup(file: string | number) {
  const options = { autoClose: false }
  const opening =
    typeof file === 'string' ? openPromise(file, options) : fromFdPromise(file, options)
  const zip = await opening.catch((err: Error) => {
    throw new BadBackup(`it is no complete zip (${err.message})`)
  })
  try {
    const entries = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    const open: OpenEntry = async (name) => {
      const entry = entries.get(name)
      if (entry === undefined) throw new BadBackup(`${name} is missing`)
      return zip.openReadStreamPromise(entry)
    }
    const sums = checksums.parse(await readJson(open, CHECKSUMS))
    for (const [name, hash] of Object.entries(sums.entries)) await verify(open, name, hash)
    const head = header.parse(await readJson(open, HEADER))
    assertKnown(head)
    const secretKey = entries.has(SECRET) ? (await readText(open, SECRET)).trim() : null
    const files = Object.keys(sums.entries).filter((name) => keyOf(name) !== null)
    return {
      header: head,
      /** Null where the key was a setting. */
      secretKey,
      files: files.length,
      rows: Object.values(sums.tables).reduce((sum, rows) => sum + rows, 0),
      restore: (target: RestoreTarget) => restore({ open, sums, header: head, files }, target),
      close: () => zip.close(),
    }
  } catch (err) {
    zip.close()
    throw err instanceof z.ZodError ? new BadBackup('its contents are not as they must be') : err
  }
}

/** A newer program may keep data that this one would drop. */
function assertKnown({ format, version, migrations }: Header): void {
  const names = migrationNames()
  const isKnown = migrations.every((name, at) => name === names[at])
  if (format === FORMAT && isKnown) return
  throw new BadBackup(`it is of version ${version}, which is newer than this one: install that`)
}

type OpenEntry = (name: string) => Promise<Readable>

interface Source {
  open: OpenEntry
  sums: Checksums
  header: Header
  /** The names of entries that are files of the blob store. */
  files: string[]
}

/** Files first, so that a restored database always has all of them. A failure leaves none. */
async function restore(source: Source, target: RestoreTarget): Promise<void> {
  const { open, sums, files } = source
  try {
    for (const name of files) {
      await target.blobs.put(keyOf(name)!, await open(name), () => sums.entries[name]!)
    }
    await restoreRows(source, target)
  } catch (err) {
    await target.blobs.delete(files.map((name) => keyOf(name)!)).catch(() => {})
    throw err
  }
}

async function restoreRows(source: Source, { database, secrets }: RestoreTarget): Promise<void> {
  // One transaction, so that a database in which something fails is as empty as it was: the schema
  // that the rows are of, the rows, and the steps to the schema of today.
  await database.write(async (tx) => {
    const { engine } = database
    const context = { engine, secrets }
    await migrateWithin(tx, context, firstMigrations(source.header.migrations.length))
    await fill(tx, source, engine)
    await migrateWithin(tx, context)
    await skipEventNumbers(tx)
  }, 'unhurried')
}

/** Triggers of earlier versions wrote `list_moves`. */
const NOT_IN_BACKUPS: ReadonlySet<string> = new Set(['migrations', 'list_moves'])

async function fill(tx: Tx, source: Source, engine: Database['engine']): Promise<void> {
  const tables = (await listTables(tx, engine)).filter(({ name }) => !NOT_IN_BACKUPS.has(name))
  await withoutOrder(tx, engine, async () => {
    await deleteRows(tx, tables)
    for (const table of tables) await fillTable(tx, table, source)
  })
}

async function fillTable(tx: Tx, table: Table, { open, sums }: Source): Promise<void> {
  let target: Table | null = null
  let count = 0
  for await (const lines of linesOf(await open(tableEntry(table.name)))) {
    const rows = target === null ? lines.slice(1) : lines
    target ??= { ...table, columns: tableHead.parse(JSON.parse(lines[0]!)).columns }
    await insertRows(
      tx,
      target,
      rows.map((line) => tableRow.parse(JSON.parse(line)).map(fromJson)),
    )
    count += rows.length
  }
  if (count !== sums.tables[table.name]) throw new BadBackup(`rows of ${table.name} are missing`)
}

function fromJson(value: z.output<typeof tableRow>[number]): Value {
  if (value === null || typeof value !== 'object') return value
  return Buffer.from(value.base64, 'base64')
}

async function verify(open: OpenEntry, name: string, hash: string): Promise<void> {
  const reading = open(name).then(sha256Of)
  const sum = await reading.catch((err: Error) => {
    throw new BadBackup(`${name} cannot be read (${err.message})`)
  })
  if (sum !== hash) throw new BadBackup(`${name} is damaged`)
}

async function readText(open: OpenEntry, name: string): Promise<string> {
  return Buffer.concat(await Array.fromAsync(await open(name))).toString('utf8')
}

async function readJson(open: OpenEntry, name: string): Promise<unknown> {
  const text = await readText(open, name)
  try {
    return JSON.parse(text)
  } catch {
    throw new BadBackup(`${name} is damaged`)
  }
}

/** The lines of an entry, a few at a time. */
async function* linesOf(stream: Readable): AsyncGenerator<string[]> {
  let lines: string[] = []
  for await (const line of splitLines(stream)) {
    lines.push(line)
    if (lines.length <= ROWS_AT_ONCE) continue
    yield lines
    lines = []
  }
  if (lines.length > 0) yield lines
}
