import { Database as Handle } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { logProblem, markServed, markStopped } from './sqlite-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'handbill-log-'))
const open: Handle[] = []
afterAll(() => {
  for (const handle of open) handle.close()
  rmSync(folder, { recursive: true })
})

let count = 0
/** A database whose server runs, with rows in its log. */
function served(): string {
  const path = join(folder, `${++count}.db`)
  const handle = new Handle(path, { create: true, readwrite: true })
  open.push(handle)
  handle.run('PRAGMA journal_mode = wal')
  handle.run('CREATE TABLE words (word text)')
  markServed(path)
  for (let n = 0; n < 100; n++) handle.run('INSERT INTO words VALUES (?)', ['x'.repeat(1000)])
  return path
}

/** A copy of a database beside a log. */
function beside(path: string, log: Uint8Array | null): string {
  const copy = join(folder, `${++count}.db`)
  copyFileSync(path, copy)
  if (log !== null) writeFileSync(`${copy}-wal`, log)
  return copy
}

test('a database has its own log, none after its server stopped, or there is no database', () => {
  const path = served()
  expect(logProblem(path)).toBeNull()
  expect(logProblem(beside(path, readFileSync(`${path}-wal`)))).toBeNull()
  expect(logProblem(join(folder, 'none.db'))).toBeNull()
  markStopped(path)
  expect(logProblem(beside(path, null))).toBeNull()
})

test('a copy without the log, or with an empty one, is detected while the server runs', () => {
  const path = served()
  expect(logProblem(beside(path, null))).toBe('missing')
  expect(logProblem(beside(path, new Uint8Array()))).toBe('missing')
})

test('a log of another database is detected, and so is one whose header is damaged', () => {
  const [path, other] = [served(), served()]
  const log = readFileSync(`${other}-wal`)
  expect(logProblem(beside(path, log))).toBe('foreign')
  expect(logProblem(beside(path, log.subarray(0, 20)))).toBe('damaged')
  const own = readFileSync(`${path}-wal`)
  for (const at of [0, 8, 16, 31]) {
    const damaged = Buffer.from(own)
    damaged[at]! ^= 1
    expect(logProblem(beside(path, damaged))).toBe('damaged')
  }
  // Frames that were not written to their end are no reason to refuse it.
  expect(logProblem(beside(path, own.subarray(0, own.length - 100)))).toBeNull()
})

test('marks keep the identity of a database, and a log of before it got one is its own', () => {
  const path = served()
  const handle = new Handle(path)
  open.push(handle)
  const id = () =>
    (handle.query('PRAGMA application_id').get() as { application_id: number }).application_id
  const first = id()
  expect(first).not.toBe(0)
  markStopped(path)
  markServed(path)
  expect(id()).toBe(first)

  const old = join(folder, `${++count}.db`)
  const before = new Handle(old, { create: true, readwrite: true })
  open.push(before)
  before.run('PRAGMA journal_mode = wal')
  before.run('CREATE TABLE words (word text)')
  expect(logProblem(old)).toBeNull()
})
