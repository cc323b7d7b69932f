/** The conformance suite of MCP, without what only its example server has. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent } from './mcp-client.ts'
import { newKey } from './server.ts'
import { cleanUp, freshEnvironment, start } from './start.ts'

const ROOT = join(import.meta.dir, '..')
const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** Scenarios that need no tool, resource or prompt of the example server, by the protocol's version. */
const SCENARIOS = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'resources-list',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'server-sse-multiple-streams',
    'sep-2164-resource-not-found',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
  ],
  skills: ['sep-2640-skills-directory', 'sep-2640-skills-enumeration', 'sep-2640-skills-manifest'],
} as const
/** The suite marks these as not testable: it looks for what its example server has. */
const NEEDS_EXAMPLE =
  /^Not testable: (?:server does not list the diagnostic tool 'test_|no child with mimeType inode)/
/** It asks every server for prompts, an optional capability, which this one does not declare. */
const OF_PROMPTS = 'sep-2549-prompts-list-caching-hints'

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
  readonly details?: { readonly untestable?: boolean }
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

describe.each(Object.entries(SCENARIOS))('the suite of %s', (part, scenarios) => {
  let checks: Map<string, Check[]>

  beforeAll(async () => {
    const results = join(folder, part)
    const runs =
      part === 'skills'
        ? scenarios.map((scenario) => ['--scenario', scenario])
        : [['--suite', 'all', '--spec-version', part]]
    for (const run of runs) {
      const options = [...run, '--timeout', '10000', '-o', results]
      const child = Bun.spawn(
        [join(ROOT, 'bin/bun'), SUITE, 'server', '--url', `${url}/mcp`, ...options],
        { cwd: folder, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
      )
      await child.exited
    }
    checks = checksIn(results)
  })

  test.each([...scenarios])('passes %s', (scenario) => {
    const all = checks.get(scenario) ?? []
    expect(all.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(0)
    const failed = all.filter(
      ({ id, status, errorMessage = '', details }) =>
        status === 'FAILURE' &&
        id !== OF_PROMPTS &&
        !(details?.untestable && NEEDS_EXAMPLE.test(errorMessage)),
    )
    expect(failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`)).toEqual([])
  })
})

test('prompts are not declared, so that the suite may not find them', async () => {
  await using it = await agent('http', { url, key: 'sm_added', era: '2026-07-28' })
  expect(it.client.getServerCapabilities()).not.toHaveProperty('prompts')
})

/** The checks by scenario. A scenario's folder is named after it and the time. */
function checksIn(results: string): Map<string, Check[]> {
  const matches = readdirSync(results).map((name): [string, Check[]] => {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
    return [scenario, JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8'))]
  })
  return new Map(matches)
}
