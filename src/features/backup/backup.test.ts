import { afterAll, describe, expect, it } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { backupFolder } from '../../platform/backup-store/folder.ts'
import { diskBlobs } from '../../platform/blobs/disk.ts'
import { WrongBytes } from '../../platform/blobs/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { listTables, readRows } from '../../platform/db/table-copy.ts'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import { emptyDatabase } from '../../testing/empty-database.ts'
import { htmlOf } from '../../testing/material.ts'
import { testSecrets } from '../../testing/test-secrets.ts'
import { findWithoutContent } from '../pages/index.ts'
import { type BackupResult, examine, openBackup, writeBackup } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'handbill-backup-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
const newPath = () => join(folder, `backup-${++files}.zip`)

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

async function backUp(
  app: TestApp,
  path = newPath(),
): Promise<{ path: string; result: BackupResult }> {
  const { database, blobs, clock, secrets } = app
  const result: BackupResult = { rows: 0, files: 0, damaged: [] }
  const fixed = { secretKey: 'the key\n', version: '1', baseUrl: 'https://pages.example.com' }
  const chunks = await Array.fromAsync(
    writeBackup({ database, blobs, clock, secrets, ...fixed }, result),
  )
  writeFileSync(path, Buffer.concat(chunks))
  return { path, result }
}

const checks = (database: Database) => ({
  logProblem: null,
  findWithoutContent: (limit: number) => findWithoutContent(database.read, [limit]),
  keyFits: async () => true,
})

/** What a restore makes of it: the numbers that may have been used since are left out. */
async function restoredFrom(database: Database): Promise<Record<string, string[]>> {
  const { feedback_counters: _, ...content } = await contentOf(database)
  const accounts = await database.read.selectFrom('accounts').select('id').execute()
  const counters = await database.read.selectFrom('feedback_counters').selectAll().execute()
  const last = new Map(counters.map((row) => [row.account_id, row.last_number]))
  const skipped = accounts.map(({ id }) => JSON.stringify([id, (last.get(id) ?? 0) + 1_000_000]))
  return { ...content, feedback_counters: skipped.sort() }
}

function doctor(database: Database, blobs: TestApp['blobs']) {
  return Array.fromAsync(examine({ database, blobs, ...checks(database) }))
}

/** Pages of every kind, with files in rows and in the blob store, comments and views. */
async function fillApp(app: TestApp) {
  const owner = await app.owner()
  const page = await owner.publish('<p>one <form data-service><input name="a"></form>', {
    ...{ allow_comments: true, access: 'password', password: 'four short words' },
  })
  await owner.edit(page.id, 'one', 'two')
  await owner.publish(htmlOf(300_000))
  await owner.publish({
    files: [{ path: 'index.html', html: '<p>deck' }],
    assets: [{ path: 'big.txt', data_base64: Buffer.alloc(100_000, 'b').toString('base64') }],
  })
  const thread = await owner.ask<{ id: string }>('POST', `/pages/${page.id}/comments`, {
    body: 'é',
  })
  await owner.ask('POST', `/pages/${page.id}/comments`, { body: 'ok', parent_id: thread.id })
  const open = await owner.publish('<p>open', { max_views: 50 })
  for (let n = 0; n < 3; n++) await app.open(`/p/${open.slug}`)
  return owner
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
      const blobs = diskBlobs(mkdtempSync(join(folder, 'blobs-')))
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
    }, 30_000)
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
    const blobs = diskBlobs(mkdtempSync(join(folder, 'blobs-')))
    await backup.restore({ database: empty.database, blobs, secrets: testSecrets })
    backup.close()
    const findings = await doctor(empty.database, blobs)
    expect(findings.filter(({ isOk }) => !isOk)).toEqual([])
  }, 30_000)
}

describe('a backup', () => {
  it('that is damaged at any place is refused before anything is written', async () => {
    await using app = await testApp('sqlite')
    await fillApp(app)
    const { path } = await backUp(app)
    const bytes = readFileSync(path)
    const places = Array.from({ length: 40 }, (_, at) => Math.floor((bytes.length * at) / 40) + 60)
    let refused = 0
    for (const place of places) {
      const damaged = Buffer.from(bytes)
      damaged[place]! ^= 0xff
      writeFileSync(path, damaged)
      const opened = await openBackup(path).then(
        (backup) => backup,
        (err: Error) => err,
      )
      if (opened instanceof Error) {
        expect(opened.name).toBe('BadBackup')
        refused += 1
      } else opened.close()
    }
    // Only a byte that nothing reads may differ: of a name that the table of contents has as well.
    expect(refused).toBeGreaterThan(places.length - 5)
    for (const length of [0, 10, bytes.length >> 1, bytes.length - 1]) {
      writeFileSync(path, bytes.subarray(0, length))
      expect((await openBackup(path).catch((err: Error) => err)).constructor.name).toBe('BadBackup')
    }
  }, 30_000)

  it('names files that are missing or damaged, and has all the others', async () => {
    await using app = await testApp('sqlite')
    await fillApp(app)
    const [lost, damaged] = (await app.rows('blobs')).filter((blob) => blob.storage_key !== null)
    await app.blobs.delete([lost!.storage_key!])
    const key = damaged!.storage_key!
    const file = join(app.folder, 'blobs', key.slice(0, 2), key)
    writeFileSync(file, Buffer.alloc(damaged!.size_bytes, 'x'))
    const { result } = await backUp(app)
    expect(result.damaged.sort()).toEqual([lost!.hash, damaged!.hash].sort())
    const files = (await doctor(app.database, app.blobs)).find(({ check }) => check === 'files')!
    expect(files.isOk).toBe(false)
    for (const { hash } of [lost!, damaged!]) expect(files.message).toContain(hash)
    expect(files.cure).toContain('backup restore')
  })

  it('goes on where an object store sends other bytes of a file than were stored', async () => {
    await using app = await testApp('sqlite')
    await fillApp(app)
    const open = async () => Promise.reject(new WrongBytes('The object store sends wrong bytes'))
    const blobs = { ...app.blobs, open }
    const stored = (await app.rows('blobs')).filter((blob) => blob.storage_key !== null)
    const { result } = await backUp({ ...app, blobs } as TestApp)
    expect(result.damaged.sort()).toEqual(stored.map(({ hash }) => hash).sort())
    const files = (await doctor(app.database, blobs)).find(({ check }) => check === 'files')!
    expect([files.isOk, files.message]).toEqual([false, expect.stringContaining(stored[0]!.hash)])
  })
})

for (const engine of ENGINES) {
  it(`that fails in the last row leaves a database of ${engine} as empty as it was`, async () => {
    await using app = await testApp('sqlite')
    await fillApp(app)
    const { path } = await backUp(app)
    const backup = await openBackup(path)
    await using empty = await emptyDatabase(engine)
    const { database } = empty
    const blobs = diskBlobs(mkdtempSync(join(folder, 'blobs-')))
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
  }, 30_000)
}

describe('the doctor', () => {
  it('finds views that do not add up, content that is missing, and a key that does not fit', async () => {
    await using app = await testApp('sqlite')
    const owner = await fillApp(app)
    const [first] = await owner.ask<{ id: string }[]>('GET', '/pages')
    await app.database.write(async (tx) => {
      await sql`UPDATE view_counters SET views = views + 1 WHERE page_id = ${first!.id}`.execute(tx)
      await sql`UPDATE pages SET draft_id = 'gone' WHERE id = ${first!.id}`.execute(tx)
    })
    const steps = examine({ ...app, ...checks(app.database), keyFits: async () => false })
    const wrong = (await Array.fromAsync(steps)).filter(({ isOk }) => !isOk)
    expect(wrong.map(({ check }) => check)).toEqual(['pages', 'counts', 'key'])
    for (const { message } of wrong.slice(0, 2)) expect(message).toContain(first!.id)
    for (const { cure } of wrong) expect(cure).not.toBeNull()
  })

  it('says that the folder of the scheduled backups is missing', async () => {
    await using app = await testApp('sqlite')
    const backups = join(folder, 'unmounted')
    const look = async () =>
      (
        await Array.fromAsync(
          examine({
            ...{ ...app, ...checks(app.database) },
            listBackups: () => backupFolder(backups).list(),
          }),
        )
      ).find(({ check }) => check === 'backups')
    expect(await look()).toMatchObject({
      isOk: false,
      message: `There is no folder ${backups}: mount its disk, or make it.`,
    })
    mkdirSync(backups)
    expect(await look()).toMatchObject({ isOk: true, cure: null })
    const without = await doctor(app.database, app.blobs)
    expect(without.map(({ check }) => check)).not.toContain('backups')
  })
})
