/** Runs a real browser. Import it from *.browser.test.ts alone. */
import { type Browser, chromium, type Page as Tab } from 'playwright-core'

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of tests live for seconds: compiling their scripts well takes longer than running them.
  '--js-flags=--no-opt --no-maglev --single-threaded-gc',
]

/** Long, for tests on a slow or busy computer: it passes only where they fail. */
export const TIMEOUT_MS = 60_000

/** Without windows, which needs half the processor time. */
export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ARGS })
}

/** As people have it: going back and asking for permissions differ without windows. */
export function launchWithWindows(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGS })
}

export interface Window {
  tab: Tab
  /** Errors of the pages and the console. */
  problems: string[]
}

/** Collects the errors of a tab's pages and its console, from now on. */
export function problemsOf(tab: Tab): string[] {
  const problems: string[] = []
  tab.on('pageerror', (error) => problems.push(error.message))
  tab.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  return problems
}

/** A window without cookies and storage. */
export async function newWindow(browser: Browser): Promise<Window> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } })
  const tab = await context.newPage()
  const problems = problemsOf(tab)
  return { tab, problems }
}

/** Waits until a press counts: Playwright does it by itself, unless it is told where to press. */
export async function pressable(tab: { evaluate(expression: string): Promise<unknown> }) {
  const guard = `document.documentElement.style.getPropertyValue('--press')`
  await becomes(() => tab.evaluate(guard), '')
}

interface FrameLike<Frame> {
  parentFrame(): Frame | null
  $(selector: string): Promise<unknown>
}
interface TabLike<Frame> {
  url(): string
  mainFrame(): Frame
  frames(): Frame[]
}

/** The document framed by the shell, once it has the selector. */
export async function framed<Frame extends FrameLike<Frame>>(
  tab: TabLike<Frame>,
  selector = 'body',
): Promise<Frame> {
  const deadline = Date.now() + TIMEOUT_MS
  let cause: unknown
  while (Date.now() < deadline) {
    for (const frame of tab.frames().slice(1)) {
      if (frame.parentFrame() !== tab.mainFrame()) continue
      // A frame that loads another document meanwhile cannot be asked, and is asked again.
      const result = await frame.$(selector).catch((err: unknown) => {
        cause = err
        return null
      })
      if (result !== null) return frame
    }
    await Bun.sleep(20)
  }
  throw new Error(`the shell shows no ${selector} at ${tab.url()}`, { cause })
}

/** Waits until a value equals the expected one. */
export async function becomes<T>(
  read: () => T | Promise<T>,
  expected: T,
  waitMs = TIMEOUT_MS,
): Promise<void> {
  const deadline = Date.now() + waitMs
  let value = await read()
  while (JSON.stringify(value) !== JSON.stringify(expected)) {
    if (Date.now() > deadline) {
      throw new Error(`expected ${JSON.stringify(expected)}, it stayed ${JSON.stringify(value)}`)
    }
    await Bun.sleep(20)
    value = await read()
  }
}
