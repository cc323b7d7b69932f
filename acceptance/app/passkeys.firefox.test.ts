/** The sign-in page in Firefox, at an address where browsers have passkeys. */
import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { becomes } from '../browser.ts'
import { testFirefox } from '../firefox.ts'
import { cleanUp, freshEnvironment, start } from '../start.ts'

setDefaultTimeout(240_000)

const firefox = testFirefox()
afterAll(cleanUp)

test('the sign-in page offers a passkey in Firefox, without errors, beside the form', async () => {
  const fresh = freshEnvironment()
  const env = { ...fresh, BASE_URL: `http://localhost:${fresh.PORT}` }
  await start(env)
  const { tab, problems, leave } = await firefox().newVisitor()
  await tab.goto(`${env.BASE_URL}/app/sign-in`)
  const isShown = `document.querySelector('#passkey button').checkVisibility()`
  await becomes(() => tab.evaluate(isShown), true)
  expect(await tab.evaluate(`document.querySelector('[name=email]').checkVisibility()`)).toBe(true)
  expect(problems).toEqual([])
  await leave()
})
