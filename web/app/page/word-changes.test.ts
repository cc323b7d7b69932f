import { expect, test } from 'bun:test'
import { wordChanges } from './word-changes.ts'

type Lines = Parameters<typeof wordChanges>[0]
const line = (kind: Lines[number]['kind'], text: string) => ({ kind, text }) as Lines[number]
/** Changed words in brackets. */
const marked = (lines: Lines) =>
  lines.map((each, at) => {
    const parts = wordChanges(lines).get(at)
    if (parts === undefined) return null
    expect(parts.map(({ text }) => text).join('')).toBe(each.text)
    return parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')
  })

test('a removed line and the added one in its place differ in their words', () => {
  expect(
    marked([
      line('same', 'Plan'),
      line('removed', 'We meet at nine on Friday.'),
      line('removed', 'Bring a pen.'),
      line('added', 'We meet at ten on Friday.'),
      line('added', 'Bring a red pen.'),
      line('gap', ''),
    ]),
  ).toEqual([
    null,
    'We meet at [nine] on Friday.',
    'Bring a pen.',
    'We meet at [ten] on Friday.',
    'Bring a [red ]pen.',
    null,
  ])
})

test('lines without a pair, with nothing in common or very long ones are whole', () => {
  const long = `${'word '.repeat(2000)}end`
  expect(
    marked([
      line('added', 'Only new'),
      line('same', 'x'),
      line('removed', 'Everything was different'),
      line('added', 'Nothing stayed alike here'),
      line('added', 'One more'),
      line('same', 'y'),
      line('removed', long),
      line('added', `${long} now`),
    ]),
  ).toEqual([null, null, null, null, null, null, null, null])
})
