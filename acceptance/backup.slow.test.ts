/** Backups by the command line, beside a server that runs. */
import { Database } from 'bun:sqlite'
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
import { s3Environment, startS3 } from '../src/testing/s3-server.ts'
import { dataOf, ownerOf, type Page, send } from './client.ts'
import { own } from './gates/setup.ts'
import { html, htmlOfSize } from './material.ts'
import { command, handbill, newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)
const SLOW = 240_000

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
      for (; !isDone; await Bun.sleep(20)) {
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
    const nowhere = await command(env, 'backup', 'create', join(file, '..', 'none', 'b.zip'))
    expect(nowhere.stderr).toMatch(/^handbill: There is no folder \S+: make it first\.\n$/)
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
      const original = dataOf<{ password: string }>(await ask('GET', `/pages/${locked.id}`))
      expect(original.password).toBe('four short words')
      const diagnosis = await command(other, 'doctor', '--json')
      expect(diagnosis.code).toBe(0)
      const findings = JSON.parse(diagnosis.stdout) as { check: string; is_ok: boolean }[]
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
      [
        freshEnvironment(),
        damaged,
        /^handbill: \S+damaged.zip: This backup cannot be used: it is no complete zip/,
      ],
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
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining('BACKUP is missing.'),
    ])
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

interface Listed {
  name: string
  created_at: string
  size_bytes: number
  is_complete: boolean
}

async function list(env: Env): Promise<Listed[]> {
  const { code, stdout, stderr } = await command(env, 'backup', 'list', '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as Listed[]
}

/** Makes one backup there by a server of its own. @returns the slug of its page */
async function backUpTo(url: string): Promise<string> {
  const env: Env = { ...freshEnvironment(), BACKUP_URL: url }
  const running = await start({ ...env, BACKUP_URL: '' })
  const { call } = ownerOf(await newKey(env, 'pro'), env.BASE_URL)
  const { slug } = dataOf<Page>(await call('POST', '/pages', { html: htmlOfSize(90_000) }), 201)
  await running.stop()
  const again = await start(env)
  while (!again.output().includes('a backup was made')) await Bun.sleep(50)
  await again.stop()
  return slug
}

async function expectRestored(env: Env, slug: string): Promise<void> {
  const running = await start(env)
  expect((await send(`${env.BASE_URL}/p/${slug}`)).status).toBe(200)
  await running.stop()
}

own(
  'backups in a folder are listed and restored by their names, and one that is not whole is none',
  async () => {
    const folder = join(freshEnvironment().DATA_DIR!, '..', 'backups')
    mkdirSync(folder, { recursive: true })
    const empty = await command({ ...freshEnvironment(), BACKUP_URL: folder }, 'backup', 'list')
    expect([empty.code, empty.stdout]).toEqual([0, `There is no backup in ${folder} yet.\n`])
    const slug = await backUpTo(folder)
    const [made] = await list({ ...freshEnvironment(), BACKUP_URL: folder })
    const bytes = readFileSync(join(folder, made!.name))
    const cut = 'handbill-2037-01-01T000000Z.zip'
    writeFileSync(join(folder, cut), bytes.subarray(0, -30))
    writeFileSync(join(folder, `${cut}.77.part`), 'half')
    writeFileSync(join(folder, 'notes.zip'), bytes)

    const env: Env = { ...freshEnvironment(), BACKUP_URL: folder }
    expect(await list(env)).toEqual([
      {
        ...{ name: cut, created_at: '2037-01-01T00:00:00.000Z' },
        ...{ size_bytes: bytes.length - 30, is_complete: false },
      },
      { ...made!, size_bytes: bytes.length, is_complete: true },
    ])
    const lines = (await command(env, 'backup', 'list')).stdout.split('\n')
    expect(lines[0]).toMatch(/^name +created +bytes +complete$/)
    expect(lines[2]).toMatch(
      new RegExp(`^${made!.name} +\\S+ \\d\\d:\\d\\d UTC +${bytes.length} +yes$`),
    )

    const refusals: [string, RegExp][] = [
      [cut, /cut|no complete zip/],
      ['handbill-2001-01-01T000000Z.zip', /^handbill: There is no handbill-2001.*\.zip in \S+\.$/],
      ['elsewhere.zip', /^handbill: There is no file \S+\/elsewhere\.zip\.$/],
    ]
    for (const [named, message] of refusals) {
      const { code, stderr } = await command(env, 'backup', 'restore', named)
      expect([code, stderr.trim().split('\n').length]).toEqual([1, 1])
      expect(stderr.trim()).toMatch(message)
      expect(existsSync(env.DATA_DIR!)).toBe(false)
    }
    for (const named of ['latest', made!.name]) {
      const other: Env = { ...freshEnvironment(), BACKUP_URL: folder }
      // A disk of its own has it.
      mkdirSync(join(other.DATA_DIR!, 'lost+found'), { recursive: true })
      const { code, stdout, stderr } = await command(other, 'backup', 'restore', named)
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toContain(` from ${join(folder, made!.name)} to ${other.DATA_DIR}.`)
      await expectRestored({ ...other, BACKUP_URL: '' }, slug)
    }
  },
  2 * SLOW,
)

own(
  'backups in a bucket are listed, and restored from there byte by byte or not at all',
  async () => {
    const store = await startS3()
    const { bucket } = await store.newBucket()
    const host = `127.0.0.1:${store.port}`
    const at = (key: string, folder = 'a/b') =>
      `s3+http://${key}@${host}/${bucket}/${folder}?region=us-east-1`
    const url = at('S3RVER:S3RVER')
    const slug = await backUpTo(url)
    const [made, ...more] = await list({ ...freshEnvironment(), BACKUP_URL: url })
    expect(more).toEqual([])
    expect(made).toMatchObject({ is_complete: true, size_bytes: expect.any(Number) })

    const label = `${host}/${bucket}/a/b/${made!.name}`
    const address = at('', `a/b/${made!.name}`).replace('@', '')
    const named: [Env, string][] = [
      [{ BACKUP_URL: url }, 'latest'],
      [{ BACKUP_URL: url }, made!.name],
      [{ BACKUP_URL: url }, address],
      [{}, at('S3RVER:S3RVER', `a/b/${made!.name}`)],
    ]
    for (const [settings, backup] of named) {
      const env = { ...freshEnvironment(), ...settings }
      const { code, stdout, stderr } = await command(env, 'backup', 'restore', backup, '--json')
      expect([code, stderr]).toEqual([0, ''])
      expect(JSON.parse(stdout)).toMatchObject({ from: label, data_dir: env.DATA_DIR })
      expect(readdirSync(env.DATA_DIR!)).not.toContain('backup.part')
      if (backup === 'latest') await expectRestored({ ...env, BACKUP_URL: '' }, slug)
    }
    const refusals: [Env, string, RegExp][] = [
      [{}, 'latest', /^handbill: BACKUP_URL is not set/],
      [{}, address, /^handbill: An address of a backup is s3:/],
      [
        { BACKUP_URL: at('S3RVER:wrong') },
        'latest',
        /cannot be read: .* 403 SignatureDoesNotMatch/,
      ],
      [{ BACKUP_URL: at('S3RVER:S3RVER', 'c') }, 'latest', /^handbill: There is no backup in /],
      [{}, at('S3RVER:S3RVER', 'a/b/none.zip'), /^handbill: There is no none\.zip in /],
    ]
    for (const [settings, backup, message] of refusals) {
      const env = { ...freshEnvironment(), ...settings }
      const { code, stdout, stderr } = await command(env, 'backup', 'restore', backup)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(message)
      expect(stderr).not.toMatch(/S3RVER|wrong/)
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(existsSync(env.DATA_DIR!)).toBe(false)
    }
    // The doctor prints what is wrong, and no log beside it.
    const [ill, wrongKey] = [freshEnvironment(), at('S3RVER:wrong')]
    await command(ill, 'account', 'add', 'ann@example.com')
    const doctor = await command({ ...ill, BACKUP_URL: wrongKey }, 'doctor')
    expect([doctor.code, doctor.stderr]).toEqual([1, 'handbill: Something is wrong: backups.\n'])
    expect(doctor.stdout).toContain('The object store answered 403 SignatureDoesNotMatch.')
    await store.close()
    const gone = await command({ ...freshEnvironment(), BACKUP_URL: url }, 'backup', 'list')
    expect([gone.code, gone.stderr.trim().split('\n').length]).toEqual([1, 1])
    expect(gone.stderr).toContain(`${host}/${bucket}/a/b/ cannot be read: `)
  },
  2 * SLOW,
)

own(
  'a backup that is stopped leaves no part of it, which would hold the key, and the next is made',
  async () => {
    const env = freshEnvironment()
    const { call } = ownerOf(await newKey(env, 'pro'), env.BASE_URL)
    const running = await start(env)
    for (let n = 0; n < 8; n++) await call('POST', '/pages', { html: htmlOfSize(3_000_000) })
    const folder = join(env.DATA_DIR!, '..', 'copies')
    mkdirSync(folder)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const making = Bun.spawn([handbill, 'backup', 'create', join(folder, 'a.zip')], {
        ...{ env, stderr: 'pipe' },
      })
      while (readdirSync(folder).length === 0) await Bun.sleep(1)
      making.kill(signal)
      expect(await making.exited).toBe(1)
      expect(await new Response(making.stderr).text()).toContain('Stopped: no backup was written.')
      expect(readdirSync(folder)).toEqual([])
    }
    // It leaves no lease, for which the next would wait. The server takes it for a moment.
    const database = new Database(join(env.DATA_DIR!, 'handbill.db'), { readonly: true })
    const leases = database.query("SELECT name FROM leases WHERE name = 'files'")
    while (leases.get() !== null) await Bun.sleep(50)
    database.close()
    expect((await command(env, 'backup', 'create', join(folder, 'a.zip'))).code).toBe(0)
    expect(readdirSync(folder)).toEqual(['a.zip'])
    expect(await running.stop()).toBe(0)
  },
  SLOW,
)

own(
  'a restore that was killed is not served: it would look like a new server',
  async () => {
    const env = freshEnvironment()
    await newKey(env, 'pro')
    const file = join(env.DATA_DIR!, '..', 'backup.zip')
    await command(env, 'backup', 'create', file)
    const other = freshEnvironment()
    const mark = join(other.DATA_DIR!, 'restoring')
    const restoring = Bun.spawn([handbill, 'backup', 'restore', file], { env: other })
    while (!existsSync(mark)) await Bun.sleep(1)
    restoring.kill('SIGKILL')
    await restoring.exited
    for (const words of [['serve'], ['doctor'], ['backup', 'restore', file]]) {
      const { code, stderr } = await command(other, ...words)
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^handbill: A restore into [^\n]+\n$/),
      ])
    }
    rmSync(other.DATA_DIR!, { recursive: true })
    expect((await command(other, 'backup', 'restore', file)).code).toBe(0)
    expect(existsSync(mark)).toBe(false)
    expect((await command(other, 'doctor')).code).toBe(0)
  },
  SLOW,
)

own(
  'a restore leaves the files of another server alone: it takes an empty bucket',
  async () => {
    const store = await startS3()
    const bucket = s3Environment(await store.newBucket())
    const env: Env = { ...freshEnvironment(), ...bucket }
    const running = await start(env)
    const { call } = ownerOf(await newKey(env, 'pro'), env.BASE_URL)
    dataOf<Page>(await call('POST', '/pages', { html: htmlOfSize(90_000) }), 201)
    await running.stop()
    const file = join(env.DATA_DIR!, '..', 'backup.zip')
    await command(env, 'backup', 'create', file)
    const other: Env = { ...freshEnvironment(), ...bucket }
    const { code, stderr } = await command(other, 'backup', 'restore', file)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^handbill: The bucket has files /)])
    expect(existsSync(other.DATA_DIR!)).toBe(false)
    const empty = { ...other, ...s3Environment(await store.newBucket()) }
    expect((await command(empty, 'backup', 'restore', file)).code).toBe(0)
    expect((await command(empty, 'doctor')).code).toBe(0)
    await store.close()
  },
  SLOW,
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
    const diagnosis = await command(env, 'doctor')
    expect(diagnosis.code).toBe(1)
    expect(diagnosis.stdout).toMatch(
      /WRONG {2}files {5}These files are missing or damaged: [0-9a-f]{64}\./,
    )
    expect(diagnosis.stdout).toContain('handbill backup restore FILE')
    expect(diagnosis.stderr).toBe('handbill: Something is wrong: files.\n')
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
