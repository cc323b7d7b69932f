import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backupBucket } from '../../platform/backup-store/bucket.ts'
import { backupFolder } from '../../platform/backup-store/folder.ts'
import { type BackupStore, backupName } from '../../platform/backup-store/index.ts'
import { diskBlobs } from '../../platform/blobs/disk.ts'
import { createLeases } from '../../platform/db/leases.ts'
import { DAY_MS, ENGINES, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { emptyDatabase } from '../../testing/empty-database.ts'
import { htmlOf } from '../../testing/material.ts'
import { type S3Server, startS3 } from '../../testing/s3-server.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { testSecrets } from '../../testing/test-secrets.ts'
import { createBackupSchedule, examine, openBackup, writeBackup } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'handbill-schedule-'))
let s3: S3Server
beforeAll(async () => {
  s3 = await startS3()
})
afterAll(async () => {
  await s3.close()
  rmSync(folder, { recursive: true })
})

const newFolder = () => mkdtempSync(join(folder, 'x-'))
const PLACES: Record<string, () => Promise<BackupStore>> = {
  'a folder': async () => backupFolder(newFolder()),
  'a bucket': async () => backupBucket(await s3.newBucket(), 'a/b/'),
}

function scheduleOf(app: TestApp, store: BackupStore, keep = 3) {
  const { database, blobs, clock, secrets } = app
  const log = silentLog()
  const fixed = { secretKey: 'the key\n', version: '1', baseUrl: 'https://pages.example.com' }
  const schedule = createBackupSchedule({
    ...{ store, keep, clock, log, leases: createLeases(database) },
    write: (result) => writeBackup({ database, blobs, clock, secrets, ...fixed }, result),
  })
  const run = () => schedule.runIfDue(new AbortController().signal)
  return { run, state: schedule.state, log }
}

for (const [place, open] of Object.entries(PLACES)) {
  describe(`scheduled backups in ${place}`, () => {
    it('are made once a day, and the newest ones are kept', async () => {
      await using app = await testApp('sqlite')
      await (await app.owner()).publish(htmlOf(100_000))
      const store = await open()
      const { run, state, log } = scheduleOf(app, store)
      await run()
      const [first] = await namesIn(store)
      await run()
      expect(await namesIn(store)).toEqual([first!])
      expect(JSON.stringify([state(), log.lines])).not.toContain('S3RVER')
      app.advance(23 * HOUR_MS)
      await run()
      expect(await namesIn(store)).toEqual([first!])
      for (let day = 0; day < 4; day++) {
        app.advance(DAY_MS)
        await run()
      }
      const remaining = await namesIn(store)
      expect(remaining).toHaveLength(3)
      expect(remaining).not.toContain(first!)
      expect(state()).toMatchObject({ place: store.place, problem: null })
      expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
      app.advance(27 * HOUR_MS)
      expect(state().problem).toBe('The newest backup is too old')
    }, 30_000)

    it('are made once a day where the clock was set back, and replace those of before', async () => {
      await using app = await testApp('sqlite')
      const store = await open()
      const ofFuture = [10, 34, 58].map((hours) => backupName(app.clock.ms() + hours * HOUR_MS))
      for (const name of ofFuture) await store.put(name, chunksOf('old'))
      const { run, state } = scheduleOf(app, store)
      await run()
      const [first, ...more] = await namesIn(store)
      expect(more).toEqual(ofFuture.slice(1))
      expect(Date.parse(state().newestAt!)).toBeLessThan(app.clock.ms() + 1000)
      app.advance(11 * HOUR_MS)
      await run()
      expect(await namesIn(store)).toEqual([first!, ...more])
      app.advance(14 * HOUR_MS)
      await run()
      const rest = await namesIn(store)
      expect(rest).toHaveLength(3)
      expect(rest[0]).toBe(first!)
      expect(rest[2]).toBe(ofFuture[2]!)
    }, 30_000)

    it('keep files that are not theirs, and go by what is there', async () => {
      await using app = await testApp('sqlite')
      const store = await open()
      const names = [3, 2, 1].map((days) => backupName(app.clock.ms() - days * DAY_MS))
      for (const name of names) await store.put(name, chunksOf('old'))
      await store.put('notes.zip', chunksOf('mine'))
      await scheduleOf(app, store, 2).run()
      const survivors = await namesIn(store)
      expect(survivors).toHaveLength(2)
      expect(survivors[0]).toBe(names[2]!)
      expect(await store.hashOf('notes.zip', 4)).toMatch(/^[0-9a-f]{64}$/)
    })

    it('that fail are reported, leave nothing incomplete, delete nothing, and are tried again', async () => {
      await using app = await testApp('sqlite')
      await (await app.owner()).publish(htmlOf(100_000))
      const store = await open()
      const name = backupName(app.clock.ms() - DAY_MS)
      await store.put(name, chunksOf('old'))
      let isBroken = true
      const breaking: BackupStore = {
        ...store,
        put: (to, content) => store.put(to, isBroken ? cutOff(content) : content),
      }
      const { run, state, log } = scheduleOf(app, breaking, 1)
      await run()
      expect(state().problem).toBe('the disk broke')
      expect(log.lines.at(-1)).toMatchObject({ level: 'error' })
      expect(await namesIn(store)).toEqual([name])
      isBroken = false
      app.advance(1000)
      await run()
      expect(state().problem).toBeNull()
      expect(await namesIn(store)).toHaveLength(1)
      expect(await namesIn(store)).not.toEqual([name])
    })

    it('that are not what was written are deleted, and no older one', async () => {
      await using app = await testApp('sqlite')
      const store = await open()
      const name = backupName(app.clock.ms() - DAY_MS)
      await store.put(name, chunksOf('old'))
      const damaging = { ...store, hashOf: async () => 'f'.repeat(64) }
      const { run, state } = scheduleOf(app, damaging, 1)
      await run()
      expect(state().problem).toContain('is not the one that was written')
      expect(await namesIn(store)).toEqual([name])
    })
  })
}

for (const engine of ENGINES) {
  it(`of ${engine} are made by one of several nodes, and can be restored`, async () => {
    await using app = await testApp(engine)
    const page = await (await app.owner()).publish(htmlOf(100_000))
    const place = newFolder()
    const nodes = Array.from({ length: 4 }, () => scheduleOf(app, backupFolder(place)))
    await Promise.all(nodes.map(({ run }) => run()))
    expect(nodes.flatMap(({ log }) => log.lines)).toHaveLength(1)
    const [name, ...more] = readdirSync(place)
    expect(more).toEqual([])
    expect(statSync(join(place, name!)).mode & 0o777).toBe(0o600)
    const backup = await openBackup(join(place, name!))
    await using empty = await emptyDatabase(engine)
    await backup.restore({
      database: empty.database,
      blobs: diskBlobs(newFolder()),
      secrets: testSecrets,
    })
    backup.close()
    const pages = await empty.database.read.selectFrom('pages').select('id').execute()
    expect(pages.map(({ id }) => id)).toEqual([page.id])
  }, 30_000)
}

it('delete no older backup for one that lacks a file', async () => {
  await using app = await testApp('sqlite')
  await (await app.owner()).publish(htmlOf(100_000))
  const place = newFolder()
  const old = backupName(app.clock.ms() - DAY_MS)
  writeFileSync(join(place, old), 'old')
  const [lost] = (await app.rows('blobs')).flatMap((blob) => blob.storage_key ?? [])
  await app.blobs.delete([lost!])
  const { run, state } = scheduleOf(app, backupFolder(place), 1)
  await run()
  expect(state().problem).toContain('1 files are missing or damaged')
  expect(readdirSync(place)).toHaveLength(2)
  await run()
  expect(state().problem).toContain('handbill doctor')
})

it('are well again once their place answers, without another backup', async () => {
  await using app = await testApp('sqlite')
  const store = backupFolder(newFolder())
  let isDown = false
  const failing: BackupStore = {
    ...store,
    list: () => (isDown ? Promise.reject(new Error('it is down')) : store.list()),
  }
  const { run, state } = scheduleOf(app, failing)
  await run()
  isDown = true
  await run()
  expect(state().problem).toBe('it is down')
  isDown = false
  await run()
  expect(state().problem).toBeNull()
  expect(await namesIn(store)).toHaveLength(1)
})

it('say what to do where the folder is not there, and make none', async () => {
  await using app = await testApp('sqlite')
  const place = join(newFolder(), 'not', 'mounted')
  const { run, state } = scheduleOf(app, backupFolder(place))
  await run()
  expect(state().problem).toBe(`There is no folder ${place}: mount its disk, or make it`)
  expect(() => readdirSync(place)).toThrow()
})

it('remove what a killed process has left, and nothing else', async () => {
  await using app = await testApp('sqlite')
  const place = newFolder()
  const half = `${backupName(0)}.77.part`
  writeFileSync(join(place, half), 'half')
  writeFileSync(join(place, 'mine.zip.77.part'), 'mine')
  await scheduleOf(app, backupFolder(place)).run()
  expect(readdirSync(place)).not.toContain(half)
  expect(readFileSync(join(place, 'mine.zip.77.part'), 'utf8')).toBe('mine')
})

it('in a bucket that refuses the key fail in one line of the log, with what the bucket answered', async () => {
  await using app = await testApp('sqlite')
  const settings = { ...(await s3.newBucket()), secretAccessKey: 'wrong' }
  const { run, state, log } = scheduleOf(app, backupBucket(settings, ''))
  await run()
  expect(log.lines).toMatchObject([{ level: 'error', msg: 'the scheduled backup failed' }])
  const { problem } = state()
  expect(problem).toBe('The object store answered 403 SignatureDoesNotMatch')
  const checks = { logProblem: null, keyFits: async () => true, findWithoutContent: async () => [] }
  const findings = await Array.fromAsync(
    examine({ ...app, ...checks, listBackups: () => backupBucket(settings, '').list() }),
  )
  expect(findings.at(-1)).toMatchObject({ check: 'backups', isOk: false, message: `${problem}.` })
})

it('in a bucket may be larger than one part', async () => {
  const store = backupBucket(await s3.newBucket(), '')
  const chunk = Buffer.alloc(5 * 1024 * 1024, 'abcdefg')
  const sum = new Bun.CryptoHasher('sha256')
  async function* content() {
    for (let n = 0; n < 9; n++) {
      sum.update(chunk)
      yield chunk
    }
  }
  const name = backupName(0)
  const { sizeBytes } = await store.put(name, content())
  expect(sizeBytes).toBe(9 * chunk.byteLength)
  expect(await store.hashOf(name, sizeBytes)).toBe(sum.digest('hex'))
  await store.delete(name)
  expect(await namesIn(store)).toEqual([])
}, 30_000)

async function namesIn(store: BackupStore): Promise<string[]> {
  return (await store.list()).map(({ name }) => name)
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

async function* cutOff(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    yield chunk
    break
  }
  throw new Error('the disk broke')
}
