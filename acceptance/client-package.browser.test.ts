/** The module of the npm package in a browser, on a site of another origin than the server. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildClient } from '../build/client.ts'
import { EXPECTED_RESULT, type runScenario } from '../src/testing/client.ts'
import { newKey, ownServer, server } from './server.ts'
import { duringTests, testBrowser } from './test-browser.ts'

const browser = testBrowser()
const site = duringTests(startSite, (started) => started.stop(true))
const SCENARIO = join(import.meta.dir, '../src/testing/client.ts')

/** A site whose program imports the module of the package, where the tests import the client's source. */
async function startSite() {
  const script = new Bun.Transpiler({ loader: 'ts' }).transformSync(readFileSync(SCENARIO, 'utf8'))
  expect(script).toContain(`from "../client/index.ts"`)
  const module = await buildClient()
  const served = (text: string, type = 'text/javascript') =>
    new Response(text, { headers: { 'content-type': type } })
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/tools/program.js': () => served(script),
      '/client/index.ts': () => served(module),
      '/': () => served('<!doctype html>', 'text/html'),
    },
  })
}

test('the module of the package works in a browser, from a site of another origin', async () => {
  const key = await newKey(ownServer().env, 'pro')
  const tab = await browser().newPage()
  await tab.goto(site().url.href)
  const result = await tab.evaluate(
    async (options) => {
      const path = '/tools/program.js'
      const program = (await import(path)) as { runScenario: typeof runScenario }
      return program.runScenario(options)
    },
    { baseUrl: server.url, key },
  )
  expect(result).toEqual(EXPECTED_RESULT)
  expect(new URL(tab.url()).origin).not.toBe(new URL(server.url).origin)
}, 240_000)
