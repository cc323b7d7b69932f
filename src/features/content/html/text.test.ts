import { expect, test } from 'bun:test'
import { decodeHTMLAttribute } from 'entities/decode'
import { escapeAttribute, oneLine } from './text.ts'

test('an escaped value is read back as it was', () => {
  const value = `a "b" 'c' <d> &amp; \`e\`=f\n\tg\r\n\u00a0`
  expect(escapeAttribute(value)).not.toMatch(/["'<>`\n\t\r\u00a0]/)
  expect(decodeHTMLAttribute(escapeAttribute(value))).toBe(value)
})

test.each([
  ['  two\n words\t', 20, 'two words'],
  ['cut here', 3, 'cut'],
  ['😀', 1, '\ufffd'],
  [' \n ', 20, null],
])('one line of %j, at most %i characters, is %j', (text, maxChars, expected) => {
  expect(oneLine(text, maxChars)).toBe(expected)
})
