import { describe, expect, test } from 'bun:test'
import type { Cell } from './cell.ts'
import { combinations, DIMENSIONS, everyCell, nameOf, pairsOf, quarter } from './cells.ts'

const SELECTIONS: Record<string, Cell[]> = {
  'the whole matrix': everyCell(),
  ...Object.fromEntries(([0, 1, 2, 3] as const).map((at) => [`quarter ${at}`, quarter(at)])),
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

test('every combination of kind, delivery, gate and thing that exists is tested', () => {
  expect(everyCell()).toHaveLength(combinations().length)
  expect(combinations().length).toBeGreaterThan(280)
})

test('every extra meets every kind, delivery, gate and thing that it can be with', () => {
  const possible = new Set(combinations().flat().flatMap(pairsOf))
  const tested = new Set(everyCell().flatMap(pairsOf))
  expect([...possible].filter((pair) => !tested.has(pair))).toEqual([])
})

test('the quarters are the whole', () => {
  const all = ([0, 1, 2, 3] as const).flatMap(quarter).map(nameOf)
  expect(all.sort()).toEqual(everyCell().map(nameOf).sort())
})

test.each([
  'a form is on a PDF: PDF, viewer, open, form, nothing more',
  'direct where something needs the shell: single, direct, open, comments, nothing more',
  'direct where the owner has the bar: single, direct, private, form, nothing more',
  'a gated deck without the shell: deck, direct, password, form, nothing more',
  'a shell that nothing needs: single, shell, open, form, nothing more',
])('what cannot be is no cell: %s', (words) => {
  const names = combinations().flat().map(nameOf)
  expect(names).not.toContain(words.slice(words.indexOf(': ') + 2))
})
