import { describe, expect, test } from 'bun:test'
import type { Cell } from './cell.ts'
import { CHOSEN, combinations, DIMENSIONS, half, meetingsIn, nameOf } from './cells.ts'

const SELECTIONS: Record<string, readonly Cell[]> = {
  'the chosen cells': CHOSEN,
  'half 0': half(0),
  'half 1': half(1),
}

describe.each(Object.entries(SELECTIONS))('%s', (_, cells) => {
  test.each(Object.entries(DIMENSIONS))('has every %s', (dimension, values) => {
    const names = new Set(cells.map((cell) => cell[dimension as keyof Cell].name))
    expect([...names].sort()).toEqual(values.map(({ name }) => name).sort())
  })

  test('has each cell once', () => {
    const names = cells.map(nameOf)
    expect(new Set(names).size).toBe(names.length)
  })
})

test('every two values that can be together are, and every gate is before every kind', () => {
  const possible = new Set(combinations().flatMap(meetingsIn))
  const tested = new Set(CHOSEN.flatMap(meetingsIn))
  expect([...possible].filter((meeting) => !tested.has(meeting))).toEqual([])
})

test('the halves are the whole', () => {
  const all = ([0, 1] as const).flatMap(half).map(nameOf)
  expect(all.sort()).toEqual(CHOSEN.map(nameOf).sort())
})

test.each([
  'a form is on a PDF: PDF, viewer, open, form, nothing more',
  'direct where something needs the shell: single, direct, open, comments, nothing more',
  'direct where the owner has the bar: single, direct, private, form, nothing more',
  'a gated deck without the shell: deck, direct, password, form, nothing more',
  'a shell that nothing needs: single, shell, open, form, nothing more',
])('what cannot be is no cell: %s', (words) => {
  const names = combinations().map(nameOf)
  expect(names).not.toContain(words.slice(words.indexOf(': ') + 2))
})
