import { describe, expect, test } from 'bun:test'
import { processorMs } from '../testing/processor-time.ts'
import { isModestJson } from './json-text.ts'

const isModest = (text: string) => isModestJson(Buffer.from(text))
const MEGABYTES = 4_000_000

describe('JSON of a request', () => {
  test.each([
    ['', true],
    ['{}', true],
    [`{"edits": [${'{"find": "a", "replace": "b"},'.repeat(199)}{}]}`, true],
    ['['.repeat(64) + ']'.repeat(64), true],
    ['['.repeat(65) + ']'.repeat(65), false],
    [`{"a":${'[],'.repeat(32_000)}`, false],
    [`{${'"k":1,'.repeat(32_001)}}`, false],
    // The content of a string does not count, nor do escaped quotes in it.
    [JSON.stringify({ html: '[{,"\\'.repeat(100_000) }), true],
    [`{"html": "${'[,'.repeat(100_000)}`, true],
    ['"\\', true],
  ])('%p is judged by its structure', (text, expected) => {
    expect(isModest(text)).toBe(expected)
  })

  test.each([
    ['text', `{"html":"${'x'.repeat(MEGABYTES)}"}`],
    ['escapes', `{"html":"${'\\"'.repeat(MEGABYTES / 2)}"}`],
    ['white space', ' '.repeat(MEGABYTES)],
    ['empty strings', '""'.repeat(MEGABYTES / 2)],
  ])('is judged in linear time: %s', (_name, text) => {
    const bytes = Buffer.from(text)
    const leastOf = (part: Uint8Array) =>
      Math.min(...Array.from({ length: 5 }, () => processorMs(() => isModestJson(part))))
    isModestJson(bytes)
    const quarter = leastOf(bytes.subarray(0, MEGABYTES / 4))
    const whole = leastOf(bytes)
    expect(whole).toBeLessThan(quarter * 12 + 5)
  })
})
