import { expect, test } from 'bun:test'
import { circlesIn } from './circles.ts'

test('circles are found however long they are, and wherever one enters them', () => {
  const graph = new Map([
    ['entry', ['b', 'leaf']],
    ['a', ['b']],
    ['b', ['c', 'leaf']],
    ['c', ['a']],
    ['leaf', []],
    ['x', ['y', 'a']],
    ['y', ['x']],
  ])
  expect(circlesIn(graph)).toEqual([
    ['a', 'b', 'c'],
    ['x', 'y'],
  ])
})

test('what imports another way round has no circle', () => {
  const diamond = new Map([
    ['top', ['left', 'right']],
    ['left', ['bottom']],
    ['right', ['left', 'bottom']],
    ['bottom', []],
  ])
  expect(circlesIn(diamond)).toEqual([])
})
