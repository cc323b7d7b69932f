import { expect, test } from 'bun:test'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dir, '../testing/executed-files.ts')

/** What a reader has to read to follow one request from the socket and back. */
async function filesOfWarmView(...args: string[]): Promise<string[]> {
  const child = Bun.spawn([process.execPath, PROGRAM, ...args], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { text, files } = JSON.parse(await new Response(child.stdout).text())
  expect(await child.exited).toBe(0)
  expect(text).toStartWith('<!doctype html><p>words')
  return files
}

test('a warm view executes ten of our files', async () => {
  expect(await filesOfWarmView()).toEqual([
    'features/access/rules.ts',
    'features/pages/published.ts',
    'features/views/views.ts',
    'features/views/waiting-views.ts',
    'http/dispatch.ts',
    'http/kit/client-address.ts',
    'http/visitor/request/classify.ts',
    'http/visitor/serve/content.ts',
    'http/visitor/serve/serve.ts',
    'platform/mapped-files.ts',
  ])
})

/** Its visit was counted at the page’s address: no row is read from the database or written. */
test('a warm view on a page’s own host executes fifteen of our files', async () => {
  expect(await filesOfWarmView('own-host')).toEqual([
    'features/access/rules.ts',
    'features/pages/published.ts',
    'http/dispatch.ts',
    'http/listen.ts',
    'http/visitor/origins/hosts.ts',
    'http/visitor/origins/routes.ts',
    'http/visitor/origins/visits.ts',
    'http/visitor/request/classify.ts',
    'http/visitor/request/identity.ts',
    'http/visitor/request/paths.ts',
    'http/visitor/request/static-paths.ts',
    'http/visitor/serve/content.ts',
    'http/visitor/serve/own-host.ts',
    'http/visitor/serve/side-counts.ts',
    'platform/mapped-files.ts',
  ])
})
