import { describe, expect, it } from 'bun:test'
import type { Insertable } from 'kysely'
import { ENGINES, testApp } from '../../testing/app.ts'
import type { Db, Tx } from './index.ts'
import { prepared, preparedRows } from './raw.ts'
import type { Tables } from './tables.ts'

const ANN = {
  ...{ id: 'ann', email: 'ann@example.com', name: "O'Ann", plan: 'pro' },
  ...{ created_at: '1', is_operator: 0, is_guest: 0, page_mails: 1, deleted_at: null },
  suspended_at: null,
  stored_bytes: 0,
  accent: null,
  saved_filters: null,
  logo_id: null,
}
const BOB = { ...ANN, id: 'bob', email: 'bob@example.com', name: null, created_at: '2' }

for (const engine of ENGINES) {
  describe(`a prepared query on ${engine}`, () => {
    it('is built once, and every run has its own values', async () => {
      await using app = await testApp(engine)
      let built = 0
      const insert = prepared((tx: Tx, row: Insertable<Tables['accounts']>) => {
        built += 1
        return tx.insertInto('accounts').values(row).returning('name')
      })
      const names = await Promise.all(
        [ANN, BOB].map((row) => app.database.write((tx) => insert(tx, row))),
      )
      expect(names.map(({ rows }) => rows)).toEqual([[{ name: "O'Ann" }], [{ name: null }]])
      expect(built).toBe(1)
      const rows = await app.database.read
        .selectFrom('accounts')
        .selectAll()
        .orderBy('id')
        .execute()
      expect(rows).toEqual([ANN, BOB])
    })

    it('uses a value in several places, beside constants', async () => {
      await using app = await testApp(engine)
      await app.database.write((tx) => tx.insertInto('accounts').values([ANN, BOB]).execute())
      const find = prepared((db: Db, { text, since }: { text: string; since: string }) =>
        db
          .selectFrom('accounts')
          .select('id')
          .where((eb) => eb.or([eb('id', '=', text), eb('email', '=', text)]))
          .where('created_at', '>=', since)
          .where('plan', '!=', 'none')
          .limit(1),
      )
      const found = async (text: string, since = '0') =>
        (await find(app.database.read, { since, text })).rows.map(({ id }) => id)
      expect(await found('ann')).toEqual(['ann'])
      expect(await found('bob@example.com')).toEqual(['bob'])
      expect(await found('ann@example.com', '2')).toEqual([])
      expect(await found("' OR 1=1 --")).toEqual([])
    })

    it('is built again for a row that omits a column', async () => {
      await using app = await testApp(engine)
      const insert = prepared((tx: Tx, row: Insertable<Tables['accounts']>) =>
        tx.insertInto('accounts').values(row),
      )
      const { name: _, ...nameless } = BOB
      await app.database.write((tx) => insert(tx, ANN))
      await app.database.write((tx) => insert(tx, nameless))
      const rows = await app.database.read
        .selectFrom('accounts')
        .selectAll()
        .orderBy('id')
        .execute()
      expect(rows).toEqual([ANN, BOB])
    })

    it('inserts any number of rows, each with its own values, with few statements', async () => {
      await using app = await testApp(engine)
      let built = 0
      const insert = preparedRows((tx: Tx, rows: readonly Insertable<Tables['accounts']>[]) => {
        built += 1
        return tx.insertInto('accounts').values(rows).returning('id')
      })
      const rows = Array.from({ length: 77 }, (_, at) => {
        const id = `account-${100 + at}`
        return { ...ANN, id, email: `${id}@example.com`, name: at % 2 === 0 ? null : id }
      })
      const insertAll = (some: typeof rows) => app.database.write((tx) => insert(tx, some))
      const ids = rows.map(({ id }) => id)
      expect(await insertAll([])).toEqual([])
      expect((await insertAll(rows)).map(({ id }) => id)).toEqual(ids)
      const stored = app.database.read.selectFrom('accounts').selectAll().orderBy('id')
      expect(await stored.execute()).toEqual(rows)
      // 64 and 13.
      expect(built).toBe(2)
    })
  })
}
