/** `bin/test` in CI: what may have failed by the load of the machine runs once more. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..')
const folder = mkdtempSync(join(tmpdir(), 'handbill-test-command-'))
afterAll(() => rmSync(folder, { recursive: true }))

const IMPORT = "import { expect, test } from 'bun:test'\n"
const GOOD = `${IMPORT}test('passes', () => {})\n`
const BAD = `${IMPORT}test('fails', () => expect(1).toBe(2))\n`
/** Passes where it has run before. */
const FLAKY = `${IMPORT}import { existsSync, writeFileSync } from 'node:fs'
const ran = import.meta.path + '.ran'
const isSecond = existsSync(ran)
test('waits for too long', async () => {
  writeFileSync(ran, '')
  if (!isSecond) await Bun.sleep(300)
}, isSecond ? 30_000 : 200)
${GOOD.slice(IMPORT.length)}`
const LATE = `${IMPORT}test('leaves an error behind', () => {
  setTimeout(() => { throw new Error('late') }, 10)
})
test('ends after it', () => Bun.sleep(50))\n`

/** The last line of what the command prints, and its exit code. */
async function run(files: Record<string, string>, env: Record<string, string> = { CI: '1' }) {
  const paths = Object.entries(files).map(([name, text]) => {
    const path = join(folder, `${name}.test.ts`)
    writeFileSync(path, text)
    return path
  })
  const child = Bun.spawn([join(ROOT, 'bin/test'), ...paths], {
    env: { PATH: process.env.PATH, ...env },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const output = await new Response(child.stdout).text()
  return [output.trim().split('\n').at(-1), await child.exited]
}

test('a test that passes in the second run has passed', async () => {
  expect(await run({ 'flaky-1': FLAKY, good: GOOD })).toEqual(['3 passed, 0 failed', 0])
})

test('outside CI there is one run', async () => {
  expect(await run({ 'flaky-2': FLAKY }, {})).toEqual(['1 passed, 1 failed', 1])
})

test('what fails twice fails the run', async () => {
  expect(await run({ 'flaky-3': FLAKY, bad: BAD })).toEqual(['2 passed, 1 failed', 1])
  const files = { 'flaky-4': FLAKY, late: LATE }
  expect(await run(files)).toEqual(['3 passed, 1 failed', 1])
  expect(await run({ 'flaky-5': FLAKY, unreadable: 'throw new Error()' })).toEqual([
    '2 passed, 1 failed',
    1,
  ])
})

test('where a process crashed, not all files have run', async () => {
  const crash = { 'flaky-6': FLAKY, crash: 'process.exit(3)' }
  expect((await run(crash))[1]).not.toBe(0)
})
