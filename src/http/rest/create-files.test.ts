import { expect, test } from 'bun:test'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dir, '../../testing/executed-files.ts')

/** What a reader has to read to follow a create from the socket and back. The goal is 60. */
test('POST /pages executes at most 91 of our files', async () => {
  const child = Bun.spawn([process.execPath, PROGRAM, 'create'], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { text, files } = JSON.parse(await new Response(child.stdout).text())
  expect(await child.exited).toBe(0)
  expect(text).toBe('201')
  expect(files).toContain('features/pages/create.ts')
  expect(files.length).toBeLessThanOrEqual(91)
})
