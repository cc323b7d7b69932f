/** The browser of a file of tests. Import it from *.browser.test.ts and their helpers alone. */
import { afterAll, afterEach, beforeAll, beforeEach, setDefaultTimeout } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launch, launchWithWindows } from './browser.ts'
import { guard } from './guardian.ts'

/** Long, for tests on a slow or busy computer. */
const LIMIT_MS = 240_000

/** Starts something before the tests of the file, and stops it after them. Tests call the result. */
export function duringTests<T>(start: () => Promise<T>, stop: (started: T) => unknown): () => T {
  let started: T | undefined
  beforeAll(async () => {
    started = await start()
  }, LIMIT_MS)
  afterAll(async () => {
    if (started !== undefined) await stop(started)
  }, LIMIT_MS)
  return () => {
    if (started === undefined) throw new Error('It runs during tests alone.')
    return started
  }
}

/**
 * Starts a browser that ends with this process, as its pipe closes then. Its profile is in a folder
 * that is removed after that.
 */
async function startGuarded(start: () => Promise<Browser>): Promise<Browser> {
  const { TMPDIR } = process.env
  const folder = mkdtempSync(join(tmpdir(), 'handbill-browser-'))
  guard([], folder)
  process.env.TMPDIR = folder
  try {
    return await start()
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
}

const chromium = () => startGuarded(launch)
const chromiumWithWindows = () => startGuarded(launchWithWindows)

/**
 * Chromium, `withWindows` as people have it. A file leaves no window to the next; with
 * `closesWindows`, neither does a test.
 */
export function testBrowser({ closesWindows = false, withWindows = false } = {}): () => Browser {
  return sharedBrowser(withWindows ? chromiumWithWindows : chromium, closesWindows)
}

interface Shared {
  isConnected(): boolean
  contexts(): { close(): Promise<void> }[]
}

/** The browsers that run in this process, by what starts them. */
const running = new Map<() => Promise<Shared>, Shared>()

/** A browser that all files of this process share, since starting one takes seconds. */
export function sharedBrowser<B extends Shared>(
  start: () => Promise<B>,
  closesWindows = false,
): () => B {
  // Bun ends the children of a test that takes too long: the next one needs another browser.
  async function run(): Promise<void> {
    if (!running.get(start)?.isConnected()) running.set(start, await start())
  }
  async function closeWindows(): Promise<void> {
    for (const context of running.get(start)?.contexts() ?? []) await context.close()
  }
  setDefaultTimeout(LIMIT_MS)
  beforeAll(run, LIMIT_MS)
  beforeEach(run, LIMIT_MS)
  if (closesWindows) afterEach(closeWindows, LIMIT_MS)
  afterAll(closeWindows, LIMIT_MS)
  return () => {
    const browser = running.get(start)
    if (browser === undefined) throw new Error('It runs during tests alone.')
    return browser as B
  }
}
