/** A real browser, for what only a browser can judge. Import from *.browser.test.ts alone. */
import { type Browser, chromium, type Page as Tab } from 'playwright-core'

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** What is looked at every few milliseconds may take long where the machine is busy. */
const PATIENCE_MS = 15_000

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGS })
}

export interface Window {
  tab: Tab
  /** What the pages complained of. */
  problems: string[]
}

/** A window of somebody who has not been here before. */
export async function newWindow(browser: Browser): Promise<Window> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } })
  const tab = await context.newPage()
  const problems: string[] = []
  tab.on('pageerror', (error) => problems.push(error.message))
  tab.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  return { tab, problems }
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

/** The page inside the shell, once it shows what is looked for. */
export async function framed<Frame extends FrameLike<Frame>>(
  tab: TabLike<Frame>,
  selector = 'body',
): Promise<Frame> {
  const deadline = Date.now() + PATIENCE_MS
  while (Date.now() < deadline) {
    for (const frame of tab.frames().slice(1)) {
      if (frame.parentFrame() !== tab.mainFrame()) continue
      const found = await frame.$(selector).catch(() => null)
      if (found !== null) return frame
    }
    await Bun.sleep(20)
  }
  throw new Error(`the shell shows no ${selector} at ${tab.url()}`)
}

/** Waits for a value to become what is expected, and says what it was when it does not. */
export async function becomes<T>(
  read: () => T | Promise<T>,
  expected: T,
  waitMs = PATIENCE_MS,
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
