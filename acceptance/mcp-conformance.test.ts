/** The conformance suite of MCP, without what only its example server has. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

const ROOT = join(import.meta.dir, '..')
const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** Scenarios that apply to a server with tools alone. */
const SCENARIOS = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'server-sse-multiple-streams',
    'input-required-result-unsupported-methods',
  ],
} as const
/** Checks that need prompts, resources or the tools of the example server. */
const NOT_APPLICABLE = [
  'sep-2549-prompts-list-caching-hints',
  'sep-2549-resources-list-caching-hints',
  'sep-2549-resources-templates-list-caching-hints',
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
]

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

const folder = mkdtempSync(join(tmpdir(), 'handbill-conformance-'))
let proxy: Bun.Server<undefined>
let url = ''

beforeAll(async () => {
  const env = freshEnvironment()
  let authorization = ''
  // The suite sends no key, so this proxy adds one. It changes no other header but one.
  proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch({ url, method, headers, body }) {
      const { pathname } = new URL(url)
      const sent = new Headers(headers)
      sent.set('authorization', authorization)
      // `fetch` decodes the answer, and its header would still name the encoding.
      sent.set('accept-encoding', 'identity')
      const init = { method, headers: sent, body }
      const answer = await fetch(`http://127.0.0.1:${env.PORT}${pathname}`, init).catch(() => null)
      return answer ?? new Response(null, { status: 502 })
    },
  })
  url = `http://127.0.0.1:${proxy.port}`
  await start({ ...env, BASE_URL: url })
  authorization = `Bearer ${await newKey(env, 'pro')}`
})

afterAll(async () => {
  await proxy.stop(true)
  await cleanUp()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(Object.entries(SCENARIOS))('the suite of %s', (version, scenarios) => {
  let checks: Map<string, Check[]>

  beforeAll(async () => {
    const results = join(folder, version)
    const options = ['--suite', 'all', '--spec-version', version, '--timeout', '10000']
    const child = Bun.spawn(
      [join(ROOT, 'bin/bun'), SUITE, 'server', '--url', `${url}/mcp`, ...options, '-o', results],
      { cwd: folder, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
    )
    await child.exited
    checks = checksIn(results)
  })

  test.each([...scenarios])('passes %s', (scenario) => {
    const all = checks.get(scenario) ?? []
    expect(all.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(0)
    const failed = all.filter(
      ({ id, status }) => status === 'FAILURE' && !NOT_APPLICABLE.includes(id),
    )
    expect(failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`)).toEqual([])
  })
})

/** The checks by scenario. A scenario's folder is named after it and the time. */
function checksIn(results: string): Map<string, Check[]> {
  const found = readdirSync(results).map((name): [string, Check[]] => {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
    return [scenario, JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8'))]
  })
  return new Map(found)
}
