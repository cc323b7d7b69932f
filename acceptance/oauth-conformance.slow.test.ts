/** The conformance suite of MCP for authorization servers, with a person who allows its app. */
import { afterAll, beforeAll, expect } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../src/testing/free-port.ts'
import { formTo, type Person } from './gates/person.ts'
import { newOwner, own, signedIn } from './gates/setup.ts'
import { server } from './server.ts'

const ROOT = join(import.meta.dir, '..')
const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const VERSIONS = ['2025-11-25', '2026-07-28'] as const

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'handbill-oauth-conformance-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Check {
  id: string
  status: string
  errorMessage?: string
}

/** Registers an app with a port of its own. @returns its id */
async function register(port: number): Promise<string> {
  const answer = await fetch(`${server.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
  })
  return ((await answer.json()) as { client_id: string }).client_id
}

/** Allows what the page asks, and brings the answer to the app. */
async function allow(person: Person, address: string): Promise<void> {
  const { pathname, search } = new URL(address)
  const document = await person.open(pathname + search)
  const { action, fields } = formTo(document, search)
  const answer = await person.post(action, { ...fields, decision: 'allow' })
  await fetch(answer.headers.get('location')!)
}

async function run(version: string, person: Person): Promise<Check[]> {
  const [port, results] = [freePort(), join(folder, version)]
  const options = {
    url: server.url,
    'client-id': await register(port),
    resource: `${server.url}/mcp`,
    port: String(port),
    'output-dir': results,
    'spec-version': version,
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const child = Bun.spawn([join(ROOT, 'bin/bun'), SUITE, 'authorization', ...args], {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  })
  let output = ''
  let isAllowed = false
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += piece
    const [address] = /^http\S+\/oauth\/authorize\?\S+$/m.exec(output) ?? []
    if (address === undefined || isAllowed) continue
    isAllowed = true
    await allow(person, address)
  }
  await child.exited
  const scenarios = readdirSync(results).sort()
  return scenarios.flatMap((name): Check[] =>
    JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')),
  )
}

for (const version of VERSIONS) {
  own(
    `the suite for authorization servers of ${version} finds nothing`,
    async () => {
      const { email } = await newOwner()
      const checks = await run(version, await signedIn(email))
      expect(checks.map(({ id, status, errorMessage }) => [id, status, errorMessage])).toEqual([
        ['authorization-code-grant', 'SUCCESS', undefined],
        ['authorization-server-metadata', 'SUCCESS', undefined],
        ['authorization-server-metadata-cimd', 'SUCCESS', undefined],
      ])
    },
    60_000,
  )
}
