import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { testBrowser } from '../../acceptance/test-browser.ts'
import { testApp } from '../testing/app.ts'
import { EXPECTED_RESULT, type runScenario } from '../testing/client.ts'

const browser = testBrowser()

test('the client works in a browser', async () => {
  await using app = await testApp('sqlite')
  const { key } = await app.owner()
  const server = app.listen()
  const site = await startProxy(server.port)
  try {
    const tab = await browser().newPage()
    await tab.goto(site.url)
    const result = await tab.evaluate(async (key) => {
      const path = '/harness.js'
      const harness = (await import(path)) as { runScenario: typeof runScenario }
      return harness.runScenario({ baseUrl: location.origin, key })
    }, key)
    expect(result).toEqual(EXPECTED_RESULT)
  } finally {
    site.stop()
    await server.stop()
  }
}, 30_000)

/** Serves the client's test program on the same origin as the API. */
async function startProxy(port: number) {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, '../testing/client.ts')],
    target: 'browser',
  })
  const script = await outputs[0]!.text()
  const site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      if (pathname === '/harness.js') {
        return new Response(script, { headers: { 'content-type': 'text/javascript' } })
      }
      if (pathname.startsWith('/api/')) {
        // Bun's fetch decodes what is compressed, and keeps the header that says it is.
        const plain = new Request(request)
        plain.headers.set('accept-encoding', 'identity')
        return fetch(`http://127.0.0.1:${port}${pathname}${search}`, plain)
      }
      return new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
    },
  })
  return { url: `http://127.0.0.1:${site.port}/`, stop: () => site.stop(true) }
}
