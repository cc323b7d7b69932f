import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Contract } from '../model/operation.ts'
import { ENGINES, testApp } from '../testing/app.ts'
import { EXPECTED_RESULT, runScenario } from '../testing/client.ts'
import { bindings } from './contracts.ts'
import * as features from './features.ts'

for (const engine of ENGINES) {
  test(`the client works in Bun, with ${engine}`, async () => {
    await using app = await testApp(engine)
    const { key } = await app.owner()
    const server = app.listen()
    try {
      expect(await runScenario({ baseUrl: `http://127.0.0.1:${server.port}`, key })).toEqual(
        EXPECTED_RESULT,
      )
    } finally {
      await server.stop()
    }
  })
}

test('the client works in Node.js, from a bundle', async () => {
  await using app = await testApp('sqlite')
  const { key } = await app.owner()
  const server = app.listen()
  const outdir = mkdtempSync(join(tmpdir(), 'handbill-client-'))
  try {
    const entrypoints = [join(import.meta.dir, '../testing/client.ts')]
    const { success } = await Bun.build({ entrypoints, outdir, target: 'node' })
    expect(success).toBe(true)
    const node = Bun.spawn(
      ['node', join(outdir, 'client.js'), `http://127.0.0.1:${server.port}`, key],
      {
        stdout: 'pipe',
        stderr: 'inherit',
      },
    )
    expect(JSON.parse(await new Response(node.stdout).text())).toEqual(EXPECTED_RESULT)
  } finally {
    await server.stop()
    rmSync(outdir, { recursive: true })
  }
})

describe('the bundle', () => {
  test('for browsers is small and contains no schemas', async () => {
    const { outputs } = await Bun.build({
      entrypoints: [join(import.meta.dir, 'index.ts')],
      target: 'browser',
      minify: true,
    })
    const text = await outputs[0]!.text()
    expect(text).toContain('/pages/{id}/publish')
    expect(text).not.toContain('zod')
    expect(text).not.toContain('node:')
    expect(text.length).toBeLessThan(14_850)
  })

  test('has a binding for every contract of the API, under the name that exports it', () => {
    const contracts = Object.entries(
      features as unknown as Record<string, Partial<Contract>>,
    ).filter(([, contract]) => contract.http?.path.startsWith('/~/') === false)
    expect(contracts.map(([name]) => name).sort()).toEqual(Object.keys(bindings()).sort())
  })
})
