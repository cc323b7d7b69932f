/** Editing in the preview in WebKit. */
import { afterAll, afterEach, setDefaultTimeout, test } from 'bun:test'
import { cleanUp } from '../start.ts'
import { duringTests } from '../test-browser.ts'
import { KEYS, launchWebKit, type WebKitWindow } from '../webkit.ts'
import { walk } from './visual-walk.ts'

setDefaultTimeout(240_000)

const webkit = duringTests(launchWebKit, (started) => started.close())
let window: WebKitWindow
afterEach(() => window.close())
afterAll(cleanUp)

test('text and an image are changed where they are shown, undone and published in WebKit', async () => {
  window = await webkit().open()
  await walk({
    goto: (url) => window.goto(url),
    evaluate: (expression) => window.evaluate(`return ${expression}`),
    async inPreview(expression) {
      await window.enterFrame()
      const result = await window.evaluate(`return ${expression}`).catch(() => undefined)
      await window.leaveFrame()
      return result
    },
    press: (x, y) => window.pressAt(x, y),
    async overwrite(text) {
      await window.keys('a', KEYS.control)
      await window.keys(text)
    },
    enter: () => window.keys(KEYS.enter),
  })
})
