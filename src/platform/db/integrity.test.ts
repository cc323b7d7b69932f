import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testSecrets } from '../../testing/test-secrets.ts'
import { quickProblem } from './integrity.ts'
import { migrate } from './migrate.ts'
import { openSqlite } from './sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'handbill-integrity-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Whether this process has locks on a file: without them, others may delete the log beside it. */
function isLocked(path: string): boolean {
  const file = `:${statSync(path).ino} `
  const locks = readFileSync('/proc/locks', 'utf8').split('\n')
  return locks.some((lock) => lock.includes(file) && lock.includes(` ${process.pid} `))
}

test.skipIf(process.platform !== 'linux')('a quick look leaves a database locked', async () => {
  const path = join(folder, 'test.db')
  const before = openSqlite(path)
  await migrate(before, testSecrets)
  await before.close()
  expect(statSync(`${path}-wal`).size).toBe(0)
  const database = openSqlite(path)
  expect(isLocked(path)).toBe(true)
  expect(await quickProblem(database, path)).toBeNull()
  expect(isLocked(path)).toBe(true)
  await database.close()
})
