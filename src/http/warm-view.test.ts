import { expect, test } from 'bun:test'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dir, '../testing/executed-files.ts')

/** What a reader has to read to follow one request from the socket to the disk and back. */
test('a warm view of a plain page executes seventeen of our files', async () => {
  const child = Bun.spawn([process.execPath, PROGRAM], { stdout: 'pipe', stderr: 'inherit' })
  const { text, files } = JSON.parse(await new Response(child.stdout).text())
  expect(await child.exited).toBe(0)
  expect(text).toBe('<!doctype html><p>words')
  expect(files).toEqual([
    'features/access/rules.ts',
    'features/analytics/side-counts.ts',
    'features/pages/published.ts',
    'features/views/daily-viewers.ts',
    'features/views/store.ts',
    'features/views/views.ts',
    'http/dispatch.ts',
    'http/kit/client-address.ts',
    'http/visitor/request/classify.ts',
    'http/visitor/request/view-facts.ts',
    'http/visitor/serve/content.ts',
    'http/visitor/serve/serve.ts',
    'http/visitor/serve/side-counts.ts',
    'platform/db/flush-timer.ts',
    'platform/db/raw.ts',
    'platform/db/sqlite-writes.ts',
    'platform/db/sqlite.ts',
  ])
})
