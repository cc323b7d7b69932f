import { describe, expect, it, test } from 'bun:test'
import type { Insertable } from 'kysely'
import type { Plan } from '../../model/plan.ts'
import { ENGINES, type TestApp, testApp } from '../../testing/app.ts'
import type { Db, Tx } from './index.ts'
import {
  countBy,
  deleteBy,
  existsBy,
  insertOnceInto,
  rowBy,
  rowsBy,
  rowsInto,
  updateBy,
  upsertInto,
} from './rows.ts'
import type { Tables } from './tables.ts'

const ANN: Tables['accounts'] = {
  ...{ id: 'ann', email: 'ann@example.com', name: "O'Ann", plan: 'pro' },
  ...{ created_at: '1', is_operator: 0, is_guest: 0, page_mails: 1, deleted_at: null },
  suspended_at: null,
  stored_bytes: 0,
  accent: null,
  saved_filters: null,
  logo_id: null,
}
const BOB = { ...ANN, id: 'bob', email: 'bob@example.com', name: null, created_at: '2' }

function accountsOf({ database }: TestApp) {
  return rowsBy('accounts', ['plan'], { order: 'id' })(database.read, ['pro'])
}

test('of many rows with the same values, which may be large, one is read', async () => {
  const statements: string[] = []
  const executeQuery = async ({ sql }: { sql: string }) => {
    statements.push(sql)
    return { rows: [] }
  }
  await rowBy('logos', ['id'], ['data'])({ executeQuery } as unknown as Db, ['a'])
  expect(statements).toEqual(['SELECT "data" FROM logos WHERE "id" = $1 LIMIT 1'])
})

test('many rows are inserted by few statements, and by the same for other values', async () => {
  const statements: string[] = []
  const tx = {
    async executeQuery({ sql }: { sql: string }) {
      statements.push(sql)
      return { rows: [] }
    },
  } as unknown as Tx
  const insert = rowsInto('gc_candidate_blobs', { ending: 'RETURNING 1' })
  const row = (at: number) => ({ hash: `h${at}`, since: 's' })
  await insert(
    tx,
    Array.from({ length: 66 }, (_, at) => row(at)),
  )
  await insert(tx, [row(1), row(2)])
  expect(statements).toHaveLength(3)
  expect(statements[0]!.match(/\$/g)).toHaveLength(128)
  const [, second, third] = statements
  expect(second).toBe(
    'INSERT INTO gc_candidate_blobs ("hash","since") VALUES ($1,$2),($3,$4) RETURNING 1',
  )
  expect(third).toBe(second!)
})

for (const engine of ENGINES) {
  describe(`a prepared statement on ${engine}`, () => {
    it('inserts a row once, also one that omits a column, and says whether it did', async () => {
      await using app = await testApp(engine)
      const insert = insertOnceInto('accounts')
      const { name: _, ...nameless } = BOB
      const once = (row: Insertable<Tables['accounts']>) =>
        app.database.write((tx) => insert(tx, row))
      expect(await once(ANN)).toBe(true)
      expect(await once({ ...ANN, plan: 'free' })).toBe(false)
      expect(await once({ ...BOB, email: ANN.email })).toBe(false)
      expect(await once(nameless)).toBe(true)
      expect(await accountsOf(app)).toEqual([ANN, BOB])
    })

    it('inserts a row in the place of one with the same key', async () => {
      await using app = await testApp(engine)
      const put = upsertInto('accounts', 'id')
      for (const row of [ANN, BOB, { ...ANN, name: null }]) {
        await app.database.write((tx) => put(tx, row))
      }
      expect(await accountsOf(app)).toEqual([{ ...ANN, name: null }, BOB])
    })

    it('changes and deletes the rows that have all values, and no other', async () => {
      await using app = await testApp(engine)
      const update = updateBy('accounts', 'id', 'plan')
      const remove = deleteBy('accounts', 'id')
      await app.database.write((tx) => rowsInto('accounts')(tx, [ANN, BOB]))
      const change = (id: string, plan: Plan, changes: Parameters<typeof update>[2]) =>
        app.database.write((tx) => update(tx, [id, plan], changes))
      expect(await change('ann', 'pro', { name: null, is_guest: 1, email: undefined })).toBe(true)
      expect(await change('ann', 'free', { name: 'Other' })).toBe(false)
      expect(await accountsOf(app)).toEqual([{ ...ANN, name: null, is_guest: 1 }, BOB])
      const end = (id: string) => app.database.write((tx) => remove(tx, [id]))
      expect(await end('ann')).toBe(true)
      expect(await end('ann')).toBe(false)
      expect(await end("' OR 1=1 --")).toBe(false)
      expect(await accountsOf(app)).toEqual([BOB])
    })

    it('reads the rows that have all values, whole or some of their columns', async () => {
      await using app = await testApp(engine)
      const { read } = app.database
      await app.database.write((tx) => rowsInto('accounts')(tx, [ANN, BOB]))
      expect(await rowBy('accounts', ['id', 'plan'])(read, ['ann', 'pro'])).toEqual(ANN)
      expect(await rowBy('accounts', ['id', 'plan'])(read, ['ann', 'free'])).toBeUndefined()
      const byPlan = rowsBy('accounts', ['plan'], { columns: ['id', 'name'], order: 'id DESC' })
      expect(await byPlan(read, ['pro'])).toEqual([
        { id: 'bob', name: null },
        { id: 'ann', name: "O'Ann" },
      ])
      expect(await countBy('accounts', 'plan')(read, ['pro'])).toBe(2)
      expect(await existsBy('accounts', 'id')(read, ["' OR 1=1 --"])).toBe(false)
      expect(await existsBy('accounts', 'id')(read, ['bob'])).toBe(true)
    })

    it('inserts any number of rows, each with its own values, with few statements', async () => {
      await using app = await testApp(engine)
      const insert = rowsInto<'accounts', { id: string }>('accounts', { ending: 'RETURNING id' })
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
    })

    it('inserts rows that lack different columns, and leaves out those that are there', async () => {
      await using app = await testApp(engine)
      const insert = rowsInto('accounts', { ending: 'ON CONFLICT DO NOTHING', most: 2 })
      const { name: _, ...nameless } = ANN
      await app.database.write((tx) => insert(tx, [nameless, BOB, { ...BOB, name: 'Other' }]))
      expect(await accountsOf(app)).toEqual([{ ...ANN, name: null }, BOB])
    })
  })
}
