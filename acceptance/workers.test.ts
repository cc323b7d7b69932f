/** Runs a part of the tests again against servers of two processes. */
import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseMetrics } from '../src/testing/prometheus.ts'
import { server } from './server.ts'

/** What several processes answer differently, and what the commands of users do. */
const FILES = [
  ...['workers', 'serving', 'views', 'limits', 'links', 'host-cookies', 'uploads', 'download'],
  ...['origins-local', 'idempotency', 'concurrency', 'cli', 'client-publish', 'client-deck'],
  ...['gates/password', 'gates/email-gate', 'gates/revocation', 'responses/write'],
  ...['comments/comments', 'polls/votes', 'approvals/decide'],
]
const TIME_MS = 600_000

const isLinux = process.platform === 'linux'
const isOfTwo = process.env.WORKERS === '2'

test.skipIf(!isLinux || isOfTwo || !server.own)(
  'a server of two processes passes tests as one of one process does',
  async () => {
    const { DATABASE_URL: _, ...env } = process.env
    const files = FILES.map((name) => join(import.meta.dir, `${name}.test.ts`))
    const folder = mkdtempSync(join(tmpdir(), 'handbill-of-two-'))
    const report = join(folder, 'report.xml')
    const reporter = ['--reporter=junit', `--reporter-outfile=${report}`]
    const run = Bun.spawn([process.execPath, 'test', '--timeout=60000', ...reporter, ...files], {
      cwd: join(import.meta.dir, '..'),
      env: { ...env, WORKERS: '2' },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [errors, output, code] = await Promise.all([
      new Response(run.stderr).text(),
      new Response(run.stdout).text(),
      run.exited,
    ])
    expect(code, errors + output).toBe(0)
    // A test that was skipped has an element in its own.
    expect(readFileSync(report, 'utf8')).toMatch(/<testcase name="two processes serve"[^>]*\/>/)
    rmSync(folder, { recursive: true })
  },
  TIME_MS,
)

test.skipIf(!isLinux || !isOfTwo)('two processes serve', async () => {
  for (;;) {
    const families = parseMetrics(await (await fetch(`${server.url}/metrics`)).text())
    if (families.get('handbill_workers_serving')!.samples[0]!.value === 1) break
    await Bun.sleep(20)
  }
})
