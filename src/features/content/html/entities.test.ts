import { describe, expect, test } from 'bun:test'
import { decodeEntities, escapeAttribute } from './entities.ts'

describe('a character reference', () => {
  test.each([
    // As written, as text, as the value of an attribute.
    ['&amp;&lt;&gt;&quot;&apos;&#39;', `&<>"''`, `&<>"''`],
    ['&amp;lt;', '&lt;', '&lt;'],
    ['&eacute;&Eacute;&nbsp;&yuml;&thorn;', 'éÉ\u00a0ÿþ', 'éÉ\u00a0ÿþ'],
    ['&mdash;&hellip;&euro;&Sigma;', '—…€Σ', '—…€Σ'],
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
    expect(decodeEntities(written, 'text')).toBe(text)
    expect(decodeEntities(written, 'attribute')).toBe(value)
  })

  test('is what an escaped value is read back from', () => {
    const value = `a "b" 'c' <d> &amp; \`e\`=f\n\tg`
    expect(escapeAttribute(value)).not.toMatch(/["'<>`\n\t]/)
    expect(decodeEntities(escapeAttribute(value), 'attribute')).toBe(value)
  })
})
