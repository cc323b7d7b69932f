/** The sign-in page in WebKit, at an address where browsers have passkeys. */
import { afterAll, afterEach, setDefaultTimeout, test } from 'bun:test'
import { cleanUp, freshEnvironment, start } from '../start.ts'
import { duringTests } from '../test-browser.ts'
import { launchWebKit, type WebKitWindow } from '../webkit.ts'

setDefaultTimeout(240_000)

const webkit = duringTests(launchWebKit, (started) => started.close())
let window: WebKitWindow
afterEach(() => window.close())
afterAll(cleanUp)

test('the sign-in page says what WebKit has no passkeys for, and its form works', async () => {
  const fresh = freshEnvironment()
  const env = { ...fresh, BASE_URL: `http://localhost:${fresh.PORT}` }
  await start(env)
  window = await webkit().open()
  await window.goto(`${env.BASE_URL}/app/sign-in`)
  await window.shows('This browser has no passkeys.')
  await window.type('input[name=email]', 'ann@example.com')
  await window.click('form button')
  await window.shows('Ask for your link')
})
