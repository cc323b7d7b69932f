import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from './db/sqlite.ts'
import { openCommandWrites } from './mapped-files.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'handbill-commands-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('what a command writes is noticed at the next look, and once', async () => {
  const path = join(folder, 'command-writes')
  const command = openCommandWrites(path)
  const server = openSqlite(join(folder, 'test.db'), { commandWrites: openCommandWrites(path) })
  const losses = [0, 0]
  for (const [at, channel] of ['pages', 'mails'].entries()) {
    await server.listen(
      channel,
      () => {},
      () => void losses[at]!++,
    )
  }
  expect([server.isListening(), losses]).toEqual([true, [0, 0]])
  // Its own writes are announced otherwise.
  await server.write((tx) => server.notify(tx, 'pages', 'a-slug'))
  expect(server.isListening()).toBe(true)
  command.mark()
  command.mark()
  expect([server.isListening(), losses]).toEqual([false, [1, 1]])
  expect([server.isListening(), losses]).toEqual([true, [1, 1]])
  await server.close()
})

test('a process starts with what the file has, which its owner alone can read', () => {
  const path = join(folder, 'kept')
  const command = openCommandWrites(path)
  command.mark()
  const { size, mode } = statSync(path)
  expect([size, mode & 0o777]).toEqual([8, 0o600])
  expect([openCommandWrites(path).last() === command.last(), command.last()]).not.toContain(0)
})
