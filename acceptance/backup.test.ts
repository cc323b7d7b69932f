/** Backups by the command line, beside a server that runs. */
import { afterAll, expect } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { freshDatabase } from '../src/testing/postgres.ts'
import { dataOf, ownerOf, type Page, send } from './client.ts'
import { own } from './gates/setup.ts'
import { html, htmlOfSize } from './material.ts'
import { command, newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)
const SLOW = 120_000

type Env = Record<string, string>

own(
  'a backup of a running server is restored to another one, with all that was answered before it',
  async () => {
    const env = freshEnvironment()
    const running = await start(env)
    const key = await newKey(env, 'pro')
    const { call } = ownerOf(key, env.BASE_URL)
    const made: Page[] = []
    let isDone = false
    async function publish() {
      for (; !isDone; ) {
        const content = made.length % 3 === 0 ? htmlOfSize(90_000) : html(`page ${made.length}`)
        made.push(dataOf<Page>(await call('POST', '/pages', { html: content }), 201))
      }
    }
    const secret = { access: 'password', password: 'four short words' }
    const locked = dataOf<Page>(await call('POST', '/pages', { html: html('x'), ...secret }), 201)
    const publishing = publish()
    while (made.length < 10) await Bun.sleep(10)
    const before = [...made]
    const file = join(env.DATA_DIR!, '..', 'backup.zip')
    const created = await command(env, 'backup', 'create', file)
    isDone = true
    await publishing
    expect(created.stderr).toBe('')
    expect(created.stdout).toContain(`Wrote ${file}: `)
    expect(created.stdout).toContain('keep it as you keep a password')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const again = await command(env, 'backup', 'create', file)
    expect([again.code, again.stderr]).toEqual([
      1,
      `handbill: ${file} is there already: name a new file.\n`,
    ])
    expect((await command(env, 'doctor')).code).toBe(0)
    await running.stop()

    const database = await freshDatabase()
    const targets: Env[] = [{}, { DATABASE_URL: database.url }]
    for (const more of targets) {
      const other: Env = { ...freshEnvironment(), ...more }
      const restored = await command(other, 'backup', 'restore', file, '--json')
      expect(restored.stderr).toBe('')
      const result = JSON.parse(restored.stdout) as { files: number; rows: number }
      expect(result).toMatchObject({ data_dir: other.DATA_DIR, files: expect.any(Number) })
      const second = await start(other)
      const { call: ask } = ownerOf(key, other.BASE_URL)
      for (const { id, slug } of before) {
        expect(dataOf<Page>(await ask('GET', `/pages/${id}`)).slug).toBe(slug)
        expect((await send(`${other.BASE_URL}/p/${slug}`)).status).toBe(200)
      }
      const kept = dataOf<{ password: string }>(await ask('GET', `/pages/${locked.id}`))
      expect(kept.password).toBe('four short words')
      const found = await command(other, 'doctor', '--json')
      expect(found.code).toBe(0)
      const findings = JSON.parse(found.stdout) as { check: string; is_ok: boolean }[]
      expect(findings.map(({ check }) => check)).toEqual([
        ...['database', 'rows', 'pages', 'files', 'counts', 'key'],
      ])
      expect(findings.every(({ is_ok: isOk }) => isOk)).toBe(true)
      await second.stop()
    }
    await database.drop()
  },
  SLOW,
)

own(
  'a restore takes an empty place and a whole backup, and otherwise leaves nothing behind',
  async () => {
    const env = freshEnvironment()
    await command(env, 'account', 'add', 'ada@example.com')
    const file = join(env.DATA_DIR!, '..', 'backup.zip')
    expect((await command(env, 'backup', 'create', file)).code).toBe(0)
    const intoData = await command(env, 'backup', 'restore', file)
    expect([intoData.code, intoData.stderr]).toEqual([
      ...[1, `handbill: ${env.DATA_DIR} is not empty: restore into an empty DATA_DIR.\n`],
    ])

    const damaged = join(env.DATA_DIR!, '..', 'damaged.zip')
    writeFileSync(damaged, readFileSync(file).subarray(0, -30))
    const cases: [env: Env, file: string, message: RegExp][] = [
      [freshEnvironment(), damaged, /^handbill: This backup cannot be used: it is no complete zip/],
      [
        { ...freshEnvironment(), SECRET_KEY: 'another key of more than 32 characters' },
        file,
        /^handbill: SECRET_KEY is not the key of this backup/,
      ],
    ]
    for (const [other, path, message] of cases) {
      const refused = await command(other, 'backup', 'restore', path)
      expect(refused.code).toBe(1)
      expect(refused.stderr).toMatch(message)
      expect(refused.stderr.trim().split('\n')).toHaveLength(1)
      expect(existsSync(other.DATA_DIR!)).toBe(false)
    }
    const missing = await command(freshEnvironment(), 'backup', 'restore')
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('FILE is missing.')])
  },
  SLOW,
)

own(
  'a scheduled backup that is killed leaves nothing under its name, and is made after the restart',
  async () => {
    const env = freshEnvironment()
    const folder = join(env.DATA_DIR!, '..', 'backups')
    mkdirSync(folder)
    env.BACKUP_URL = `file://${folder}?keep=2`
    const parts = () => readdirSync(folder).filter((name) => name.endsWith('.part'))
    const backups = () => readdirSync(folder).filter((name) => name.endsWith('.zip'))
    const settings = { ...env, BACKUP_URL: '' }
    const before = await start(settings)
    const key = await newKey(settings, 'pro')
    const { call } = ownerOf(key, env.BASE_URL)
    const made: Page[] = []
    for (let n = 0; n < 12; n++) {
      made.push(dataOf<Page>(await call('POST', '/pages', { html: htmlOfSize(3_500_000) }), 201))
    }
    await before.stop()

    // Again where the backup was done before it could be killed.
    do {
      for (const name of backups()) rmSync(join(folder, name))
      const running = await start(env)
      while (parts().length === 0 && backups().length === 0) await Bun.sleep(1)
      await running.kill()
    } while (backups().length > 0)
    expect(parts()).toHaveLength(1)

    const again = await start(env)
    while (backups().length === 0) await Bun.sleep(50)
    while (!again.output().includes('a backup was made')) await Bun.sleep(50)
    expect(parts()).toEqual([])
    const ready = await send(`${env.BASE_URL}/readyz`)
    expect(ready.json).toMatchObject({ status: 'ok', backup: 'ok' })
    await again.stop()
    const other = freshEnvironment()
    const restored = await command(other, 'backup', 'restore', join(folder, backups()[0]!))
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    const second = await start(other)
    for (const { slug } of made) {
      expect((await send(`${other.BASE_URL}/p/${slug}`)).status).toBe(200)
    }
    await second.stop()
  },
  3 * SLOW,
)

own(
  'a scheduled backup that fails is in the log and at readiness, which stays ready',
  async () => {
    const env = freshEnvironment()
    env.BACKUP_URL = join(env.DATA_DIR!, '..', 'not mounted')
    const running = await start(env)
    while (!running.output().includes('the scheduled backup failed')) await Bun.sleep(50)
    const ready = await send(`${env.BASE_URL}/readyz`)
    expect(ready.status).toBe(200)
    expect(ready.json).toMatchObject({ status: 'ok', backup: 'failing' })
    expect(existsSync(env.BACKUP_URL)).toBe(false)
    expect(await running.stop()).toBe(0)
  },
  SLOW,
)

own(
  'the doctor fails where something is wrong, and says how to mend it',
  async () => {
    const env = freshEnvironment()
    const running = await start(env)
    const { call } = ownerOf(await newKey(env, 'pro'), env.BASE_URL)
    dataOf<Page>(await call('POST', '/pages', { html: htmlOfSize(90_000) }), 201)
    await running.stop()
    const blobs = join(env.DATA_DIR!, 'blobs')
    const [first] = [...new Bun.Glob('??/*').scanSync(blobs)]
    writeFileSync(join(blobs, first!), 'not what it was')
    const found = await command(env, 'doctor')
    expect(found.code).toBe(1)
    expect(found.stdout).toMatch(
      /WRONG {2}files {5}These files are missing or damaged: [0-9a-f]{64}\./,
    )
    expect(found.stdout).toContain('handbill backup restore FILE')
    expect(found.stderr).toBe('handbill: Something is wrong: files.\n')
    mkdirSync(join(env.DATA_DIR!, '..', 'x'))
    const backup = await command(
      env,
      'backup',
      'create',
      join(env.DATA_DIR!, '..', 'x', 'b.zip'),
      '--json',
    )
    expect(backup.code).toBe(1)
    const { error } = JSON.parse(backup.stdout) as { error: { message: string; result: object } }
    expect(error.message).toContain('1 files are missing or damaged')
    expect(error.result).toMatchObject({ damaged: [expect.stringMatching(/^[0-9a-f]{64}$/)] })
  },
  SLOW,
)
