import { afterEach, setDefaultTimeout, test } from 'bun:test'
import { ADDRESSES } from './isolation-addresses.suite.ts'
import { APART } from './isolation-apart.suite.ts'
import { FILES } from './isolation-files.suite.ts'
import { LIMITED } from './isolation-limited.suite.ts'
import { MENDED } from './isolation-mended.suite.ts'
import type { Promised, Visited, Visitor } from './isolation-visitor.ts'
import { WHOLE } from './isolation-whole.suite.ts'
import { WINDOW } from './isolation-window.suite.ts'

const PROMISES: Promised = {
  ...{ ...ADDRESSES, ...APART, ...FILES },
  ...{ ...LIMITED, ...MENDED, ...WHOLE, ...WINDOW },
}

/** What Chromium does otherwise where it has no windows, which take four times as long to open. */
export const WITH_WINDOWS = [
  'going back leads to where the script came from',
  'a page may copy and stay awake, and gets nothing that browsers grant to this host',
]
export const WITHOUT_WINDOWS = Object.keys(PROMISES).filter((name) => !WITH_WINDOWS.includes(name))

/** The isolation tests of one browser. */
export function isolationSuite(
  browser: () => Visited,
  names: readonly string[] = Object.keys(PROMISES),
): void {
  setDefaultTimeout(240_000)
  const visitors: Visitor[] = []
  afterEach(async () => {
    for (const visitor of visitors.splice(0)) await visitor.leave()
  })

  async function meet(): Promise<Visitor> {
    const visitor = await browser().newVisitor()
    visitors.push(visitor)
    return visitor
  }
  for (const name of names) test(name, () => PROMISES[name]!(meet))
}
