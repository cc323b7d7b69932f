import { afterEach, setDefaultTimeout, test } from 'bun:test'
import { ADDRESSES } from './isolation-addresses.suite.ts'
import { APART } from './isolation-apart.suite.ts'
import { FILES } from './isolation-files.suite.ts'
import { LIMITED } from './isolation-limited.suite.ts'
import { MENDED } from './isolation-mended.suite.ts'
import type { Promised, Visited, Visitor } from './isolation-visitor.ts'
import { WHOLE } from './isolation-whole.suite.ts'
import { WINDOW } from './isolation-window.suite.ts'
import { duringTests } from './test-browser.ts'

/** The isolation tests of one browser. */
export function isolationSuite(launch: () => Promise<Visited>): void {
  setDefaultTimeout(60_000)
  const visitors: Visitor[] = []
  const browser = duringTests(launch, (started) => started.close())
  afterEach(async () => {
    for (const visitor of visitors.splice(0)) await visitor.leave()
  })

  async function meet(): Promise<Visitor> {
    const visitor = await browser().newVisitor()
    visitors.push(visitor)
    return visitor
  }
  const promises: Promised = {
    ...{ ...ADDRESSES, ...APART, ...FILES },
    ...{ ...LIMITED, ...MENDED, ...WHOLE, ...WINDOW },
  }
  for (const [name, holds] of Object.entries(promises)) test(name, () => holds(meet))
}
