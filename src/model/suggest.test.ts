import { expect, test } from 'bun:test'
import { closestName } from './input.ts'

const NAMES = ['publish', 'unpublish', 'update', 'edit', 'list', 'max-views', 'expires-at']

test.each([
  ['pubish', 'publish'],
  ['publihs', 'publish'],
  ['lsit', 'list'],
  ['LIST', 'list'],
  ['max_views', 'max-views'],
  ['expires-in', 'expires-at'],
  ['edti', 'edit'],
  ['nonsense', null],
  ['x', null],
  ['', null],
  ['a'.repeat(100_000), null],
])('%s means %s', (typed, meant) => expect(closestName(typed, NAMES)).toBe(meant))
