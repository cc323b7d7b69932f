import { expect, test } from 'bun:test'
import { extendTo, keep, NOTHING, toggle } from './selection.ts'

const ORDER = ['a', 'b', 'c', 'd']
const idsOf = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].sort().join('')

test('a row is chosen and not chosen in turn', () => {
  const one = toggle(NOTHING, 'b')
  expect(idsOf(one)).toBe('b')
  expect(idsOf(toggle(one, 'b'))).toBe('')
  expect(NOTHING.ids.size).toBe(0)
})

test('Shift chooses all rows up to the anchor, in both directions', () => {
  expect(idsOf(extendTo(toggle(NOTHING, 'b'), 'd', ORDER))).toBe('bcd')
  expect(idsOf(extendTo(toggle(NOTHING, 'c'), 'a', ORDER))).toBe('abc')
  const again = extendTo(extendTo(toggle(NOTHING, 'b'), 'c', ORDER), 'a', ORDER)
  expect(idsOf(again)).toBe('abc')
})

test('Shift without an anchor in the list chooses the row alone', () => {
  expect(idsOf(extendTo(NOTHING, 'c', ORDER))).toBe('c')
  expect(idsOf(extendTo(toggle(NOTHING, 'gone'), 'c', ORDER))).toBe('cgone')
})

test('rows that are shown no longer are not chosen any more', () => {
  const two = toggle(toggle(NOTHING, 'a'), 'd')
  expect(idsOf(keep(two, ['a', 'b']))).toBe('a')
  expect(keep(two, ORDER)).toBe(two)
})
