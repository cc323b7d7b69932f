import { describe, expect, test } from 'bun:test'
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'
import fc from 'fast-check'
import { processorMs } from '../../../testing/processor-time.ts'

describe('a character reference', () => {
  test.each([
    // As written, as text, as the value of an attribute.
    ['&amp;&lt;&gt;&quot;&apos;&#39;', `&<>"''`, `&<>"''`],
    ['&amp;lt;', '&lt;', '&lt;'],
    ['&eacute;&Eacute;&nbsp;&yuml;&thorn;', 'éÉ\u00a0ÿþ', 'éÉ\u00a0ÿþ'],
    ['&mdash;&hellip;&euro;&Sigma;', '—…€Σ', '—…€Σ'],
    ['&NotEqualTilde;&CounterClockwiseContourIntegral;', '≂\u0338∳', '≂\u0338∳'],
    ['&sol;&Tab;&NewLine;&colon;', '/\t\n:', '/\t\n:'],
    ['&copy 1', '© 1', '© 1'],
    ['?a&copy=1', '?a©=1', '?a&copy=1'],
    ['&notit;', '¬it;', '&notit;'],
    ['&mdash &unknown; &;', '&mdash &unknown; &;', '&mdash &unknown; &;'],
    ['&#65;&#x42;&#X43&#0000068', 'ABCD', 'ABCD'],
    [
      '&#128;&#0;&#xD800;&#x110000;&#99999999999;',
      '€\ufffd\ufffd\ufffd\ufffd',
      '€\ufffd\ufffd\ufffd\ufffd',
    ],
    ['&# &#x &#xg', '&# &#x &#xg', '&# &#x &#xg'],
  ])('%s', (written, text, value) => {
    expect(decodeHTML(written)).toBe(text)
    expect(decodeHTMLAttribute(written)).toBe(value)
  })

  test('is decoded by the steps of the HTML standard, in text and in attributes', () => {
    const documents = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 })
    fc.assert(
      fc.property(documents, (pieces) => {
        const written = pieces.join('')
        expect(decodeHTML(written)).toBe(decodeByStandard(written, false))
        expect(decodeHTMLAttribute(written)).toBe(decodeByStandard(written, true))
      }),
      { numRuns: 5000 },
    )
  })

  test.each(['&', '&#', '&#0', '&#x0', '&a', '&not', '&NotSquareSuperset', '&amp'])(
    'takes time in proportion to the text: %s',
    (start) => {
      for (const hostile of [start.repeat(200_000), start + '0'.repeat(2_000_000)]) {
        const took = processorMs(() => {
          decodeHTML(hostile)
          decodeHTMLAttribute(hostile)
        })
        expect(took).toBeLessThan(2000)
      }
    },
  )
})

/** Names of the standard's table. The pieces below make no other name of it. */
const NAMED = new Map([
  ['amp', '&'],
  ['amp;', '&'],
  ['not', '¬'],
  ['not;', '¬'],
  ['notin;', '∉'],
  ['copy', '©'],
  ['copy;', '©'],
  ['para', '¶'],
  ['para;', '¶'],
  ['parallel;', '∥'],
  ['sup;', '⊃'],
  ['sup1', '¹'],
  ['sup1;', '¹'],
  ['hellip;', '…'],
  ['NotEqualTilde;', '≂\u0338'],
])
const PIECES = [
  ...['&', '&&', '&#', '&#x', '&#X', ';', '=', 'Q', '0', '65', '1f600', 'é', ' ', '<', '😀'],
  ...['&amp', '&amp;', '&not', '&notin;', '&notin', '&copy', '&para', 'llel;', '&parallel'],
  ...['&sup1', '&sup', '&hellip', '&hellip;', '&NotEqualTilde;', '&NotEqualTilde', '&unknown;'],
  ...['&#128;', '&#0', '&#xd800;', '&#x10ffff;', '&#x110000', '&#99999999999'],
]

/** https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state, step by step. */
function decodeByStandard(text: string, isAttribute: boolean): string {
  let out = ''
  let at = 0
  while (at < text.length) {
    const [decoded, length] = referenceAt(text, at, isAttribute) ?? [text[at]!, 1]
    out += decoded
    at += length
  }
  return out
}

function referenceAt(text: string, at: number, isAttribute: boolean): [string, number] | null {
  const rest = text.slice(at)
  const numeric = /^&#(?:x([0-9a-f]+)|([0-9]+));?/i.exec(rest)
  if (numeric !== null) {
    const [all, hex, decimal] = numeric
    const code = hex === undefined ? Number.parseInt(decimal!, 10) : Number.parseInt(hex, 16)
    return [characterOf(code), all.length]
  }
  if (rest[0] !== '&') return null
  const longest = [...NAMED.keys()]
    .filter((name) => rest.startsWith(name, 1))
    .sort((a, b) => b.length - a.length)[0]
  if (longest === undefined) return null
  const next = rest[1 + longest.length] ?? ''
  if (isAttribute && !longest.endsWith(';') && /[=a-z0-9]/i.test(next)) return null
  return [NAMED.get(longest)!, 1 + longest.length]
}

function characterOf(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd'
  if (code < 0x80 || code > 0x9f) return String.fromCodePoint(code)
  return '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'[code - 0x80]!
}
