import { describe, expect, test } from 'bun:test'
import type { Cell } from './cell.ts'
import {
  browserMeetingsIn,
  CHOSEN,
  combinations,
  DIMENSIONS,
  IN_EACH_BROWSER,
  meetingsIn,
  nameOf,
} from './cells.ts'

const SELECTIONS: Record<string, readonly Cell[]> = {
  'the chosen cells': CHOSEN,
  'those in each browser': IN_EACH_BROWSER,
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

test('in each browser, every delivery is with each kind, gate and thing, and each thing is on every kind', () => {
  const possible = new Set(combinations().flatMap(browserMeetingsIn))
  const tested = new Set(IN_EACH_BROWSER.flatMap(browserMeetingsIn))
  expect([...possible].filter((meeting) => !tested.has(meeting))).toEqual([])
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
