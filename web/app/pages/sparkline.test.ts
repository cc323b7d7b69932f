import { expect, test } from 'bun:test'
import { pointsOf } from './row.tsx'

test('a line of days without a view lies at the bottom, and the best day reaches the top', () => {
  expect(pointsOf([0, 0])).toBe('1.5,16.5 54.5,16.5')
  expect(pointsOf([0, 2, 4])).toBe('1.5,16.5 28,9 54.5,1.5')
})

test('one day, or none, is no division by zero', () => {
  expect(pointsOf([3])).toBe('1.5,1.5')
  expect(pointsOf([])).toBe('')
})
