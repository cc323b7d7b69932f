/** Kills the counting of views between any two of its steps, again and again, and counts after. */
import { expect, test } from 'bun:test'
import type { Database } from '../../platform/db/index.ts'
import type { AbandonedFile, SlotFile, SlotFiles } from '../../platform/mapped-files.ts'
import { HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { fc, runs } from '../../testing/property.ts'
import { createViews, type Views } from './views.ts'

const RUNS = 60
const PAGES = 2

type Act = { view: number } | { flush: true } | { hour: true } | { stop: true }
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ view: fc.nat(PAGES - 1) }) },
  { weight: 2, arbitrary: fc.constant({ flush: true as const }) },
  { weight: 1, arbitrary: fc.constant({ hour: true as const }) },
  { weight: 1, arbitrary: fc.constant({ stop: true as const }) },
)

/** A process that ends at the nth step that it does outside of its memory. */
function mortal(app: TestApp, steps: number) {
  let left = steps
  const held = new Set<{ release(): void }>()
  function step<T>(act: () => T): T {
    die(0)
    const result = act()
    die(1)
    return result
  }
  /** Before an act, or after it. Nothing happens in a process that has ended. */
  function die(cost: number): void {
    left -= cost
    if (left > 0) return
    // As the operating system does it for a killed process.
    for (const file of held) file.release()
    held.clear()
    throw new Error('killed')
  }
  const database: Database = {
    ...app.database,
    async write(work, durability) {
      die(1)
      const result = await app.database.write(work, durability)
      die(1)
      return result
    },
  }
  const slotFiles: SlotFiles = {
    create() {
      const file = step(() => {
        const made = app.slotFiles.create()
        held.add(made)
        return made
      })
      return wrapped(file)
    },
    takeAbandoned() {
      const files = step(() => {
        const taken = app.slotFiles.takeAbandoned()
        for (const file of taken) held.add(file)
        return taken
      })
      return files.map(wrapped)
    },
  }
  function wrapped<T extends SlotFile | AbandonedFile>(file: T): T {
    const calls = Object.entries(file).map(([name, value]) => {
      if (typeof value !== 'function') return [name, value]
      return [
        name,
        (...args: unknown[]) => {
          const result = step(() => value(...args))
          if (name === 'remove' || name === 'release') held.delete(file)
          return result
        },
      ]
    })
    return Object.fromEntries(calls) as T
  }
  return {
    views: createViews({ ...app, database, slotFiles, recordEvent: async () => {} }),
    isDead: () => left <= 0,
    kill() {
      left = 0
      try {
        die(0)
      } catch {}
    },
  }
}

/** How many views each page has in each hour: at least those counted, at most those begun. */
class Expected {
  readonly counted = new Map<string, number>()
  readonly begun = new Map<string, number>()
  add(to: Map<string, number>, pageId: string, hour: number): void {
    const key = `${pageId} ${hour}`
    to.set(key, (to.get(key) ?? 0) + 1)
  }
}

async function view(views: Views, pageId: string): Promise<boolean> {
  try {
    return await views.count(pageId, { limited: false, notify: false })
  } catch {
    return false
  }
}

async function act(app: TestApp, views: Views, what: Exclude<Act, { view: number }>) {
  if ('hour' in what) app.advance(HOUR_MS)
  else if ('flush' in what) await views.flush()
  else await views.close().catch(() => {})
}

test('each view is in the database once, in its hour, wherever the process was killed', async () => {
  await using app = await testApp('sqlite')
  const owner = await app.owner()
  const lives = fc.array(
    fc.record({
      steps: fc.integer({ min: 1, max: 60 }),
      acts: fc.array(anyAct, { maxLength: 25 }),
    }),
    { minLength: 1, maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(lives, async (values) => {
      const pages: string[] = []
      while (pages.length < PAGES) pages.push((await owner.publish('<p>x')).id)
      const expected = new Expected()
      for (const { steps, acts } of values) {
        const life = mortal(app, steps)
        await life.views.addAbandoned().catch(() => {})
        for (const what of acts) {
          if (life.isDead()) break
          if (!('view' in what)) await act(app, life.views, what)
          else {
            const hour = Math.floor(app.clock.ms() / HOUR_MS)
            const pageId = pages[what.view]!
            expected.add(expected.begun, pageId, hour)
            const isCounted = await view(life.views, pageId)
            if (isCounted) expected.add(expected.counted, pageId, hour)
          }
          if ('stop' in what) break
        }
        life.kill()
      }
      // A last process finds what the others left, and finds nothing the second time.
      await app.views.addAbandoned()
      await app.views.addAbandoned()
      const hours = (await app.rows('view_hours')).filter(({ page_id: id }) => pages.includes(id))
      const result = new Map(hours.map((row) => [`${row.page_id} ${row.hour}`, row.views]))
      for (const [key, count] of result) {
        expect(count).toBeLessThanOrEqual(expected.begun.get(key) ?? 0)
      }
      for (const [key, count] of expected.counted) {
        expect(result.get(key) ?? 0).toBeGreaterThanOrEqual(count)
      }
      for (const row of await app.rows('view_counters')) {
        const ofPage = hours.filter(({ page_id: id }) => id === row.page_id)
        if (!pages.includes(row.page_id)) continue
        expect(ofPage.reduce((sum, hour) => sum + hour.views, 0)).toBe(row.views)
      }
      expect(app.slotFiles.takeAbandoned()).toEqual([])
    }),
    runs(RUNS),
  )
})
