import { expect, test } from 'bun:test'
import { wordsOf } from './model.ts'

const SPOT = { x: 0.1, y: 0.2 }
const IMAGE = { tag: 'img', text: 'Map of the town', selector: 'img' }

test.each([
  ['words', { quote: ' at nine ', element: null }, 'at nine'],
  ['a sheet', { ...SPOT, sheet: 4, element: null }, 'A spot on page 4'],
  ['an image', { ...SPOT, element: null }, 'A spot on the image'],
  ['an element', { ...SPOT, element: IMAGE }, 'The image Map of the town'],
  ['an element without a name', { element: { ...IMAGE, tag: 'nav', text: '' } }, 'The nav'],
] as const)('a comment says what it is about: %s', (_, anchor, words) => {
  expect(wordsOf(anchor)).toBe(words)
})
