import { Database as Handle } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rewriteLog } from './sqlite-rewrite.ts'

const folder = mkdtempSync(join(tmpdir(), 'handbill-rewrite-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A database with more in its log than is rewritten at once. */
function withLog(name: string) {
  const path = join(folder, name)
  const handle = new Handle(path, { create: true, readwrite: true })
  handle.run('PRAGMA journal_mode = wal')
  handle.run('PRAGMA wal_autocheckpoint = 0')
  handle.run('CREATE TABLE words (word text)')
  for (let n = 0; n < 200; n++) handle.run('INSERT INTO words VALUES (?)', [`${n}`.repeat(5000)])
  return { path, handle, log: `${path}-wal` }
}

test('every byte of a log is written again, and it stays as it is', () => {
  const { path, handle, log } = withLog('all.db')
  const before = readFileSync(log)
  expect(before.byteLength).toBeGreaterThan(2 * 1024 * 1024)
  utimesSync(log, 1, 1)
  rewriteLog(path)
  expect(statSync(log).mtimeMs).toBeGreaterThan(1000)
  expect(readFileSync(log).equals(before)).toBe(true)
  expect(handle.query('SELECT count(*) AS n FROM words').get()).toEqual({ n: 200 })
  handle.run("INSERT INTO words VALUES ('next')")
  handle.close()
})

test('an empty log is left alone', () => {
  const { path, handle, log } = withLog('empty.db')
  handle.run('PRAGMA wal_checkpoint(TRUNCATE)')
  rewriteLog(path)
  expect(readFileSync(log).byteLength).toBe(0)
  handle.close()
})
