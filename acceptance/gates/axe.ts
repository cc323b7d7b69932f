/** Whether a page keeps the rules of accessible pages, by axe. For *.browser.test.ts alone. */
import { type AxeResults, source as axe_source, type RunOptions, type Spec } from 'axe-core'
import type { Page as Tab } from 'playwright-core'

const WIDTHS = [390, 1440]
const COLOURS = ['color-contrast', 'link-in-text-block']

interface WithAxe {
  axe: { run(options: RunOptions): Promise<AxeResults>; configure(spec: Spec): void }
}

/** Runs axe over what the tab shows, frames too, and says what is wrong where. */
async function lookAt(tab: Tab, name: string, options: RunOptions): Promise<string[]> {
  const { violations } = await tab.evaluate(
    (options) => (globalThis as unknown as WithAxe).axe.run(options),
    { ...options, resultTypes: ['violations'] } satisfies RunOptions,
  )
  return violations.map(({ id, help, nodes }) => {
    const where = nodes.map(({ target }) => target.join(' ')).slice(0, 3)
    return `${id}, ${name}: ${help}: ${where.join(', ')}`
  })
}

/** What is wrong with what the tab shows, narrow and wide, light and dark. */
export async function violationsIn(tab: Tab): Promise<string[]> {
  for (const frame of tab.frames()) {
    await frame.evaluate(axe_source)
    // The frame of our shell has an origin of its own, which axe asks nothing unless it is told to.
    await frame.evaluate(() =>
      (globalThis as unknown as WithAxe).axe.configure({
        allowedOrigins: ['<unsafe_all_origins>'],
      }),
    )
  }
  const found: string[] = []
  for (const width of WIDTHS) {
    await tab.setViewportSize({ width, height: 800 })
    await tab.emulateMedia({ colorScheme: 'light' })
    found.push(...(await lookAt(tab, `${width} px, light`, {})))
    // Nothing but colours differs in the dark.
    await tab.emulateMedia({ colorScheme: 'dark' })
    found.push(...(await lookAt(tab, `${width} px, dark`, { runOnly: COLOURS })))
  }
  return found
}
