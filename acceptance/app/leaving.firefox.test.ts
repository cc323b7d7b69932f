/** Leaving a screen of the dashboard while it loads, in Firefox. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { testFirefox } from '../firefox.ts'
import { newOwner } from '../gates/setup.ts'
import { command } from '../server.ts'
import { cleanUp, freshEnvironment, start } from '../start.ts'
import { DEEP } from '../webkit.ts'

setDefaultTimeout(240_000)

const firefox = testFirefox()
afterAll(cleanUp)

/** Passes everything on, but answers the list of keys with its first byte alone. */
function stallingProxy(port: string) {
  let stalled = 0
  const proxy = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    // The server has not started yet.
    error: () => new Response(null, { status: 502 }),
    async fetch(request) {
      const { pathname, search, host } = new URL(request.url)
      if (pathname === '/app/api/keys') {
        stalled += 1
        const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('{')) })
        return new Response(body, { headers: { 'content-type': 'application/json' } })
      }
      const { method, headers } = request
      headers.set('host', host)
      const body = method === 'POST' ? await request.arrayBuffer() : null
      const passed = { method, headers, body, redirect: 'manual' } as const
      const answer = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, passed)
      const { status, headers: received } = answer
      for (const name of ['content-encoding', 'content-length']) received.delete(name)
      return new Response(answer.body, { status, headers: received })
    },
  })
  return { url: proxy.url.origin, stalled: () => stalled, stop: () => proxy.stop(true) }
}

test('a screen that is left while its data comes logs no error of it in Firefox', async () => {
  const env = freshEnvironment()
  const proxy = stallingProxy(env.PORT!)
  env.BASE_URL = proxy.url
  await start(env)
  const { email } = await newOwner(env)
  const { stdout } = await command(env, 'account', 'sign-in', email)
  const { tab, problems, leave } = await firefox().newVisitor()
  await tab.goto(stdout.trim())
  await becomes(() => tab.evaluate(`(() => { ${DEEP}; return click('Sign in') })()`), true)
  await becomes(() => tab.evaluate('location.pathname').catch(() => ''), '/app')
  await tab.goto(`${proxy.url}/app/developer`)
  await becomes(async () => proxy.stalled() > 0, true)
  await Bun.sleep(500)
  await tab.goto(`${proxy.url}/docs`)
  await Bun.sleep(500)
  // A font that was still on its way is another matter.
  expect(problems.filter((problem) => problem.includes('Stream'))).toEqual([])
  await leave()
  proxy.stop()
})
