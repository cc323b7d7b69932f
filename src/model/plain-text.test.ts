import { expect, test } from 'bun:test'
import { processorMs } from '../testing/processor-time.ts'
import { charactersIn, plainLine, plainText } from './plain-text.ts'

const FLAG_OF_SCOTLAND = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'
const FAMILY = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'

test('text that people write stays as it was typed', () => {
  for (const text of [
    'Hello, world!',
    'a\tb\n\n  c',
    '<script>alert(1)</script> & "quotes"',
    'שלום \u200fעולם\u200f',
    'می\u200cخواهم',
    'Việt Nam, tiếng Việt',
    'בְּרֵאשִׁ֖ית',
    FLAG_OF_SCOTLAND,
    FAMILY,
    '\u2764\ufe0f',
  ]) {
    expect(plainText(text)).toBe(text.normalize('NFC'))
  }
})

test('what hides, displaces or stacks is removed', () => {
  const cases: [typed: string, shown: string][] = [
    ['a\u0000b\u0007c\u001bd\u0085', 'abcd'],
    ['a\r\nb\rc\u2028d\u2029e', 'a\nb\nc\nd\ne'],
    ['user\u202egpj.exe', 'usergpj.exe'],
    ['\u2066a\u2069 \u202ab\u202c', 'a b'],
    ['a   \n\t\nb', 'a\n\nb'],
    [`a${'\n'.repeat(50)}b`, 'a\n\nb'],
    [`x${'\u0336'.repeat(100)}y`, `x${'\u0336'.repeat(5)}y`],
    [`a\u{e0041}\u{e0042}b`, 'ab'],
    [`a${'\ufe00'.repeat(9)}b`, 'a\ufe00b'],
    [`a${'\u200b'.repeat(9)}b`, 'a\u200b\u200bb'],
    ['\ud800lone', '\ufffdlone'],
    ['\ufeff bom ', 'bom'],
    ['  one  line ', 'one  line'],
    ['   ', ''],
  ]
  for (const [typed, shown] of cases) expect(plainText(typed)).toBe(shown)
})

test('text without anything to see is empty', () => {
  for (const text of ['', ' \n\t', '\u200b\u2060', '\u202e\u202c', '\u0301\u0302', '\u00ad']) {
    expect(plainText(text)).toBe('')
  }
})

test('a line has no breaks', () => {
  expect(plainLine(' a\n\n b\tc ')).toBe('a b c')
  expect(charactersIn('a\u{1f600}')).toBe(2)
})

test('a megabyte of anything takes linear time', () => {
  for (const unit of [' ', '\n', ' \n', '\u0336', '\u200b', '\ufe00', '\u{e0041}', '\u{1f3f4}']) {
    const took = processorMs(() => plainText(`a${unit.repeat(1024 * 1024)}b`))
    expect(took, JSON.stringify(unit)).toBeLessThan(2000)
  }
})
