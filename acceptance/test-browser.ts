/** The browser of a file of tests. Import it from *.browser.test.ts and their helpers alone. */
import { afterAll, afterEach, beforeAll } from 'bun:test'
import type { Browser } from 'playwright-core'
import { launch, launchWithWindows } from './browser.ts'

const START_MS = 60_000

/** Starts something before the tests of the file, and stops it after them. Tests call the result. */
export function duringTests<T>(start: () => Promise<T>, stop: (started: T) => unknown): () => T {
  let started: T | undefined
  beforeAll(async () => {
    started = await start()
  }, START_MS)
  afterAll(async () => {
    if (started !== undefined) await stop(started)
  }, START_MS)
  return () => {
    if (started === undefined) throw new Error('It runs during tests alone.')
    return started
  }
}

/**
 * Chromium, `withWindows` as people have it. With `closesWindows`, a test leaves no window to the
 * next.
 */
export function testBrowser({ closesWindows = false, withWindows = false } = {}): () => Browser {
  const start = withWindows ? launchWithWindows : launch
  const browser = duringTests(start, (started) => started.close())
  if (closesWindows) {
    afterEach(async () => {
      for (const context of browser().contexts()) await context.close()
    })
  }
  return browser
}
