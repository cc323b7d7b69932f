import { describe, expect, it } from 'bun:test'
import { sql } from 'kysely'
import { ENGINES, testApp } from '../../testing/app.ts'
import { raw } from './raw.ts'

const insertLink = raw<{ hash: string }>(
  `INSERT INTO setup_links (hash, created_at, expires_at) VALUES ($1, $2, $3) RETURNING hash`,
)
const updateLink = raw('UPDATE setup_links SET created_at = $1 WHERE hash = $2')
const swapped = raw<{ one: string; two: string; again: string }>(
  'SELECT CAST($2 AS text) AS two, CAST($1 AS text) AS one, CAST($2 AS text) AS again',
)
const selectLinks = raw<{ hash: string; created_at: string }>(
  'SELECT hash, created_at FROM setup_links ORDER BY hash',
)

/** Rows as they are, without what a driver adds to their list. */
const plain = (rows: object[]) => Array.from(rows, (row) => ({ ...row }))

for (const engine of ENGINES) {
  describe(`a raw statement on ${engine}`, () => {
    it('writes, and gives the rows that it returns', async () => {
      await using app = await testApp(engine)
      const { database } = app
      const inserted = await database.write((tx) => insertLink(tx, ['a', 'then', 'later']))
      expect(plain(inserted)).toEqual([{ hash: 'a' }])
      expect(plain(await database.write((tx) => updateLink(tx, ['now', 'a'])))).toEqual([])
      const written = [{ hash: 'a', created_at: 'now' }]
      expect(plain(await selectLinks(database.read, []))).toEqual(written)
      expect(plain(await database.snapshot((db) => selectLinks(db, [])))).toEqual(written)
    })

    it('may name its parameters in any order, and more than once', async () => {
      await using app = await testApp(engine)
      const rows = plain(await swapped(app.database.read, ['1', '2']))
      expect(rows).toEqual([{ two: '2', one: '1', again: '2' }])
    })

    it('is undone with the write that it is part of', async () => {
      await using app = await testApp(engine)
      const broken = app.database.write(async (tx) => {
        await insertLink(tx, ['a', '', ''])
        throw new Error('changed its mind')
      })
      const rest = app.database.write((tx) => insertLink(tx, ['b', '', '']))
      expect((await Promise.allSettled([broken, rest])).map(({ status }) => status)).toEqual([
        'rejected',
        'fulfilled',
      ])
      expect(plain(await selectLinks(app.database.read, []))).toEqual([
        { hash: 'b', created_at: '' },
      ])
    })

    it('rejects with the error of the engine', async () => {
      await using app = await testApp(engine)
      const insert = () => app.database.write((tx) => insertLink(tx, ['a', '', '']))
      await insert()
      await expect(insert()).rejects.toThrow()
    })

    it('stays prepared, whatever other statements run', async () => {
      await using app = await testApp(engine)
      const { database } = app
      await database.write((tx) => insertLink(tx, ['a', '', '']))
      await database.write(async (tx) => {
        for (let i = 0; i < 300; i++) await sql`SELECT ${sql.lit(i)} AS n`.execute(tx)
      })
      const inserted = await database.write((tx) => insertLink(tx, ['b', '', '']))
      expect(plain(inserted)).toEqual([{ hash: 'b' }])
    })
  })
}
