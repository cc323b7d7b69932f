import { expect, test } from 'bun:test'
import { filledOptions, moveRow, problemOf } from './option-rows.tsx'

const CASES: [rows: string[], problem: string | null][] = [
  [['Blue', 'Green'], null],
  [['Blue', '', ' Green ', ''], null],
  [['Blue', ''], 'A poll has at least 2 options.'],
  [[], 'A poll has at least 2 options.'],
  [['Blue', 'Green', ' Blue'], '“Blue” is there twice.'],
  // One letter, written in two ways.
  [['caf\u00e9', 'cafe\u0301'], '“café” is there twice.'],
  [['Blue', 'x'.repeat(201)], 'An option has at most 200 characters.'],
  [['Blue', '😀'.repeat(200)], null],
]

test.each(CASES)('the options %j', (rows, problem) => {
  expect(problemOf(rows)).toBe(problem)
})

test('empty rows are no options', () => {
  expect(filledOptions(['', ' Blue ', '  '])).toEqual(['Blue'])
})

test('an option moves up and down', () => {
  expect(moveRow(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moveRow(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
})
