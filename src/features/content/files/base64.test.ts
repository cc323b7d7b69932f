import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Refusal } from '../../../model/errors.ts'
import { processorMs } from '../../../testing/processor-time.ts'
import { checkHtml, htmlFromBytes } from '../tasks.ts'
import { decodeBase64, decodeHtmlBase64 } from './base64.ts'

function refusal(act: () => unknown): Refusal {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('not refused')
}

describe('base64', () => {
  test('is decoded with or without padding and line breaks', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64')
        const lines = text.replace(/(.{5})/g, '$1\r\n')
        for (const input of [text, text.replaceAll('=', ''), lines]) {
          expect(Buffer.from(decodeBase64(input, 'x'))).toEqual(Buffer.from(bytes))
        }
      }),
    )
  })

  test.each([
    ['data:text/html;base64,PHA+', /file_base64 is a data: URI/],
    ['PHA-_w==', /not standard base64/],
    ['PH=A', /only at its end/],
    ['PHA===', /only at its end/],
    ['PHA', null],
    ['PHA+P', /not complete/],
    ['PHA=P', /only at its end/],
    ['P===', /only at its end/],
    ['PA=', /not complete/],
    ['<p>', /is not base64/],
    ['PHA+é', /is not base64/],
    ['PHA+\u00a0', /is not base64/],
    ['PHA+\0', /is not base64/],
  ])('%j', (text, message) => {
    if (message === null) expect(decodeBase64(text, 'file_base64')).toHaveLength(2)
    else {
      const error = refusal(() => decodeBase64(text, 'file_base64'))
      expect([error.kind, error.code]).toEqual(['invalid', 'invalid_base64'])
      expect(error.details).toEqual({ param: 'file_base64' })
      expect(error.message).toMatch(message)
    }
  })

  test('of HTML must be UTF-8 and not empty', () => {
    const encode = (bytes: string | Uint8Array) =>
      Buffer.from(bytes as Uint8Array).toString('base64')
    expect(Buffer.from(decodeHtmlBase64(encode('<p>é'))).toString()).toBe('<p>é')
    for (const bad of ['', '\n', encode(Buffer.from([0x3c, 0xe9])), encode(Buffer.from([0xff]))]) {
      const { kind, code } = refusal(() => decodeHtmlBase64(bad))
      expect([kind, code]).toEqual(['invalid', 'invalid_html_base64'])
    }
    expect(refusal(() => decodeHtmlBase64('§')).code).toBe('invalid_base64')
  })

  test('of five hostile megabytes is refused in time', () => {
    for (const text of [
      `${'A'.repeat(5_000_000)}-`,
      `${'='.repeat(5_000_000)}A`,
      `${' '.repeat(5_000_000)}<`,
      'A '.repeat(2_500_000).concat('<'),
    ]) {
      expect(processorMs(() => refusal(() => decodeBase64(text, 'x')))).toBeLessThan(2000)
    }
  })
})

describe('fetched HTML', () => {
  const read = (bytes: Uint8Array, type: string | null = null) =>
    Buffer.from(htmlFromBytes(bytes, type).utf8).toString()
  const latin1 = (text: string) => Buffer.from(text, 'latin1')

  test('in UTF-8 stays the same bytes, whatever charset it names', () => {
    for (const html of ['<p>é', '\ufeff<p>é', '<meta charset=latin1><p>é', '<p>\0é']) {
      const bytes = Buffer.from(html)
      expect(htmlFromBytes(bytes, 'text/html; charset=iso-8859-1').utf8).toBe(bytes)
      expect(htmlFromBytes(bytes, null).utf8).toBe(bytes)
    }
  })

  test.each<[Uint8Array, string | null, string]>([
    [latin1('<p>\xe9'), 'text/html; charset=ISO-8859-1', '<p>é'],
    [latin1('<p>\x80'), 'text/html;charset="windows-1252"', '<p>€'],
    [latin1('<meta charset=latin1><p>\xe9'), null, '<meta charset=utf-8><p>é'],
    [
      latin1(`<p title="${'\xe9'.repeat(900)}"><meta charset=latin1>`),
      null,
      `<p title="${'é'.repeat(900)}"><meta charset=utf-8>`,
    ],
    [
      latin1(`<html><style>${' '.repeat(4000)}</style><meta charset=koi8-r>\xc1`),
      null,
      `<html><style>${' '.repeat(4000)}</style><meta charset=utf-8>а`,
    ],
    [
      latin1('<?xml version="1.0" encoding="koi8-r"?><p>\xc1'),
      null,
      '<?xml version="1.0" encoding="utf-8"?><p>а',
    ],
    [latin1('<meta charset=utf-16><p>x\0'), null, '<meta charset=utf-16><p>x\0'],
    [Buffer.from([0x93, 0xfa]), 'text/html; charset=Shift_JIS', '日'],
    [Buffer.from('\ufeff<p>é', 'utf16le'), 'text/html; charset=latin1', '<p>é'],
    [Buffer.from('<p>x', 'utf16le'), 'text/html; charset=utf-16le', '<p>x'],
    [latin1('\x1b$BF|\x1b(B'), 'text/html; charset=iso-2022-jp', '日'],
    [
      latin1('<META HTTP-EQUIV=content-type CONTENT="text/html; charset=koi8-r">\xc1'),
      'text/html',
      '<META HTTP-EQUIV=content-type CONTENT="text/html; charset=utf-8">а',
    ],
  ])('is read by what it says of itself: %#', (bytes, type, html) => {
    expect(read(bytes, type)).toBe(html)
  })

  test.each<[Uint8Array, string | null, string, string]>([
    [latin1('<p>\n\xe9\x80'), null, '<p>\né€', 'guessed_encoding 2'],
    [latin1('<p>\xe9'), 'text/html; charset=klingon', '<p>é', 'guessed_encoding 1'],
    [latin1(`<p>${' '.repeat(1024)}<meta charset=koi8-r>\xc1`), null, 'Á', 'guessed_encoding 1'],
    [latin1('<p>\n\n\xe9'), 'text/html; charset=utf-8', '<p>\n\n\ufffd', 'replaced_text 3'],
    [latin1('\xef\xbb\xbf<p>\xe9'), 'text/html; charset=latin1', '\ufffd', 'replaced_text 1'],
    [latin1('\x93'), 'text/html; charset=shift_jis', '\ufffd', 'replaced_text 1'],
  ])('that names no charset, or the wrong one, is read with a warning: %#', (...args) => {
    const [bytes, type, end, warning] = args
    const { utf8, warnings } = htmlFromBytes(bytes, type)
    expect(Buffer.from(utf8).toString()).toEndWith(end)
    expect(warnings.map(({ code, line }) => `${code} ${line}`)).toEqual([warning])
  })

  test.each(['PK\x03\x04\x14\0\xff', '\x89PNG\r\n\x1a\n\0\xff'])(
    'that is a zip or an image is refused, but not as a part of a deck: %j',
    (start) => {
      const bytes = latin1(start)
      const input = { bytes, charset: { contentType: 'image/png' }, name: 'The HTML' }
      const { kind, code } = refusal(() => checkHtml(input))
      expect([kind, code]).toEqual(['invalid', 'invalid_html'])
      expect(checkHtml({ ...input, isPart: true }).encoding).toBe('windows-1252')
    },
  )
})
