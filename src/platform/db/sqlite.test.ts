import { describe, expect, it } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type TestApp, testApp } from '../../testing/app.ts'
import type { Db } from './index.ts'

const link = (hash: string) => ({ hash, created_at: '', expires_at: '' })

function insert({ database }: TestApp, hash: string) {
  return database.write((tx) => tx.insertInto('setup_links').values(link(hash)).execute())
}
async function hashesIn(app: TestApp): Promise<string[]> {
  return (await app.rows('setup_links')).map(({ hash }) => hash).sort()
}

describe('writes to SQLite that arrive in one turn of the event loop', () => {
  it('share a commit, and one that fails does not undo the others', async () => {
    await using app = await testApp('sqlite')
    const broken = app.database.write(async (tx) => {
      await tx.insertInto('setup_links').values(link('half')).execute()
      throw new Error('changed its mind')
    })
    const writes = [insert(app, 'a'), broken, insert(app, 'b')]
    const ended = await Promise.allSettled(writes)
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await hashesIn(app)).toEqual(['a', 'b'])
  })

  it('reject only when the row they collide with can be read', async () => {
    await using app = await testApp('sqlite')
    const first = insert(app, 'same')
    const second = insert(app, 'same').catch(() => hashesIn(app))
    const third = app.database.write(async () => {
      for (let i = 0; i < 5; i++) await hashesIn(app)
    })
    expect(await second).toEqual(['same'])
    await Promise.all([first, third])
  })

  it('are rejected once the database is closed', async () => {
    const app = await testApp('sqlite')
    await app[Symbol.asyncDispose]()
    await expect(insert(app, 'late')).rejects.toThrow('closed')
  })

  it('cannot be read by others before their commit', async () => {
    await using app = await testApp('sqlite')
    const within = app.database.write(async (tx) => {
      await tx.insertInto('setup_links').values(link('new')).execute()
      return hashesIn(app)
    })
    expect(await within).toEqual([])
    expect(await hashesIn(app)).toEqual(['new'])
  })
})

describe('prepared statements of SQLite', () => {
  it('are finalized when there are too many, and prepared again when they are needed', async () => {
    await using app = await testApp('sqlite')
    await insert(app, 'a')
    const run = async (n: number) =>
      (
        await sql<{ n: number }>`SELECT ${sql.lit(n)} AS n FROM setup_links`.execute(
          app.database.read,
        )
      ).rows
    for (const round of [1, 2]) {
      for (let n = 0; n < 300; n++) expect(await run(n * round)).toEqual([{ n: n * round }])
    }
  })
})

describe('a snapshot of SQLite', () => {
  it('delays no write, waits for a free connection, and ends when the database closes', async () => {
    const app = await testApp('sqlite')
    await insert(app, 'before')
    const end = Promise.withResolvers<void>()
    const hashes = (db: Db) => db.selectFrom('setup_links').select('hash').execute()
    const reading = Array.from({ length: 16 }, () =>
      app.database.snapshot(async (db) => {
        await hashes(db)
        await end.promise
        return (await hashes(db)).length
      }),
    )
    await insert(app, 'after')
    let hasBegun = false
    const waiting = app.database.snapshot(async (db) => {
      hasBegun = true
      return (await hashes(db)).length
    })
    await Bun.sleep(10)
    expect(hasBegun).toBe(false)
    end.resolve()
    expect(await Promise.all(reading)).toEqual(Array(16).fill(1))
    expect(await waiting).toBe(2)

    const begun = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const neverEnds = app.database.snapshot(async (db) => {
      await hashes(db)
      begun.resolve()
      await closed.promise
      return hashes(db)
    })
    await begun.promise
    const began = performance.now()
    await app.database.close()
    // A checkpoint would wait five seconds for an open reader.
    expect(performance.now() - began).toBeLessThan(4000)
    closed.resolve()
    await expect(neverEnds).rejects.toThrow()
  })

  it('keeps no place of one that could not open its connection', async () => {
    await using app = await testApp('sqlite')
    const file = join(app.folder, 'test.db')
    const one = () =>
      app.database.snapshot((db) => db.selectFrom('setup_links').select('hash').execute())
    renameSync(file, `${file}-away`)
    for (let count = 0; count < 17; count++) await expect(one()).rejects.toThrow()
    renameSync(`${file}-away`, file)
    expect(await one()).toEqual([])
  })
})
