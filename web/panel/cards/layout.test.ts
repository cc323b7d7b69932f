import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { arrange, type Card } from './layout.ts'

const gap = 12
const card = (id: string, wanted: number, height = 100): Card => ({ id, wanted, height })
const topsOf = (cards: readonly Card[], active: string | null = null) =>
  Object.fromEntries(arrange(cards, { active, gap }))

describe('cards in a column', () => {
  test('are beside their passages where there is room', () => {
    expect(topsOf([card('b', 500), card('a', -40), card('c', 9000)])).toEqual({
      a: -40,
      b: 500,
      c: 9000,
    })
    expect(topsOf([])).toEqual({})
  })

  test('make way downwards, in the order of their passages', () => {
    const cards = [card('b', 20, 50), card('a', 0), card('c', 30), card('d', 800)]
    expect(topsOf(cards)).toEqual({ a: 0, b: 112, c: 174, d: 800 })
  })

  test('make way on both sides of the active one, which is exactly beside its passage', () => {
    const cards = [card('a', 0), card('b', 20, 50), card('c', 30), card('d', 40)]
    expect(topsOf(cards, 'c')).toEqual({ a: -144, b: -32, c: 30, d: 142 })
    expect(topsOf(cards, 'of another page')).toEqual(topsOf(cards))
  })

  test('of the same passage stay in the order in which they were written', () => {
    expect(Object.keys(topsOf([card('a', 5), card('b', 5), card('c', 5)], 'c'))).toEqual([
      'a',
      'b',
      'c',
    ])
  })

  test('never overlap, whatever is wanted', () => {
    const cards = fc.array(
      fc.record({
        wanted: fc.integer({ min: -1_000_000, max: 1_000_000 }),
        height: fc.integer({ min: 1, max: 3000 }),
      }),
      { minLength: 1, maxLength: 40 },
    )
    fc.assert(
      fc.property(cards, fc.nat(), (shapes, seed) => {
        const all = shapes.map((shape, at) => ({ ...shape, id: String(at) }))
        const active = all[seed % all.length]!
        const tops = arrange(all, { active: active.id, gap })
        expect(tops.get(active.id)).toBe(active.wanted)
        const placed = [...tops].map(([id, top]) => ({ top, ...all[Number(id)]! }))
        for (const [at, { top, wanted }] of placed.entries()) {
          const before = placed[at - 1]
          if (before === undefined) continue
          expect(before.wanted).toBeLessThanOrEqual(wanted)
          expect(before.top + before.height + gap).toBeLessThanOrEqual(top)
        }
      }),
    )
  })
})
