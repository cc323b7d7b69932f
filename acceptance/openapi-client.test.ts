/** A client made from the document by others: right calls compile, and wrong ones do not. */
import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { send } from './client.ts'

const ROOT = join(import.meta.dir, '..')
const CALLS = join(import.meta.dir, 'fixtures', 'typed-client', 'calls.ts')
const TSC = join(ROOT, 'node_modules', '.bin', 'tsc')

// Within the checkout, where the packages are found.
mkdirSync(join(ROOT, 'dist'), { recursive: true })
const folder = mkdtempSync(join(ROOT, 'dist', 'typed-client-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function typesOf(document: string): Promise<string> {
  return astToString(await openapiTS(document))
}

/** What the compiler has to say about the calls, with these types. */
async function compiled(types: string): Promise<string> {
  writeFileSync(join(folder, 'api.ts'), types)
  copyFileSync(CALLS, join(folder, 'calls.ts'))
  const options = {
    strict: true,
    noEmit: true,
    target: 'esnext',
    module: 'preserve',
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: [],
  }
  const config = { compilerOptions: options, files: ['calls.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const child = Bun.spawn([TSC, '-p', folder], { cwd: folder, stdout: 'pipe' })
  const said = await new Response(child.stdout).text()
  expect((await child.exited) === 0, said).toBe(said === '')
  return said
}

test('typed calls made from /openapi.json compile, and wrong calls do not', async () => {
  expect(await compiled(await typesOf((await send('/openapi.json')).text))).toBe('')
}, 30_000)

test('the calls would not compile if the document left something out', async () => {
  const document = (await send('/openapi.json')).json as { paths: Record<string, object> }
  delete document.paths['/pages/{id}/html']
  expect(await compiled(await typesOf(JSON.stringify(document)))).toContain('/pages/{id}/html')
}, 30_000)
