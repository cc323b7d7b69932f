import { Database as Handle } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openConnection } from './sqlite-dialect.ts'

test('a database that another process is still making is opened once that is done', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-opening-'))
  const path = join(folder, 'test.db')
  new Handle(path).run('CREATE TABLE made (id integer)')
  // It is about to switch to WAL.
  const program = `
    const handle = new (require('bun:sqlite').Database)('${path}')
    handle.run('BEGIN IMMEDIATE')
    console.log('began')
    Bun.sleepSync(300)`
  const other = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe' })
  await other.stdout.getReader().read()
  const handle = openConnection(path, { readwrite: true })
  expect(handle.query('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  handle.close()
  await other.exited
  rmSync(folder, { recursive: true })
})
