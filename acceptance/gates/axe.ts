/** Checks accessibility with axe. Import it from *.browser.test.ts alone. */
import { type AxeResults, source as axe_source, type RunOptions, type Spec } from 'axe-core'
import type { Page as Tab } from 'playwright-core'

const WIDTHS = [390, 1440]
const COLOURS = ['color-contrast', 'link-in-text-block']

interface WithAxe {
  axe: { run(options: RunOptions): Promise<AxeResults>; configure(spec: Spec): void }
}

/** Runs axe in the tab and its frames. @returns the violations and where they are */
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

/** The violations at narrow and wide sizes, in light and dark colours. */
export async function violationsIn(tab: Tab): Promise<string[]> {
  for (const frame of tab.frames()) {
    // A frame that is being written has a new document a moment later.
    await frame.evaluate(axe_source).catch(() => frame.evaluate(axe_source))
    // axe skips frames of another origin, such as the shell's, unless this is set.
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
    // Only colours differ in the dark scheme.
    await tab.emulateMedia({ colorScheme: 'dark' })
    found.push(...(await lookAt(tab, `${width} px, dark`, { runOnly: COLOURS })))
  }
  return found
}
