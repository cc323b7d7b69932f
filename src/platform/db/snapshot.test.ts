import { describe, expect, it } from 'bun:test'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import type { Db } from './index.ts'

function insert({ database }: TestApp, hash: string) {
  const link = { hash, created_at: '', expires_at: '' }
  return database.write((tx) => tx.insertInto('setup_links').values(link).execute())
}
async function hashesIn(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('setup_links').select('hash').orderBy('hash').execute()
  return rows.map(({ hash }) => hash)
}

const READS = ['snapshot', 'longRead'] as const
const ALL = ENGINES.flatMap((engine) => READS.map((read) => ({ engine, read })))

for (const { engine, read } of ALL) {
  describe(`a ${read} of ${engine}`, () => {
    it('shows one state to all its reads, and delays no write', async () => {
      await using app = await testApp(engine)
      await insert(app, 'a')
      const seen = await app.database[read](async (db) => {
        const first = await hashesIn(db)
        await insert(app, 'b')
        expect(await hashesIn(app.database.read)).toEqual(['a', 'b'])
        return [first, await hashesIn(db)]
      })
      expect(seen).toEqual([['a'], ['a']])
      expect(await app.database[read](hashesIn)).toEqual(['a', 'b'])
    })

    it('is independent of snapshots that are read at the same time', async () => {
      await using app = await testApp(engine)
      const end = Promise.withResolvers<void>()
      const readUntil = (begun: PromiseWithResolvers<void>) =>
        app.database[read](async (db) => {
          const first = await hashesIn(db)
          begun.resolve()
          await end.promise
          return [...first, '|', ...(await hashesIn(db))]
        })
      const [firstBegun, secondBegun] = [
        Promise.withResolvers<void>(),
        Promise.withResolvers<void>(),
      ]
      const empty = readUntil(firstBegun)
      await firstBegun.promise
      await insert(app, 'a')
      const later = readUntil(secondBegun)
      await secondBegun.promise
      await insert(app, 'b')
      end.resolve()
      expect(await empty).toEqual(['|'])
      expect(await later).toEqual(['a', '|', 'a'])
    })

    it('refuses writes', async () => {
      await using app = await testApp(engine)
      const link = { hash: 'x', created_at: '', expires_at: '' }
      const writing = app.database[read]((db) =>
        db.insertInto('setup_links').values(link).execute(),
      )
      await expect(writing).rejects.toThrow(/read-?only/i)
      expect(await hashesIn(app.database.read)).toEqual([])
    })

    it('ends when its read throws, and its connection can be used again', async () => {
      await using app = await testApp(engine)
      for (let i = 0; i < 40; i++) {
        const failing = app.database[read](async (db) => {
          await hashesIn(db)
          throw new Error('no')
        })
        await expect(failing).rejects.toThrow('no')
      }
      await insert(app, 'a')
      expect(await app.database[read](hashesIn)).toEqual(['a'])
    })

    it('has all rows of each query, however many', async () => {
      await using app = await testApp(engine)
      const hashes = Array.from({ length: 2500 }, (_, n) => `hash ${String(n).padStart(4, '0')}`)
      await app.database.write(async (tx) => {
        for (const hash of hashes) {
          const link = { hash, created_at: '', expires_at: '' }
          await tx.insertInto('setup_links').values(link).execute()
        }
      })
      const both = await app.database[read]((db) => Promise.all([hashesIn(db), hashesIn(db)]))
      expect(both).toEqual([hashes, hashes])
    })
  })
}
