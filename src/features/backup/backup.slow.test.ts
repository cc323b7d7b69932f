import { expect, it } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { diskBlobs } from '../../platform/blobs/disk.ts'
import type { Database } from '../../platform/db/index.ts'
import { listTables, readRows } from '../../platform/db/table-copy.ts'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { backUp, doctor, fillApp } from '../../testing/backups.ts'
import { emptyDatabase } from '../../testing/empty-database.ts'
import { htmlOf } from '../../testing/material.ts'
import { testSecrets } from '../../testing/test-secrets.ts'
import { openBackup } from './index.ts'

/** Every row of every table, as text that both engines write alike. */
async function contentOf(database: Database): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {}
  for (const table of await listTables(database.read, database.engine)) {
    const lines: string[] = []
    const columns = table.columns.toSorted()
    for await (const rows of readRows(database.read, table)) {
      for (const row of rows) {
        const named = Object.fromEntries(table.columns.map((name, at) => [name, row[at]]))
        const bytes = (value: unknown) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
        lines.push(JSON.stringify(columns.map((name) => bytes(named[name]))))
      }
    }
    content[table.name] = lines.sort()
  }
  return content
}

/** What a restore makes of it: the numbers that may have been used since are left out. */
async function restoredFrom(database: Database): Promise<Record<string, string[]>> {
  const { feedback_counters: _, ...content } = await contentOf(database)
  const accounts = await database.read.selectFrom('accounts').select('id').execute()
  const counters = await database.read.selectFrom('feedback_counters').selectAll().execute()
  const last = new Map(counters.map((row) => [row.account_id, row.last_number]))
  const skipped = accounts.map(({ id }) => JSON.stringify([id, (last.get(id) ?? 0) + 1_000_000]))
  return { ...content, feedback_counters: skipped.sort() }
}

for (const engine of ENGINES) {
  for (const target of ENGINES) {
    it(`of ${engine} is restored to ${target}, row by row and byte by byte`, async () => {
      await using app = await testApp(engine)
      await fillApp(app)
      const { path, result } = await backUp(app)
      expect(result.damaged).toEqual([])
      const backup = await openBackup(path)
      expect(backup).toMatchObject({ rows: result.rows, files: result.files, secretKey: 'the key' })
      expect(backup.files).toBeGreaterThan(1)

      await using empty = await emptyDatabase(target)
      const blobs = diskBlobs(mkdtempSync(join(app.folder, 'blobs-')))
      await backup.restore({ database: empty.database, blobs, secrets: testSecrets })
      backup.close()
      expect(await contentOf(empty.database)).toEqual(await restoredFrom(app.database))
      const stored = await app.rows('blobs')
      for (const { storage_key: key, size_bytes: sizeBytes, hash } of stored) {
        if (key === null) continue
        const bytes = async (from: TestApp['blobs']) =>
          (await from.open({ key, hash, sizeBytes }, { start: 0, end: sizeBytes })).bytes()
        expect(Buffer.compare(await bytes(blobs), await bytes(app.blobs))).toBe(0)
      }
      expect((await doctor(empty.database, blobs)).filter(({ isOk }) => !isOk)).toEqual([])
      // Foreign keys are checked again after it.
      const orphan = empty.database.write((tx) =>
        sql`INSERT INTO view_hours (page_id, hour, views, viewers) VALUES ('none', 1, 1, 1)`.execute(
          tx,
        ),
      )
      expect(await orphan.catch((err: Error) => err)).toBeInstanceOf(Error)
    }, 240_000)
  }
}

for (const engine of ENGINES) {
  it(`on ${engine} is one state of the data, while pages are made, changed and deleted`, async () => {
    await using app = await testApp(engine)
    const owner = await fillApp(app)
    let isDone = false
    async function change(): Promise<number> {
      let made = 0
      for (; !isDone; made++) {
        const page = await owner.publish(htmlOf(70_000 + made))
        await owner.update(page.id, { title: `made ${page.id}` })
        if (made % 2 === 0) await owner.call('DELETE', `/pages/${page.id}`)
        await app.open(`/p/${page.slug}`)
      }
      return made
    }
    const changing = Promise.all([change(), change()])
    const { path, result } = await backUp(app)
    isDone = true
    const made = await changing
    expect(Math.min(...made)).toBeGreaterThan(0)
    expect(result.damaged).toEqual([])
    const backup = await openBackup(path)
    await using empty = await emptyDatabase(engine)
    const blobs = diskBlobs(mkdtempSync(join(app.folder, 'blobs-')))
    await backup.restore({ database: empty.database, blobs, secrets: testSecrets })
    backup.close()
    const findings = await doctor(empty.database, blobs)
    expect(findings.filter(({ isOk }) => !isOk)).toEqual([])
  }, 240_000)
}

for (const engine of ENGINES) {
  it(`that fails in the last row leaves a database of ${engine} as empty as it was`, async () => {
    await using app = await testApp('sqlite')
    await fillApp(app)
    const { path } = await backUp(app)
    const backup = await openBackup(path)
    await using empty = await emptyDatabase(engine)
    const { database } = empty
    const blobs = diskBlobs(mkdtempSync(join(app.folder, 'blobs-')))
    const failing: Database = {
      ...database,
      write: (work, durability) =>
        database.write(async (tx) => {
          await work(tx)
          throw new Error('the last row')
        }, durability),
    }
    const failed = backup.restore({ database: failing, blobs, secrets: testSecrets })
    expect(await failed.catch((err: Error) => err.message)).toBe('the last row')
    expect(await listTables(database.read, engine)).toEqual([])
    expect(await Array.fromAsync(blobs.list())).toEqual([])
    await backup.restore({ database, blobs, secrets: testSecrets })
    backup.close()
    expect(await contentOf(database)).toEqual(await restoredFrom(app.database))
  }, 240_000)
}
