/** What a start finds wrong with the data, and says. */
import { afterAll, expect } from 'bun:test'
import { readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataOf, ownerOf, type Page, send } from './client.ts'
import { own } from './gates/setup.ts'
import { html, htmlOfSize } from './material.ts'
import { command, newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

afterAll(cleanUp)
const SLOW = 60_000

/** A server that has stopped, with a page behind a password, and one with a large file. */
async function stopped() {
  const env = freshEnvironment()
  const running = await start(env)
  const { call } = ownerOf(await newKey(env, 'pro'), env.BASE_URL)
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
