import { expect, test } from 'bun:test'
import { processorMs } from '../../../testing/processor-time.ts'
import { findPassages } from './find-passages.ts'
import { findText } from './find-text.ts'

const find = (html: string, text: string) =>
  findText({ bytes: Buffer.from(html), find: text, most: 2 })

test('a text is found with a hundred characters on each side, whole ones', () => {
  const [before, after] = ['😀é'.repeat(50), '漢'.repeat(150)]
  expect(find(`x\n${before}here${after}\nhere here`, 'here')).toEqual({
    count: 3,
    places: [
      { line: 2, text: `${before.slice(-100)}here${'漢'.repeat(100)}`.toWellFormed() },
      { line: 3, text: `${'漢'.repeat(99)}\nhere here` },
    ],
  })
})

const half = 'a'.repeat(499)
/** It begins at each place of a run of its letter, and differs in its middle. */
const QUOTE = `${half}b${half}`
const RUN = 'a'.repeat(4_000_000)

test('a text that nearly is in many places is found in linear time', () => {
  const bytes = Buffer.from(RUN + QUOTE)
  const passage = { quote: QUOTE, prefix: 'a'.repeat(80), suffix: '' }
  const queries = [{ passage, ranges: [], elsewhere: 'as-written' as const }]
  const spent = processorMs(() => {
    expect(findText({ bytes, find: QUOTE, most: 9 }).count).toBe(1)
    expect(findPassages({ bytes, queries })).toMatchObject([{ start: RUN.length }])
  })
  expect(spent).toBeLessThan(1500)
})
