import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../../model/errors.ts'
import { processorMs } from '../../../testing/processor-time.ts'
import { applyEdits, type Edit, maxEdits } from './edits.ts'

const MB = 1024 * 1024
const maxBytes = 100 * MB

function apply(html: string, edits: Edit[], limit = maxBytes): string {
  return Buffer.from(applyEdits(Buffer.from(html), edits, { maxBytes: limit }).bytes).toString()
}

function refusal(html: string | Uint8Array, edits: Edit[], limit = maxBytes): Refusal {
  try {
    applyEdits(Buffer.from(html as string), edits, { maxBytes: limit })
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('not refused')
}

describe('an edit', () => {
  test.each<[string, string, Edit[]]>([
    ['<p>one</p>', '<p>two</p>', [{ find: 'one', replace: 'two' }]],
    ['<p>one</p>', '<p></p>', [{ find: 'one', replace: '' }]],
    ['abcabc', 'xbcxbc', [{ find: 'a', replace: 'x', replace_all: true }]],
    ['aaaa', 'bb', [{ find: 'aa', replace: 'b', replace_all: true }]],
    ['aaa', 'ba', [{ find: 'aa', replace: 'b', replace_all: true }]],
    ['abc', 'abc', [{ find: 'b', replace: 'b' }]],
    ['a.c abc', 'x abc', [{ find: 'a.c', replace: 'x' }]],
    ['abc', '$&$1', [{ find: 'abc', replace: '$&$1' }]],
    ['é😀ü', 'é😁ü', [{ find: '😀', replace: '😁' }]],
    ['\ufeff<p>a', '\ufeff<p>b', [{ find: 'a', replace: 'b' }]],
    // Each works on the result of the one before, also across its replacements.
    [
      'ab',
      'x',
      [
        { find: 'a', replace: 'b' },
        { find: 'bb', replace: 'x' },
      ],
    ],
    [
      '<1-2>',
      '<3>',
      [
        { find: '-', replace: '' },
        { find: '12', replace: '3' },
      ],
    ],
    ['a\r\nb', 'a\nb', [{ find: '\r', replace: '' }]],
  ])('makes %j into %j', (html, result, edits) => {
    expect(apply(html, edits)).toBe(result)
  })

  test('answers the text it matched and its replacement, each cut at 200 characters', () => {
    const html = `<p>${'a'.repeat(199)}😀z</p>, b, b`
    const { changes } = applyEdits(
      Buffer.from(html),
      [
        { find: `${'a'.repeat(199)}😀z`, replace: 'é'.repeat(200) },
        { find: 'b', replace: 'c'.repeat(201), replace_all: true },
      ],
      { maxBytes: maxBytes },
    )
    expect(changes).toEqual([
      {
        before: 'a'.repeat(199),
        after: 'é'.repeat(200),
        before_truncated: true,
        after_truncated: false,
        count: 1,
      },
      {
        before: 'b',
        after: 'c'.repeat(200),
        before_truncated: false,
        after_truncated: true,
        count: 2,
      },
    ])
  })

  test('does not change the bytes it is called with', () => {
    const html = Buffer.from('abc')
    applyEdits(html, [{ find: 'b', replace: 'x' }], { maxBytes: maxBytes })
    expect(html.toString()).toBe('abc')
  })

  test('finds text that many edits before it made', () => {
    const html = Array.from({ length: 400 }, (_, i) => `<${i}>`).join('')
    const edits = Array.from({ length: 199 }, (_, i) => ({ find: `<${i * 2}>`, replace: '' }))
    const rest = Array.from({ length: 199 }, (_, i) => `<${i * 2 + 1}>`).join('')
    expect(apply(html, [...edits, { find: rest, replace: 'all' }])).toBe('all<398><399>')
  })
})

describe('all edits are refused for one', () => {
  const x = { find: 'x', replace: 'y' }

  test('that matches nothing', () => {
    const { kind, code, message, details } = refusal('x', [x, { find: 'z', replace: '' }])
    expect([kind, code]).toEqual(['unprocessable', 'edit_not_found'])
    expect(details).toEqual({ edit_index: 1, matches: 0 })
    expect(message).toContain('Edit 1')
  })

  test('that matches nothing, with what the page has there, in a limited time', () => {
    const html = `<p>We meet at nine in the hall.</p>${'x'.repeat(500)}`
    const { message } = refusal(html, [{ find: 'We meet at ten in the hall.', replace: '' }])
    expect(message).toContain('there: "We meet at nine in the hall.</p>x')
    expect(message.length).toBeLessThan(400)
    const other = refusal(html, [{ find: 'Nobody said so.', replace: '' }])
    expect(other.message).not.toContain('there:')
    const large = 'ab'.repeat(2 * 1024 * 1024 - 100)
    const edit = { find: `${'ab'.repeat(20_000)}c`, replace: '' }
    expect(processorMs(() => refusal(large, [edit]))).toBeLessThan(2000)
  })

  test('that matches more than once, overlapping places too', () => {
    expect(refusal('axa', [x, { find: 'a', replace: '' }]).details).toEqual({
      edit_index: 1,
      matches: 2,
    })
    const { kind, code, details } = refusal('aaa', [{ find: 'aa', replace: '' }])
    expect([kind, code, details?.matches]).toEqual(['unprocessable', 'edit_ambiguous', 2])
    const many = refusal('a'.repeat(5000), [{ find: 'a', replace: '' }])
    expect(many.details?.matches).toBe(1000)
    expect(many.message).toContain('more than 1000 times')
  })

  test('that would replace more than 1,000 places', () => {
    const all = { find: 'a', replace: 'b', replace_all: true }
    expect(apply('a'.repeat(1000), [all])).toBe('b'.repeat(1000))
    const { kind, code, details } = refusal('a'.repeat(1001), [all])
    expect([kind, code]).toEqual(['unprocessable', 'too_many_matches'])
    expect(details).toEqual({ edit_index: 0, limit: 1000 })
  })

  test.each(['', ' \n\t', '\u00a0\u3000', '\ufeff', '\u2003'.repeat(3000)])(
    'that leaves nothing but white space: %#',
    (replace) => {
      const { kind, code, details } = refusal('<p>', [{ find: '<p>', replace }])
      expect([kind, code, details]).toEqual([
        'unprocessable',
        'edit_empties_page',
        { edit_index: 0 },
      ])
      expect(apply('<p>', [{ find: '<p>', replace: `${replace}é` }])).toBe(`${replace}é`)
    },
  )

  test('but not for a page that is empty between edits', () => {
    expect(() => apply('a', [{ find: 'a', replace: '' }, x])).toThrow('Edit 1')
    expect(
      apply('a', [
        { find: 'a', replace: ' ' },
        { find: ' ', replace: 'b' },
      ]),
    ).toBe('b')
  })

  test('that is empty, or holds half of a character', () => {
    for (const [param, edit] of [
      ['edits.0.find', { find: '', replace: 'x' }],
      ['edits.0.find', { find: '\ud83d', replace: 'x' }],
      ['edits.0.replace', { find: 'x', replace: '\ude00' }],
    ] as const) {
      const { kind, code, details } = refusal('x\ufffd', [edit])
      expect([kind, code, details]).toEqual(['invalid', 'invalid_edit', { param, edit_index: 0 }])
    }
  })

  test('whose result is too large, before it is built', () => {
    const { kind, code, details } = refusal('<p>x', [{ find: 'x', replace: 'xyz' }], 5)
    expect([kind, code]).toEqual(['tooLarge', 'html_too_large'])
    expect(details).toEqual({ limit: 5, edit_index: 0 })
    expect(apply('<p>x', [{ find: 'x', replace: 'xyz' }], 6)).toBe('<p>xyz')

    const bomb = { find: 'a', replace: 'a'.repeat(3 * MB), replace_all: true }
    const took = processorMs(() => {
      expect(refusal('a'.repeat(1000), [bomb], 5 * MB).code).toBe('html_too_large')
    })
    expect(took).toBeLessThan(500)
  })

  test('but not for a size that only a result between edits has', () => {
    const edits = [
      { find: 'a', replace: 'bbbb' },
      { find: 'bbbb', replace: 'c' },
    ]
    expect(apply('<a>', edits, 3)).toBe('<c>')
  })

  test('of which there are too many for the page’s size', () => {
    expect([0, 1, MB, 2 * MB, 4 * MB, 100 * MB, 300 * MB].map(maxEdits)).toEqual([
      200, 200, 200, 128, 64, 2, 1,
    ])
    const { kind, code, details } = refusal('x', Array(201).fill(x))
    expect([kind, code, details]).toEqual(['unprocessable', 'too_many_edits', { max_edits: 200 }])
    const large = Buffer.alloc(4 * MB, 'x')
    expect(refusal(large, Array(65).fill(x)).details).toEqual({ max_edits: 64 })
    expect(refusal(large, Array(64).fill(x)).code).toBe('edit_ambiguous')
  })

  test('that make a small page large and then go on', () => {
    const grow = { find: 'a', replace: 'b'.repeat(60_000), replace_all: true }
    const edits = [grow, ...Array(190).fill({ find: 'c', replace: 'c' })]
    const { code, details } = refusal(`c${'a'.repeat(1000)}`, edits)
    expect([code, details]).toEqual(['too_many_edits', { max_edits: 4 }])
  })
})

describe('the refusal helps', () => {
  const data = `data:image/png;base64,${'AbCd'.repeat(500)}`

  test('when find holds a placeholder', () => {
    const edit = { find: '<img src="ELIDED-BY-SERVICE-2022-CHARS">', replace: '' }
    expect(refusal(`<img src="${data}">`, [edit]).message).toContain('full=true')
  })

  test('when the other places are in data that was left out', () => {
    const html = `<p>AbCd</p><img src="${data}">`
    expect(refusal(html, [{ find: 'AbCd', replace: '' }]).message).toContain('data: URIs')
    expect(refusal('aa', [{ find: 'a', replace: '' }]).message).not.toContain('data: URIs')
    const near = `${'a'.repeat(40_000)}b${'a'.repeat(40_000)}`
    const page = 'a'.repeat(150_000) + near + near
    const spent = processorMs(() => refusal(page, [{ find: near, replace: '' }]))
    expect(spent).toBeLessThan(1500)
  })

  test('when only the line ends differ', () => {
    expect(refusal('a\r\nb', [{ find: 'a\nb', replace: '' }]).message).toContain('ends its lines')
    expect(refusal('a\nb', [{ find: 'a\r\nb', replace: '' }]).message).toContain('ends its lines')
  })
})
