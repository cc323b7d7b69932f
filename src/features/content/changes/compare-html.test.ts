import { expect, test } from 'bun:test'
import { processorMs } from '../../../testing/processor-time.ts'
import { compareHtml } from './compare-html.ts'

const bytesOf = (lines: readonly string[]) =>
  Buffer.from(lines.map((text) => `<p>${text}`).join(''))

function compare(before: readonly string[], after: readonly string[], maxLines = 400) {
  const [old, next] = [bytesOf(before), bytesOf(after)]
  const bytes = Buffer.concat([old, next])
  return compareHtml({ bytes, splitAt: old.byteLength, maxLines })
}
const visible = (...args: Parameters<typeof compare>) =>
  compare(...args)?.lines.map(({ kind, text }) => `${kind} ${text}`.trim())
const numbered = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `${word} ${at}`)

test('lines that changed are shown with two around them, and counted by passages', () => {
  const cases: [before: string, after: string, passages: number, lines: string][] = [
    ['a b c', 'a b c', 0, 'gap'],
    ['a', 'b', 1, 'removed a, added b'],
    ['', 'a', 1, 'added a'],
    ['a', '', 1, 'removed a'],
    [
      'a b c d e f g',
      'a b c x e f g',
      1,
      'gap, same b, same c, removed d, added x, same e, same f, gap',
    ],
    ['a b c', 'x b y', 2, 'removed a, added x, same b, removed c, added y'],
  ]
  for (const [before, after, passages, lines] of cases) {
    const [old, next] = [before, after].map((text) => text.split(' ').filter(Boolean)) as string[][]
    expect(compare(old!, next!)?.passages).toBe(passages)
    expect(visible(old!, next!)?.join(', ')).toBe(lines)
  }
})

test('a text that was rewritten is one passage, between what stayed at both ends', () => {
  const before = ['first', ...numbered(2000, 'old'), 'last']
  const after = ['first', ...numbered(3000, 'new'), 'last']
  const compared = compare(before, after)!
  expect([compared.passages, compared.isCut, compared.lines.length]).toEqual([1, true, 400])
  expect(visible(before, after, 3)).toEqual(['same first', 'removed old 0', 'removed old 1'])
  const all = visible(before, after, 100_000)!
  expect(all.slice(-2)).toEqual(['added new 2999', 'same last'])
})

test('is quick, however much the texts differ', () => {
  const [before, after] = [numbered(19_000, 'a'), numbered(19_000, 'b')]
  // The worst for a difference: every second line is the same, in another order.
  const mixed = before.map((line, at) => (at % 2 === 0 ? line : after[at]!)).toReversed()
  const spent = processorMs(() => {
    for (const other of [after, mixed]) expect(compare(before, other)?.passages).toBe(1)
  })
  expect(spent).toBeLessThan(1500)
})

test('more than 20,000 lines are not compared', () => {
  expect(compare(numbered(20_001, 'a'), ['a'])).toBeNull()
})
