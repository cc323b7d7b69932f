import { afterAll, expect, it } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { acquireLock } from '../platform/data-folder.ts'
import { firstMigrations, migrate, schemaState } from '../platform/db/migrate.ts'
import { openSqlite } from '../platform/db/sqlite.ts'
import { emptyDatabase } from '../testing/empty-database.ts'
import { silentLog } from '../testing/silent-log.ts'
import { testSecrets } from '../testing/test-secrets.ts'
import { copyBeforeMigrating } from './migration-copy.ts'
import { lockFile } from './places.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** A database of an older version, with one page of settings in it. */
async function oldDatabase(migrations = 25) {
  const dataDir = mkdtempSync(join(tmpdir(), 'handbill-copy-'))
  folders.push(dataDir)
  const database = openSqlite(join(dataDir, 'handbill.db'))
  await migrate(database, testSecrets, firstMigrations(migrations))
  if (migrations > 0) {
    await database.write((tx) => sql`CREATE TABLE kept AS SELECT 'words' AS text`.execute(tx))
  }
  const copies = () => readdirSync(dataDir).filter((name) => /^handbill-/.test(name))
  return { dataDir, database, copies, options: { dataDir, log: silentLog() } }
}

it('a database of an older version is copied before its migrations, whole', async () => {
  const { dataDir, database, copies, options } = await oldDatabase()
  writeFileSync(join(dataDir, 'handbill-0003-responses.db'), 'of the upgrade before')
  writeFileSync(join(dataDir, 'handbill-0025-view-moves.db.part'), 'of a start that was killed')
  await copyBeforeMigrating(database, options)
  expect(copies()).toEqual(['handbill-0025-view-moves.db'])
  await migrate(database, testSecrets)
  await database.close()
  const copy = openSqlite(join(dataDir, copies()[0]!))
  expect((await schemaState(copy)).done).toHaveLength(25)
  const { rows } = await sql<{ text: string }>`SELECT text FROM kept`.execute(copy.read)
  expect(rows[0]?.text).toBe('words')
  expect(await migrate(copy, testSecrets)).toContain('0026-leases')
  await copy.close()
})

it('nothing is changed while a server of an older version serves the database', async () => {
  const { dataDir, database, copies, options } = await oldDatabase()
  const server = acquireLock(lockFile(dataDir))!
  await expect(copyBeforeMigrating(database, options)).rejects.toThrow('stop it before the upgrade')
  expect(copies()).toEqual([])
  server.release()
  await copyBeforeMigrating(database, options)
  expect(copies()).toEqual(['handbill-0025-view-moves.db'])
  await database.close()
})

it('neither a new database is copied nor one that is up to date, nor PostgreSQL', async () => {
  const empty = await oldDatabase(0)
  await rmMigrations(empty.database)
  await copyBeforeMigrating(empty.database, empty.options)
  await migrate(empty.database, testSecrets)
  await copyBeforeMigrating(empty.database, empty.options)
  expect(empty.copies()).toEqual([])
  await empty.database.close()
  await using postgres = await emptyDatabase('postgres')
  await migrate(postgres.database, testSecrets, firstMigrations(3))
  await copyBeforeMigrating(postgres.database, empty.options)
  expect(empty.copies()).toEqual([])
})

async function rmMigrations(database: Awaited<ReturnType<typeof oldDatabase>>['database']) {
  await database.write((tx) => sql`DROP TABLE migrations`.execute(tx))
}

it('without space for the copy nothing is changed, and the error says how much is needed', async () => {
  const { database, copies, options } = await oldDatabase()
  const refused = copyBeforeMigrating(database, { ...options, freeBytes: 5_000_000 })
  const message = await refused.catch((err: Error) => err.message)
  expect(message).toMatch(
    /needs \d+ MB, and 5 MB are free: free space on the disk of .* changed\.$/,
  )
  expect(copies()).toEqual([])
  await database.close()
})

it('a database that is damaged is not migrated', async () => {
  const { dataDir, database, copies, options } = await oldDatabase()
  await database.close()
  const file = join(dataDir, 'handbill.db')
  const bytes = Buffer.from(await Bun.file(file).bytes())
  // The page of the table with the words.
  const page = Math.floor(bytes.lastIndexOf('words') / 4096) * 4096
  bytes.fill(0xff, page, page + 16)
  writeFileSync(file, bytes)
  for (const log of ['-wal', '-shm']) rmSync(file + log, { force: true })
  const damaged = openSqlite(file)
  const refused = copyBeforeMigrating(damaged, options)
  expect(await refused.catch((err: Error) => err.message)).toMatch(/malformed|doctor/)
  expect(copies()).toEqual([])
  await damaged.close().catch(() => {})
})
