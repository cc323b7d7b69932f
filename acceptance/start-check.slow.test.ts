/** What a start finds wrong with the data, and says. */
import { afterAll, expect } from 'bun:test'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { dataOf, ownerOf, type Page, send } from './client.ts'
import { own } from './gates/setup.ts'
import { html, htmlOfSize } from './material.ts'
import { command, type Plan } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)
const SLOW = 240_000

/**
 * Adds an account and a key by processes that end: where this process opened the database, SQLite
 * would close it with the next garbage collection, and remove the log that a test puts there.
 */
async function keyByCommand(env: Record<string, string>, plan: Plan = 'pro'): Promise<string> {
  const email = 'ann@handbill.example'
  await command(env, 'account', 'add', email, '--plan', plan)
  const { stdout } = await command(env, 'key', 'create', email, '--json')
  return JSON.parse(stdout).key
}

/** A server that has stopped, with a page behind a password, and one with a large file. */
async function stopped() {
  const env = freshEnvironment()
  const running = await start(env)
  const { call } = ownerOf(await keyByCommand(env), env.BASE_URL)
  const locked = { html: html('locked'), access: 'password', password: 'four short words' }
  dataOf<Page>(await call('POST', '/pages', locked), 201)
  const large = dataOf<Page>(await call('POST', '/pages', { html: htmlOfSize(90_000) }), 201)
  const small = dataOf<Page>(await call('POST', '/pages', { html: html('small') }), 201)
  await running.stop()
  return { env, dataDir: env.DATA_DIR!, large, small }
}

own(
  'a database that is cut off or damaged is not served, and the line says what to do',
  async () => {
    const { env, dataDir } = await stopped()
    const file = join(dataDir, 'handbill.db')
    const whole = await Bun.file(file).bytes()
    const middle = Buffer.from(whole)
    middle.fill(0x2a, 3 * 4096, whole.length - 4096)
    const half = Math.floor(statSync(file).size / 2 / 4096) * 4096
    const damages: [string, () => void][] = [
      ['cut off', () => truncateSync(file, half)],
      ['damaged in the middle', () => writeFileSync(file, middle)],
      ['no database', () => writeFileSync(file, 'x'.repeat(9000))],
    ]
    for (const [what, damage] of damages) {
      damage()
      const { code, stderr } = await command(env, 'serve')
      expect([what, code]).toEqual([what, 1])
      expect(stderr).toMatch(/^handbill: The database is damaged \([^\n]+\), [^\n]+\n$/)
      expect(stderr).toContain('handbill doctor')
      expect(stderr).toContain('handbill backup restore FILE')
      const examined = await command(env, 'doctor')
      expect(examined.code).toBe(1)
      expect(examined.stderr).toMatch(/^handbill: (The database is damaged|Something is wrong: )/)
      for (const log of ['-wal', '-shm']) rmSync(file + log, { force: true })
      writeFileSync(file, whole)
    }
    const running = await start(env)
    expect(await running.stop()).toBe(0)
  },
  SLOW,
)

own(
  'missing files and a key that does not fit are in the log, and all else is served',
  async () => {
    const { env, dataDir, small, large } = await stopped()
    renameSync(join(dataDir, 'blobs'), join(dataDir, 'elsewhere'))
    writeFileSync(join(dataDir, 'secret.key'), `${'another key '.repeat(4)}\n`)
    const running = await start(env)
    expect((await send(`${env.BASE_URL}/p/${small.slug}`)).status).toBe(200)
    expect((await send(`${env.BASE_URL}/p/${large.slug}`)).status).not.toBe(200)
    const output = running.output()
    expect(output).toContain('files of pages are missing from DATA_DIR/blobs')
    expect(output).toContain('the key is not the one that these data were protected with')
    expect(output).not.toContain('another key')
    expect(await running.stop()).toBe(0)
  },
  SLOW,
)

own(
  'a key that is cut off is never used: everybody could guess it',
  async () => {
    const { env, dataDir } = await stopped()
    for (const rest of ['', 'abc\n']) {
      writeFileSync(join(dataDir, 'secret.key'), rest)
      const { code, stderr } = await command(env, 'serve')
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^handbill: [^\n]+ holds no key[^\n]+\n$/),
      ])
    }
  },
  SLOW,
)

own(
  'a start on whole data finds nothing wrong, and copies no database that needs no upgrade',
  async () => {
    const { env, dataDir } = await stopped()
    const running = await start(env)
    await running.stop()
    expect(running.output()).not.toMatch(/missing|protected with|damaged/)
    expect(readdirSync(dataDir).filter((name) => name.startsWith('handbill-'))).toEqual([])
  },
  SLOW,
)

own(
  'a log of another database is not opened, and one that cannot be read is told of',
  async () => {
    const { env, dataDir, small } = await stopped()
    const file = join(dataDir, 'handbill.db')
    const other = freshEnvironment()
    const running = await start(other)
    const { call } = ownerOf(await keyByCommand(other), other.BASE_URL)
    for (let n = 0; n < 10; n++) {
      dataOf<Page>(await call('POST', '/pages', { html: htmlOfSize(20_000) }), 201)
    }
    await running.kill()
    const foreign = readFileSync(join(other.DATA_DIR!, 'handbill.db-wal'))
    const before = readFileSync(file)
    for (const words of [['serve'], ['doctor'], ['account', 'list']]) {
      writeFileSync(`${file}-wal`, foreign)
      const { code, stdout, stderr } = await command(env, ...words)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(
        /^handbill: \S+handbill\.db-wal is the log of another database, [^\n]+\n$/,
      )
      expect(readFileSync(file).equals(before)).toBe(true)
    }
    // Its own server goes on from it.
    const again = await start(other)
    expect((await call('GET', '/pages')).status).toBe(200)
    await again.stop()
    expect(again.output()).not.toContain('handbill.db-wal')

    const damaged = Buffer.from(foreign)
    damaged[20]! ^= 1
    writeFileSync(`${file}-wal`, damaged)
    const served = await start(env)
    expect(served.output()).toContain('the log of the database (handbill.db-wal) cannot be read')
    expect((await send(`${env.BASE_URL}/p/${small.slug}`)).status).toBe(200)
    await served.stop()
  },
  SLOW,
)

/** A data folder with copies of some files of another. */
function copyTo(files: Record<string, Uint8Array>) {
  const env = freshEnvironment()
  mkdirSync(env.DATA_DIR!, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(env.DATA_DIR!, name), bytes)
  return env
}

own(
  'copies of the files of a server under load are whole, or the doctor says that they are not',
  async () => {
    const env = freshEnvironment()
    const running = await start(env)
    const key = await keyByCommand(env, 'team')
    const { call } = ownerOf(key, env.BASE_URL)
    let [made, isDone] = [0, false]
    async function publish(): Promise<void> {
      while (!isDone) {
        dataOf<Page>(await call('POST', '/pages', { html: htmlOfSize(50_000) }), 201)
        made += 1
      }
    }
    const publishing = Promise.all([publish(), publish()])
    const more = async (count: number) => {
      for (const goal = made + count; made < goal; ) await Bun.sleep(5)
    }
    const read = (name: string) => readFileSync(join(env.DATA_DIR!, name))
    const secret = read('secret.key')
    const alone: Record<string, string>[] = []
    const apart: Record<string, string>[] = []
    for (let n = 0; n < 3; n++) {
      await more(20)
      alone.push(copyTo({ 'handbill.db': read('handbill.db'), 'secret.key': secret }))
      const database = read('handbill.db')
      // Meanwhile the log is written into the database, and begins again.
      await more(120)
      const log = read('handbill.db-wal')
      apart.push(copyTo({ 'handbill.db': database, 'handbill.db-wal': log, 'secret.key': secret }))
    }
    isDone = true
    await publishing
    await running.stop()

    for (const copy of alone) {
      const { code, stdout, stderr } = await command(copy, 'doctor')
      expect(code).toBe(1)
      // One that cannot be read at all is told in one line.
      const told =
        /^WRONG {2}database {2}the database is a copy of|^handbill: The database is damaged/m
      expect(stdout + stderr).toMatch(told)
      const { hasStarted, output } = await startOrRefuse(copy)
      expect(output).toMatch(hasStarted ? /without its log/ : /The database is damaged/)
    }
    for (const copy of apart) {
      const { code } = await command(copy, 'doctor')
      if (code === 0) await expectWhole(copy, key)
    }
  },
  4 * SLOW,
)

/** Starts and stops a server. */
async function startOrRefuse(env: Record<string, string>) {
  try {
    const running = await start(env)
    await running.stop()
    return { hasStarted: true, output: running.output() }
  } catch (err) {
    return { hasStarted: false, output: String(err) }
  }
}

/** Every page that the database has is served. */
async function expectWhole(env: Record<string, string>, key: string): Promise<void> {
  const running = await start(env)
  const { call } = ownerOf(key, env.BASE_URL!)
  for (let offset: number | null = 0; offset !== null; ) {
    const { status, json } = await call('GET', `/pages?limit=100&offset=${offset}`)
    expect(status).toBe(200)
    const { data, next_offset: next } = json as { data: Page[]; next_offset: number | null }
    for (const { slug } of data) {
      expect((await send(`${env.BASE_URL}/p/${slug}`)).status).toBe(200)
    }
    offset = next
  }
  await running.stop()
}
