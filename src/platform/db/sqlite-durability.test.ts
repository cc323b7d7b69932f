import { afterAll, describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testSecrets } from '../../testing/test-secrets.ts'
import { readThread } from '../../testing/threads.ts'
import type { Db, Tx } from './index.ts'
import { migrate } from './migrate.ts'
import { raw } from './raw.ts'
import { openSqlite } from './sqlite.ts'
import { LogNotDurable } from './sqlite-writes.ts'

const folder = mkdtempSync(join(tmpdir(), 'handbill-durability-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
/** A database whose disk takes as long as the test says. */
async function withSlowDisk() {
  let held: PromiseWithResolvers<void> | null = null
  let syncs = 0
  const failures: LogNotDurable[] = []
  const path = join(folder, `${++count}.db`)
  const database = openSqlite(path, {
    readThread,
    onDiskFailure: (err) => failures.push(err),
    async sync() {
      syncs += 1
      await held?.promise
    },
  })
  await migrate(database, testSecrets)
  return {
    database,
    failures,
    syncs: () => syncs,
    hold() {
      held = Promise.withResolvers()
    },
    release() {
      held!.resolve()
      held = null
    },
    fail: () => held!.reject(new Error('EIO')),
  }
}

const insert = (hash: string) => (tx: Tx) =>
  tx.insertInto('setup_links').values({ hash, created_at: '', expires_at: '' }).execute()
const selectAll = (db: Db) => db.selectFrom('setup_links').select('hash').execute()
const selectRaw = raw<{ hash: string }>('SELECT hash FROM setup_links')

async function statesOf<K extends string>(promises: Record<K, Promise<unknown>>) {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
  return Object.fromEntries(
    Object.entries(promises).map(([name, one]) => [name, Bun.peek.status(one as Promise<unknown>)]),
  )
}

describe('what SQLite has committed and the disk does not have yet', () => {
  it('is neither answered to who wrote it nor read, and both follow once the disk has it', async () => {
    const { database, hold, release } = await withSlowDisk()
    await selectRaw(database.read, [])
    hold()
    let isCommitted = false
    await database.listen(
      'made',
      () => (isCommitted = true),
      () => {},
    )
    const write = database.write(async (tx) => {
      await insert('new')(tx)
      await database.notify(tx, 'made', '')
    })
    while (!isCommitted) await new Promise((resolve) => setImmediate(resolve))
    const waiting = {
      write,
      read: selectAll(database.read),
      raw: selectRaw(database.read, []),
      snapshot: database.snapshot(selectAll),
      long: database.longRead(selectAll),
    }
    expect(await statesOf(waiting)).toEqual({
      write: 'pending',
      read: 'pending',
      raw: 'pending',
      snapshot: 'pending',
      long: 'pending',
    })
    release()
    const { read, raw, snapshot, long } = waiting
    for (const one of [read, raw, snapshot, long]) expect(await one).toEqual([{ hash: 'new' }])
    await write
    await database.close()
  })

  it('is waited for by a write that finds it and writes nothing, and by one that fails', async () => {
    const { database, hold, release } = await withSlowDisk()
    hold()
    const write = database.write(insert('same'))
    const waiting = {
      write,
      noOp: database.write(selectAll),
      failing: database.write(insert('same')).catch((err: Error) => err.message),
    }
    expect(await statesOf(waiting)).toEqual({
      write: 'pending',
      noOp: 'pending',
      failing: 'pending',
    })
    const late = database.write(selectAll)
    expect(await statesOf({ late })).toEqual({ late: 'pending' })
    release()
    await write
    expect(await waiting.noOp).toEqual([{ hash: 'same' }])
    expect(await waiting.failing).toContain('UNIQUE')
    expect(await late).toEqual([{ hash: 'same' }])
    await database.close()
  })

  it('does not keep further transactions from running, and they share the next sync', async () => {
    const { database, hold, release, syncs } = await withSlowDisk()
    const before = syncs()
    hold()
    const ran: string[] = []
    const writes: Promise<unknown>[] = []
    for (const name of ['a', 'b', 'c', 'd']) {
      const begun = Promise.withResolvers<void>()
      writes.push(
        database.write(async (tx) => {
          await insert(name)(tx)
          ran.push(name)
          begun.resolve()
        }),
      )
      await begun.promise
    }
    expect(await statesOf({ last: writes.at(-1)! })).toEqual({ last: 'pending' })
    expect(ran).toEqual(['a', 'b', 'c', 'd'])
    release()
    await Promise.all(writes)
    expect(syncs() - before).toBe(2)
    await database.close()
  })

  it('is not waited for by a relaxed write, which has its sync soon after', async () => {
    const { database, syncs } = await withSlowDisk()
    const before = syncs()
    await database.write(insert('relaxed'), 'relaxed')
    expect(syncs()).toBe(before)
    while (syncs() === before) await Bun.sleep(5)
    await database.close()
  })
})

describe('a disk that fails to store what was committed', () => {
  it('is reported once; no write or read succeeds from then on, and no sync is tried', async () => {
    const { database, hold, fail, failures, syncs } = await withSlowDisk()
    hold()
    const write = database.write(insert('lost'))
    while (syncs() < 2) await new Promise((resolve) => setImmediate(resolve))
    const read = selectAll(database.read)
    const second = database.write(insert('after'))
    const ended = Promise.allSettled([write, read, second])
    fail()
    const tried = syncs()
    for (const one of await ended) {
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(LogNotDurable) })
    }
    await expect(database.write(insert('later'))).rejects.toBeInstanceOf(LogNotDurable)
    await expect(selectAll(database.read)).rejects.toBeInstanceOf(LogNotDurable)
    expect(failures).toHaveLength(1)
    expect(syncs()).toBe(tried)
    await expect(database.close()).rejects.toBeInstanceOf(LogNotDurable)
  })
})
