import { heapStats } from 'bun:jsc'
import { expect, test } from 'bun:test'
import { findPassage, isDistinct } from '../../../model/passage.ts'
import { processorMs } from '../../../testing/processor-time.ts'
import { fc, runs } from '../../../testing/property.ts'
import { passageBytes, readPageText } from './page-text.ts'

function textOf(html: string): string {
  return Buffer.from(readPageText(Buffer.from(html)).text, 'latin1').toString()
}

test.each([
  ['words without white space', '<p>Hello,\n  big <b>wor</b>ld</p>', 'Hello,bigworld'],
  ['character references', 'a &amp; b &eacute;&#x1F600;&nbsp;&copy 1', 'a&bé😀©1'],
  ['an ampersand that is none', 'AT&T &; & &nosuch;', 'AT&T&;&&nosuch;'],
  ['characters of any length', 'é 漢字 𝒳\u00a0\u2003\u200b\ufeffx', 'é漢字𝒳x'],
  ['no scripts, styles and titles', '<title>T</title><style>s</style><script>j</script>x', 'x'],
  ['nothing in a template', 'a<template><p>no</p></template>b', 'ab'],
  ['text after a template', 'a<template><template>no</template>no</template>b', 'ab'],
  ['no comment', 'a<!-- no -->b', 'ab'],
  ['text of an SVG, and not its style', '<svg><style>no</style><text>yes</text></svg>', 'yes'],
  ['nothing from a field', '<textarea>no</textarea><select><option>no</select>yes', 'yes'],
])('the text of a page has %s', (_, html, text) => {
  expect(textOf(html)).toBe(text)
})

test('elements that are left open take time in proportion to the length', () => {
  const html = '<template>'.repeat(20_000) + '</b>'.repeat(50_000)
  expect(processorMs(() => textOf(html))).toBeLessThan(2500)
})

function find(html: string, quote: string, prefix = '', suffix = '') {
  const bytes = Buffer.from(html)
  const page = readPageText(bytes)
  const place = findPassage(page.text, passageBytes({ quote, prefix, suffix }), {
    mayStandAlone: isDistinct(quote),
    mayDiffer: false,
  })
  if (place === null) return null
  const { start, end } = page.bytesOf(place)
  return bytes.toString('utf8', start, end)
}

test.each<[string, string, string[], string | null]>([
  ['across inline markup', 'one <b>two</b> three', ['one two three'], 'one <b>two</b> three'],
  ['across lines and blocks', '<p>one</p>\n<p>two</p>', ['one two'], 'one</p>\n<p>two'],
  ['with a reference at its end', 'x fish &amp; chips', ['fish &'], 'fish &amp;'],
  ['by what stands before it', 'a yes b yes', ['yes', 'b '], 'yes'],
  ['by what stands after it', 'yes a yes b', ['yes', '', 'b'], 'yes'],
  ['but not twice', 'yes and yes', ['yes'], null],
  ['where its words stand once, in any surroundings', 'one yes two', ['one yes', 'x'], 'one yes'],
  ['but not in other surroundings', 'one yes two', ['yes', 'three'], null],
  ['but not in a script', '<script>yes</script>', ['yes'], null],
  ['but not where it is white space', 'a b', [' '], null],
])('a passage is found %s', (_, html, [quote, prefix, suffix], result) => {
  expect(find(html, quote!, prefix, suffix)).toBe(result)
})

test.each([
  ['<p>one</p><p>two</p> three', 'one two three'],
  ['wor<b>l</b>d &amp; <i>é</i>t\n\nc', 'world & ét c'],
  ['a<br>b<span class="x">c</span>', 'a bc'],
])('the words of %j are written %j', (html, written) => {
  const page = readPageText(Buffer.from(html))
  expect(page.written({ start: 0, end: page.text.length })).toBe(written)
})

test('words that are cut within a character lose it', () => {
  const page = readPageText(Buffer.from('é 漢'))
  expect(page.written({ start: 1, end: 4 })).toBe('')
})

const piece = fc.constantFrom(
  'a',
  'b ',
  '<b>',
  '</p>',
  '&amp;',
  '&eacute',
  'é',
  '𝒳',
  '\n',
  '<!--',
  '-->',
)

test('each part of the text goes to its bytes and back', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const page = readPageText(Buffer.from(pieces.join('')))
      for (let start = 0; start < page.text.length; start++) {
        for (let end = start + 1; end <= page.text.length; end++) {
          const place = page.placeOf(page.bytesOf({ start, end }))
          // A reference is one unit: all of its bytes or none.
          expect(place.start).toBeLessThanOrEqual(start)
          expect(place.end).toBeGreaterThanOrEqual(end)
        }
      }
    }),
    runs(200),
  )
})

test('references take no more memory than other text', () => {
  const objectBytes = () => {
    Bun.gc(true)
    const { heapSize, extraMemorySize } = heapStats()
    return heapSize - extraMemorySize
  }
  const before = objectBytes()
  const page = readPageText(Buffer.from('&amp;'.repeat(400_000)))
  const taken = objectBytes() - before
  expect(page.text).toHaveLength(400_000)
  expect(taken).toBeLessThan(5_000_000)
})

test('what begins no reference is read as fast as other text', () => {
  const bytes = Buffer.alloc(5_000_000, '&')
  const before = process.cpuUsage()
  expect(readPageText(bytes).text).toHaveLength(5_000_000)
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000)
})
