/** Windows of the three browsers. */
import { framed } from '../browser.ts'
import type { View as BrowserView, Frame, Visited } from '../isolation-visitor.ts'
import type { WebKit } from '../webkit.ts'
import type { OpenWindow } from './matrix.suite.ts'
import type { View } from './visit.ts'

/** What browsers and libraries report of pages that work. */
const NO_ERROR = [
  // A gate's answer is a 403, and a closed link's a 410.
  /^Failed to load resource/,
  // Firefox: the document was left before its font had arrived (NS_BINDING_ABORTED).
  /^Error: downloadable font: download failed .* status=2152398850 /,
  // pdf.js: the page was drawn anew, at another size, before the links in its text were looked for.
  /^#injectLinkAnnotations: /,
]

const WIDE = { width: 1280, height: 800 }

/** Those of Chromium and Firefox. */
export function visitedWindows(browser: () => Visited): OpenWindow {
  return async ({ isWide }) => {
    const { tab, problems, resize, leave } = await browser().newVisitor()
    if (isWide) await resize(WIDE)
    return {
      goto: async (url) => void (await tab.goto(url)),
      top: viewOf(async () => tab.mainFrame()),
      frame: viewOf(() => framed<Frame>(tab)),
      errors: () => problems.filter((text) => !NO_ERROR.some((pattern) => pattern.test(text))),
      close: leave,
    }
  }
}

function viewOf(now: () => Promise<BrowserView>): View {
  const find = async (expression: string) =>
    (await (await now()).evaluateHandle(expression)).asElement()
  return {
    evaluate: async (expression) => (await now()).evaluate(expression),
    async click(expression) {
      const element = await find(expression)
      await element?.click()
      return element !== null
    },
    async type(expression, text) {
      const element = await find(expression)
      await element?.click()
      await element?.type(text)
      return element !== null
    },
  }
}

export function webKitWindows(browser: () => WebKit): OpenWindow {
  return async ({ isWide }) => {
    const window = await browser().open()
    if (isWide) await window.maximize()
    const view = (enter: () => Promise<void>): View => ({
      async evaluate(expression) {
        await enter()
        return window.evaluate(`return ${expression}`)
      },
      async click(expression) {
        await enter()
        return window.press(`return ${expression}`)
      },
      async type(expression, text) {
        await enter()
        // A frame gets the focus by a click alone. The driver takes fields in shadow trees for
        // covered.
        await window.press(`return ${expression}`).catch(() => {})
        return window.press(`return ${expression}`, text)
      },
    })
    return {
      goto: window.goto,
      top: view(window.leaveFrame),
      frame: view(async () => {
        await window.leaveFrame()
        await window.enterFrame()
      }),
      errors: () => [],
      close: window.close,
    }
  }
}
