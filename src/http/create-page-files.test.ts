import { expect, test } from 'bun:test'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dir, '../testing/executed-files.ts')
/** The most of our files that one creation may execute: a reader has to read them to follow it. */
const MOST = 60

test(`creating a page executes at most ${MOST} of our files`, async () => {
  const child = Bun.spawn([process.execPath, PROGRAM, 'create'], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { text, files } = JSON.parse(await new Response(child.stdout).text())
  expect(await child.exited).toBe(0)
  expect(text).toBe('201')
  expect(files).toContain('features/pages/create.ts')
  expect(files.length <= MOST ? [] : files).toEqual([])
})
