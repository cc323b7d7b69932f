import { describe, expect, it } from 'bun:test'
import { type TestApp, testApp } from '../../testing/app.ts'
import type { Db } from './index.ts'

const link = (hash: string) => ({ hash, created_at: '', expires_at: '' })

function insert({ database }: TestApp, hash: string) {
  return database.write((tx) => tx.insertInto('setup_links').values(link(hash)).execute())
}
async function hashesIn(app: TestApp): Promise<string[]> {
  return (await app.rows('setup_links')).map(({ hash }) => hash).sort()
}

describe('writes to SQLite that meet in one turn', () => {
  it('share a commit, and one that fails takes nothing with it', async () => {
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

  it('are told of what was in their way when that can be read, and not before', async () => {
    await using app = await testApp('sqlite')
    const first = insert(app, 'same')
    const second = insert(app, 'same').catch(() => hashesIn(app))
    const third = app.database.write(async () => {
      for (let i = 0; i < 5; i++) await hashesIn(app)
    })
    expect(await second).toEqual(['same'])
    await Promise.all([first, third])
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

describe('a snapshot of SQLite', () => {
  it('leaves no writer waiting however many are read, and ends when the database is closed', async () => {
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

    const neverEnds = app.database.snapshot(async (db) => {
      await hashes(db)
      await Bun.sleep(20)
      return hashes(db)
    })
    const began = performance.now()
    await app[Symbol.asyncDispose]()
    // Folding the log into the file would wait seconds for a reader.
    expect(performance.now() - began).toBeLessThan(2000)
    await expect(neverEnds).rejects.toThrow()
  })
})
