import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../../model/errors.ts'
import { defaultEntry } from '../../../model/manifest.ts'
import { assertDistinctPaths, checkDeckPath, isHtmlPath } from './paths.ts'

function refusal(act: () => unknown): Refusal {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('not refused')
}

describe('a deck path', () => {
  test.each([
    ['index.html', 'index.html'],
    ['./a/b.css', 'a/b.css'],
    ['a b/ü~.html', 'a b/ü~.html'],
    ['cafe\u0301.html', 'café.html'],
    ['a/~b.html', 'a/~b.html'],
    ['~ann/index.html', '~ann/index.html'],
    ['...', '...'],
    ['a%2fb.html', 'a%2fb.html'],
    [`${'x'.repeat(255)}/${'y'.repeat(255)}`, `${'x'.repeat(255)}/${'y'.repeat(255)}`],
    [Array(31).fill('d').join('/'), Array(31).fill('d').join('/')],
  ])('%j is %j', (value, path) => {
    expect(checkDeckPath(value, 'files.0.path')).toBe(path)
  })

  test.each([
    '',
    './',
    '.',
    '..',
    '../a.html',
    'a/../b.html',
    'a/./b.html',
    '././a.html',
    'a//b.html',
    'a/',
    '/a.html',
    './/a.html',
    '~a.html',
    './~/b.html',
    '~v1.abc/b.html',
    'a\\b.html',
    'a\nb.html',
    'a\0b',
    'a\x7f',
    'a\x85',
    'a\ud800b',
    'x'.repeat(256),
    'é'.repeat(128),
    Array(32).fill('d').join('/'),
    Array(5).fill('x'.repeat(250)).join('/'),
  ])('%j is refused by name', (input) => {
    const refused = refusal(() => checkDeckPath(input, 'files.0.path'))
    const { kind, code, message, details } = refused
    expect([kind, code, details?.param]).toEqual(['invalid', 'bad_path', 'files.0.path'])
    expect(message).toContain(JSON.stringify(input.slice(0, 100).toWellFormed()).slice(0, -1))
    expect(message).not.toMatch(/[\0-\x1f]/)
  })

  test('of five megabytes is refused with a short message', () => {
    const { message } = refusal(() => checkDeckPath('a/'.repeat(2_500_000), 'entry'))
    expect(message.length).toBeLessThan(300)
  })
})

const paramOf = (index: number) => `files.${index}.path`

describe('the paths of a deck', () => {
  test('may share folders and beginnings, and differ in case only', () => {
    const paths = ['a.html', 'a/b.html', 'a/c.html', 'a.htm', 'ab/c.html', 'b/a.html', 'A.html']
    assertDistinctPaths(paths, paramOf)
  })

  test.each([
    [['a.html', 'a.html'], 'duplicate_path'],
    [['a', 'a/b'], 'bad_path'],
    [['x/y/z.html', 'x/y'], 'bad_path'],
  ])('%j are refused', (paths, code) => {
    for (const order of [paths, paths.toReversed()]) {
      const refused = refusal(() => assertDistinctPaths(order, paramOf))
      expect<string>(refused.code).toBe(code)
      expect(refused.details?.param).toMatch(/^files\.[01]\.path$/)
    }
  })
})

test('the default entry is an index.html, else the first page, in the fewest folders', () => {
  expect(defaultEntry(['a/b.html', 'z.html', 'index.html'])).toBe('index.html')
  expect(defaultEntry(['a/b/index.html', 'a/index.html', 'z.html'])).toBe('z.html')
  expect(defaultEntry(['a/b/index.html', 'a/z.html', 'a/index.html'])).toBe('a/index.html')
  expect(defaultEntry(['a/b.html', 'z.html', 'y.html'])).toBe('z.html')
  expect(defaultEntry(['b/index.html', 'a/index.html'])).toBe('b/index.html')
})

test('a path is one of HTML by its extension', () => {
  expect(['a.html', 'a/b.HTM'].every(isHtmlPath)).toBe(true)
  expect(['a.xhtml', 'html', 'a.html.js', 'a.shtml/x'].some(isHtmlPath)).toBe(false)
})
