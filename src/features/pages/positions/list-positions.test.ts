import { describe, expect, it } from 'bun:test'
import { DEFAULT_SETTINGS, type Page } from '../../../model/page/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { raw } from '../../../platform/db/raw.ts'
import { newId } from '../../../platform/ids.ts'
import { ENGINES, type TestApp, testApp } from '../../../testing/app.ts'
import { fc, runs } from '../../../testing/property.ts'
import * as store from '../store.ts'
import { createListPositions } from './list-positions.ts'

const RUNS = { sqlite: 40, postgres: 15 }
const SORTS = ['updated', 'created'] as const
const ORDERS = ['asc', 'desc'] as const
const SMALL = { step: 4, manyMoves: 30 }

const timeOf = (second: number) =>
  new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString().replace('Z', '000Z')

function pageAt(accountId: string, second: number): Page {
  const id = newId('pg')
  return {
    ...{ id, account_id: accountId, slug: id.slice(3).toLowerCase(), title: null },
    ...{ settings: DEFAULT_SETTINGS, password_sealed: null, access_epoch: 0, source: 'api' },
    ...{ draft_id: id, published_id: null, published_at: null, taken_down_at: null },
    ...{ taken_down_reason: null, revision: 0 },
    ...{ created_at: timeOf(second), updated_at: timeOf(second) },
  }
}

/** Everything that changes an account's list, with times that coincide and go back. */
const commands = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('add' as const),
      count: fc.integer({ min: 1, max: 40 }),
      second: fc.nat(50),
    }),
    fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ kind: fc.constant('delete' as const), nth: fc.nat(), count: fc.nat(30) }),
    fc.record({ kind: fc.constant('edit' as const), nth: fc.nat(), second: fc.nat(120) }),
    fc.record({ kind: fc.constant('rename' as const), nth: fc.nat() }),
    fc.record({ kind: fc.constant('import' as const), second: fc.nat(50), ends: fc.boolean() }),
    fc.record({ kind: fc.constant('other account' as const) }),
    fc.record({ kind: fc.constant('list' as const), node: fc.nat(1), limit: fc.nat(20) }),
  ),
  { minLength: 5, maxLength: 30 },
)
type Command = typeof commands extends fc.Arbitrary<(infer C)[]> ? C : never

interface World {
  database: Database
  accountId: string
  otherId: string
  /** One for each node. */
  listings: ReturnType<typeof createListPositions>[]
}

async function runAll(world: World, given: Command[]): Promise<void> {
  const { database, accountId, otherId, listings } = world
  const pages: Page[] = []
  let latest = 100
  const write = database.write
  for (const command of given) {
    if (command.kind === 'add' || command.kind === 'append') {
      const seconds = Array.from({ length: command.count }, (_, i) =>
        command.kind === 'add' ? command.second + (i % 5) : latest++,
      )
      const added = seconds.map((second) => pageAt(accountId, second))
      await write((tx) => store.insertFreePages(tx, added))
      pages.push(...added)
    } else if (command.kind === 'import') {
      const page = pageAt(accountId, command.second)
      await write((tx) => store.insertPage(tx, page, timeOf(0)))
      if (command.ends) {
        await write((tx) => store.updatePage(tx, page))
        pages.push(page)
      } else {
        await write((tx) => store.deletePage(tx, page.id))
      }
    } else if (command.kind === 'other account') {
      await write((tx) => store.insertPage(tx, pageAt(otherId, latest)))
    } else if (command.kind === 'list') {
      await expectExact(world, listings[command.node]!, command.limit + 1)
    } else if (pages.length > 0) {
      const at = command.nth % pages.length
      if (command.kind === 'delete') {
        const gone = pages.splice(at, command.count)
        await write(async (tx) => {
          for (const { id } of gone) await store.deletePage(tx, id)
        })
      } else {
        const page = pages[at]!
        const changed =
          command.kind === 'edit'
            ? { ...page, updated_at: timeOf(command.second) }
            : { ...page, title: `Title ${page.id}` }
        await write((tx) => store.updatePage(tx, changed))
        pages[at] = changed
      }
    }
  }
  for (const listing of listings) await expectExact(world, listing, 7)
}

/** Every window of every order is what the query without positions has. */
async function expectExact(
  { database, accountId }: World,
  listing: World['listings'][number],
  limit: number,
): Promise<void> {
  for (const sort of SORTS) {
    for (const order of ORDERS) {
      const plain = { account_id: accountId, words: [], sort, order, now: timeOf(0) }
      const all = await store.listIds(database.read, { ...plain, limit: 100_000, offset: 0 })
      const found: string[] = []
      for (let offset = 0; offset <= all.length; offset += limit) {
        found.push(...(await listing({ account_id: accountId, sort, order, limit, offset })))
      }
      expect(found).toEqual(all)
    }
  }
}

async function worldOf(app: TestApp): Promise<World> {
  const { database, engine } = app
  await app.owner()
  await app.owner()
  const [owner, other] = (await app.accounts.list()).map(({ id }) => id) as [string, string]
  const nodes =
    engine === 'postgres' ? [database, (await app.node()).database] : [database, database]
  const listings = nodes.map((node) => createListPositions(node, store.inOrder, SMALL))
  return { database, accountId: owner, otherId: other, listings }
}

async function deleteAll({ database, accountId, otherId }: World): Promise<void> {
  await database.write(async (tx) => {
    for (const account of [accountId, otherId]) {
      for (const id of await store.listAllIds(tx, account)) await store.deletePage(tx, id)
    }
  })
}

const noteMove = raw(`INSERT INTO list_moves
  (number, account_id, page_id, created_at, updated_at, added) VALUES ($1, 'x', 'x', 'x', 'x', 1)`)
const countMoves = raw<{ count: number }>('SELECT count(*) AS count FROM list_moves')

for (const engine of ENGINES) {
  describe(`lists by positions on ${engine}`, () => {
    it('have every page once, after any changes, on every node', async () => {
      await using app = await testApp(engine)
      const world = await worldOf(app)
      const property = fc.asyncProperty(commands, async (given) => {
        await runAll(world, given)
        await deleteAll(world)
      })
      await fc.assert(property, runs(RUNS[engine]))
    }, 120_000)

    it('are exact beside writes at the same time', async () => {
      await using app = await testApp(engine)
      const { database, accountId, listings } = await worldOf(app)
      const pages = Array.from({ length: 200 }, (_, i) => pageAt(accountId, i))
      await database.write((tx) => store.insertFreePages(tx, pages))
      const write = async () => {
        for (let i = 0; i < 60; i++) {
          const page = pageAt(accountId, 300 + i)
          await database.write((tx) => store.insertPage(tx, page))
          await database.write((tx) => store.deletePage(tx, pages[2 * i]!.id))
        }
      }
      // Each new page is followed by the end of an old one: there are 200 or 201 at any time.
      const query = { account_id: accountId, sort: 'created', order: 'asc' } as const
      const read = async (listing: World['listings'][number]) => {
        for (let i = 0; i < 60; i++) {
          const ids = await listing({ ...query, limit: 1000, offset: 150 })
          expect(new Set(ids).size).toBe(ids.length)
          expect([50, 51]).toContain(ids.length)
        }
      }
      await Promise.all([write(), ...listings.map(read), ...listings.map(read)])
    }, 60_000)

    it('read the order again where moves were deleted that they have not seen', async () => {
      await using app = await testApp(engine)
      const world = await worldOf(app)
      const { database, accountId, listings } = world
      const add = (second: number) =>
        database.write((tx) => store.insertPage(tx, pageAt(accountId, second)))
      for (let i = 0; i < 20; i++) await add(i)
      await expectExact(world, listings[0]!, 3)
      await add(3)
      if (engine === 'sqlite') {
        await database.write((tx) => noteMove(tx, [900_000]))
        expect(await countMoves(database.read, [])).toEqual([{ count: 1 }])
      }
      await add(4)
      for (const listing of listings) await expectExact(world, listing, 3)
    })
  })
}

it('a transaction that began earlier and commits later is not left out', async () => {
  await using app = await testApp('postgres')
  const world = await worldOf(app)
  const { database, accountId, listings } = world
  for (let i = 0; i < 20; i++) {
    await database.write((tx) => store.insertPage(tx, pageAt(accountId, i)))
  }
  const [listing] = listings as [World['listings'][number]]
  await expectExact(world, listing, 3)
  const [begun, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = database.write(async (tx) => {
    await store.insertPage(tx, pageAt(accountId, 5))
    begun.resolve()
    await mayCommit.promise
  })
  await begun.promise
  await database.write((tx) => store.insertPage(tx, pageAt(accountId, 6)))
  await expectExact(world, listing, 3)
  mayCommit.resolve()
  await slow
  await expectExact(world, listing, 3)
})
