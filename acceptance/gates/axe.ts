/** Checks accessibility with axe. Import it from *.browser.test.ts alone. */
import { readFileSync } from 'node:fs'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Frame, Page as Tab } from 'playwright-core'

const WIDTHS = [390, 1440]
const LOAD_TRIES = 20
const COLOURS = ['color-contrast', 'link-in-text-block']

interface WithAxe {
  axe: { run(options: RunOptions): Promise<AxeResults> }
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

/** Minified: its full source takes a browser twice as long to compile, in each frame. */
const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** axe for one frame. It skips frames of another origin, such as the shell's, unless told not to. */
const AXE = `${SOURCE};axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`

/**
 * Loads axe into the frame, unless it is there. A frame that is being written has a new document a
 * moment later.
 */
async function loadInto(frame: Frame): Promise<void> {
  for (let tries = 1; !frame.isDetached(); tries++) {
    try {
      if (!(await frame.evaluate(`'axe' in window`))) await frame.evaluate(AXE)
      return
    } catch (error) {
      if (tries === LOAD_TRIES) throw error
      await frame.page().waitForTimeout(100)
    }
  }
}

/** Ends transitions of colours: axe would read a colour on its way. */
const SETTLE = `for (const animation of document.getAnimations())
  if (Number.isFinite(animation.effect.getComputedTiming().endTime)) animation.finish()`

async function emulate(tab: Tab, colorScheme: 'light' | 'dark'): Promise<void> {
  await tab.emulateMedia({ colorScheme })
  // A frame that is gone meanwhile has none.
  for (const frame of tab.frames()) await frame.evaluate(SETTLE).catch(() => {})
}

/** The violations at narrow and wide sizes, in light and dark colours. */
export async function violationsIn(tab: Tab): Promise<string[]> {
  for (const frame of tab.frames()) await loadInto(frame)
  const results: string[] = []
  for (const width of WIDTHS) {
    await tab.setViewportSize({ width, height: 800 })
    await emulate(tab, 'light')
    results.push(...(await lookAt(tab, `${width} px, light`, {})))
    // Only colours differ in the dark scheme.
    await emulate(tab, 'dark')
    results.push(...(await lookAt(tab, `${width} px, dark`, { runOnly: COLOURS })))
  }
  return results
}
