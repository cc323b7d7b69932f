import { describe, expect, it } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { backupFolder } from '../../platform/backup-store/folder.ts'
import { WrongBytes } from '../../platform/blobs/index.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { backUp, checks, doctor, fillApp } from '../../testing/backups.ts'
import { examine, openBackup } from './index.ts'

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
    const backups = join(app.folder, 'unmounted')
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
