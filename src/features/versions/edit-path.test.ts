import { expect, test } from 'bun:test'
import { mapRange } from '../content/index.ts'
import { type EditEdge, findEditPath, invertSplices } from './edits.ts'

const edges: EditEdge[] = [
  { edit_no: 1, from_hash: 'a', to_hash: 'b' },
  { edit_no: 2, from_hash: 'b', to_hash: 'c' },
  { edit_no: 3, from_hash: 'c', to_hash: 'd' },
  { edit_no: 4, from_hash: 'b', to_hash: 'd' },
  { edit_no: 5, from_hash: 'x', to_hash: 'y' },
]

test.each<[string, string, string, string[] | null]>([
  ['nowhere, where nothing changed', 'a', 'a', []],
  ['through each edit', 'a', 'c', ['1', '2']],
  ['the shortest way', 'a', 'd', ['1', '4']],
  ['back through an edit that was undone', 'b', 'a', ['-1']],
  ['back and forth', 'c', 'd', ['3']],
  ['not across other writes', 'a', 'y', null],
  ['not from an unknown state', 'z', 'a', null],
])('the path of a file goes %s', (_, from, to, expected) => {
  const path = findEditPath(edges, { from, to })
  expect(path?.map(({ edit_no, isUndo }) => `${isUndo ? '-' : ''}${edit_no}`) ?? null).toEqual(
    expected,
  )
})

test('an inverted change takes a range back to where it was', () => {
  const splices = [
    { start: 0, end: 2, length: 5 },
    { start: 4, end: 4, length: 1 },
    { start: 9, end: 12, length: 0 },
  ]
  const range = { start: 5, end: 8 }
  const mapped = mapRange(range, splices)!
  expect(mapped).toEqual({ start: 9, end: 12 })
  expect(mapRange(mapped, invertSplices(splices))).toEqual(range)
})
