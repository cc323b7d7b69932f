/** Opens the dashboard in Chromium as an owner. Import it from *.browser.test.ts alone. */
import { expect } from 'bun:test'
import type { Browser, Page as Tab } from 'playwright-core'
import { becomes, problemsOf, TIMEOUT_MS } from '../browser.ts'
import { violationsIn } from '../gates/axe.ts'
import { type MailedOwner, newOwner, signedIn } from '../gates/setup.ts'
import { command, ownServer, type Plan, server } from '../server.ts'

export interface Dashboard {
  owner: MailedOwner
  tab: Tab
  /** Errors of the page and its console, which a test expects to be none. */
  problems: string[]
  /** Opens an address below `/app` and waits for its heading and its script. */
  open(path: string): Promise<void>
  /** Expects that axe finds nothing at 390 and 1440 px, in light and dark. */
  expectAccessible(): Promise<void>
}

/** Whether the script has taken the document over: keys work from then on. */
export function isTakenOver(tab: Tab): Promise<boolean> {
  return tab.evaluate(() => !('earlyActions' in window))
}

/** Signs a new owner in. The tab has no CSP only where `bypassCSP` is set, for axe. */
export async function openDashboard(
  browser: Browser,
  {
    plan = 'pro',
    bypassCSP = false,
    isOperator = false,
  }: { plan?: Plan; bypassCSP?: boolean; isOperator?: boolean } = {},
): Promise<Dashboard> {
  const owner = await newOwner(undefined, plan)
  if (isOperator) {
    const { code, stderr } = await command(ownServer().env, 'account', 'operator', owner.email)
    if (code !== 0) throw new Error(stderr)
  }
  const who = await signedIn(owner.email)
  const context = await browser.newContext({
    bypassCSP,
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 800 },
  })
  const { hostname: domain } = new URL(server.url)
  await context.addCookies(
    [...who.jar.values()].map(({ name, value, path }) => ({ name, value, path, domain })),
  )
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const tab = await context.newPage()
  tab.setDefaultTimeout(TIMEOUT_MS)
  const problems = problemsOf(tab)
  return {
    owner,
    tab,
    problems,
    async open(path) {
      await tab.goto(server.url + path)
      await tab.getByRole('heading', { level: 1 }).waitFor()
      await becomes(() => isTakenOver(tab), true)
    },
    async expectAccessible() {
      expect(await violationsIn(tab)).toEqual([])
    },
  }
}
