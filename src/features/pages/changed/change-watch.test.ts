import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { createChangeWatch, isGap } from './change-watch.ts'
import * as store from './store.ts'

const MINUTE_MS = 60_000

let app: TestApp
let changed: string[]
let losses: number
let misses: number
let reads: { begun: number; ended: number }
let watch: ReturnType<typeof createChangeWatch>
beforeEach(async () => {
  app = await testApp('postgres')
  reads = { begun: 0, ended: 0 }
  const { read } = app.database
  const counted: typeof read = Object.create(read)
  counted.executeQuery = (query) => {
    reads.begun += 1
    return read.executeQuery(query).finally(() => {
      reads.ended += 1
    })
  }
  changed = []
  losses = 0
  misses = 0
  watch = createChangeWatch({
    database: { ...app.database, read: counted },
    everyMs: 10,
    onChanged: (slug) => changed.push(slug),
    onLost: () => {
      losses += 1
    },
    onMissed: () => {
      misses += 1
    },
  })
})
afterEach(() => app[Symbol.asyncDispose]())

const change = (slug: string) => app.database.write((tx) => store.insertChange(tx, [slug]))

/** Waits, and uses the watch meanwhile as a server does that serves pages. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await watch.catchUp()
    await Bun.sleep(2)
  }
}

describe('changes of pages by other nodes', () => {
  it('are found without a notification, and those before the first look are not asked for', async () => {
    await change('before')
    await watch.catchUp()
    expect([changed, losses]).toEqual([[], 1])
    await change('plan')
    await until(() => changed.length > 0)
    expect(new Set(changed)).toEqual(new Set(['plan']))
    expect(losses).toBe(1)
  })

  it('are missed where no notification follows, and not where one does', async () => {
    await watch.catchUp()
    watch.announced('plan')
    await change('plan')
    await until(() => changed.includes('plan'))
    await change('deck')
    await until(() => misses > 0)
    expect(changed).toContain('deck')
    watch.announced('deck')
    expect(misses).toBe(1)
  })

  it('are found where a transaction that began earlier commits later', async () => {
    await watch.catchUp()
    const begun = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const slow = app.database.write(async (tx) => {
      await store.insertChange(tx, ['early'])
      begun.resolve()
      await mayCommit.promise
    })
    await begun.promise
    await change('late')
    await until(() => changed.includes('late'))
    expect(changed).not.toContain('early')
    mayCommit.resolve()
    await slow
    await until(() => changed.includes('early'))
    expect(losses).toBe(1)
  })

  it('are not looked for while nobody asks, and found when somebody does', async () => {
    await watch.catchUp()
    let before: number
    // It looks once more, since somebody has asked, and then its timer ends.
    do {
      before = reads.begun
      await Bun.sleep(50)
    } while (reads.begun > before || reads.ended < reads.begun)
    await change('meanwhile')
    await Bun.sleep(50)
    expect([reads.begun, changed]).toEqual([before, []])
    expect(before).toBeGreaterThan(0)
    await watch.catchUp()
    expect(changed).toEqual(['meanwhile'])
  })

  it('may be missing where the process was stopped for longer than two checks', async () => {
    do await watch.catchUp()
    while (!watch.isCurrent())
    Bun.sleepSync(40)
    expect(watch.isCurrent()).toBe(false)
  })

  it('are deleted after some minutes', async () => {
    await change('old')
    const { nowMs } = await store.readChanges(app.database.read, 0)
    await app.database.write((tx) => store.deleteChanges(tx, [nowMs + 1]))
    await change('new')
    expect((await store.readChanges(app.database.read, 0)).slugs).toEqual(['new'])
  })
})

describe('changes may be missing', () => {
  const last = { next: 100, nowMs: 1_000_000_000 }
  const cases: [string, Parameters<typeof isGap>[0], Parameters<typeof isGap>[1], boolean][] = [
    ['at the first look', undefined, last, true],
    ['a second later', last, { next: 100, nowMs: last.nowMs + 1000 }, false],
    ['four minutes later', last, { next: 900, nowMs: last.nowMs + 4 * MINUTE_MS }, false],
    ['six minutes later', last, { next: 900, nowMs: last.nowMs + 6 * MINUTE_MS }, true],
    ['by a clock that was set back', last, { next: 101, nowMs: last.nowMs - 6 * MINUTE_MS }, true],
    ['on a server that took over', last, { next: 99, nowMs: last.nowMs + 1000 }, true],
  ]
  for (const [when, before, now, isSo] of cases) {
    it(`${when}: ${isSo}`, () => expect(isGap(before, now)).toBe(isSo))
  }
})
