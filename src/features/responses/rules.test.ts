import { describe, expect, test } from 'bun:test'
import type { FormControl } from '../../model/form.ts'
import {
  chunkSize,
  cleanName,
  fileName,
  isClosed,
  splitKey,
  submissionRow,
  unpublishedControls,
} from './rules.ts'

const NAMES: [string | null, string | null][] = [
  ['  Ann  ', 'Ann'],
  ['Ann\r\nBcc: x\u2028y', 'Ann Bcc: x y'],
  ['a\0b\u0007c', 'abc'],
  ['half \ud800 pair', 'half \ufffd pair'],
  ['\u202eevil\u2066', 'evil'],
  ['e\u0301', 'é'],
  ['<b>Ann</b>', '<b>Ann</b>'],
  ['x'.repeat(300), 'x'.repeat(200)],
  ['🙂'.repeat(201), '🙂'.repeat(200)],
  [' \t\n\u00a0 ', null],
  ['', null],
  [null, null],
]

describe('the name of a respondent', () => {
  test.each(NAMES)('%j becomes %j', (value, name) => {
    expect(cleanName(value)).toBe(name)
  })

  test('is taken from the data if none is given and that is text', () => {
    const submission = { id: 'x', data: '{}', page_version: null, path: '', controls: [] }
    const nameIn = (name: string | null, own: unknown) =>
      submissionRow({ ...submission, name }, { name: own }, []).name
    expect(nameIn(null, ' Bea ')).toBe('Bea')
    expect(nameIn('Ann', 'Bea')).toBe('Ann')
    expect(nameIn('  ', 'Bea')).toBe('Bea')
    for (const own of [1, true, null, ['Bea'], { name: 'Bea' }, undefined]) {
      expect(nameIn(null, own)).toBe(null)
    }
  })
})

describe('unpublished controls', () => {
  const control = (name: string, label: string | null = null): FormControl => ({
    name,
    label,
    kind: 'text',
  })

  test('are those that the published HTML does not have, or null', () => {
    const controls = unpublishedControls([control('a'), control('b', 'B')], [control('a')])
    expect(JSON.parse(controls!)).toEqual([control('b', 'B')])
    expect(unpublishedControls([control('a', 'other')], [control('a')])).toBe(null)
    expect(unpublishedControls([], [])).toBe(null)
  })

  test('are bounded and have unique names', () => {
    const many = Array.from({ length: 1000 }, (_, at) => control(`n${at}`))
    expect(JSON.parse(unpublishedControls(many, [])!)).toHaveLength(200)
    const odd = [
      control(''),
      control('x'.repeat(1001)),
      control('a', 'l'.repeat(500)),
      control('a'),
    ]
    expect(JSON.parse(unpublishedControls(odd, [])!)).toEqual([control('a', 'l'.repeat(200))])
    expect(unpublishedControls([control('a', '\ud800')], [])).toContain('\ufffd')
  })
})

test('the size of a response is that of its data and its controls', () => {
  const submission = { id: 'x', data: '{"a":"é"}', name: 'Ann', page_version: null, path: '' }
  const bare = submissionRow({ ...submission, controls: [] }, {}, [])
  expect(bare).toMatchObject({ size_bytes: 10, controls: null })
  const controls: FormControl[] = [{ name: 'é', label: null, kind: 'text' }]
  const more = submissionRow({ ...submission, controls }, {}, [])
  expect(more.size_bytes).toBe(10 + Buffer.byteLength(more.controls!))
})

test('the version of the page is a timestamp, or null', () => {
  const submission = { id: 'x', data: '{}', name: null, path: '', controls: [] }
  const versionOf = (pageVersion: string | null) =>
    submissionRow({ ...submission, page_version: pageVersion }, {}, []).page_version
  expect(versionOf('2026-11-21T10:00:00Z')).toBe('2026-11-21T10:00:00.000000Z')
  for (const none of ['yesterday', '', null]) expect(versionOf(none)).toBe(null)
})

test('a page is closed from `responses_closed_at` on, inclusive', () => {
  const at = '2026-11-21T10:00:00.000000Z'
  expect(isClosed(null, at)).toBe(false)
  expect(isClosed(at, '2026-11-21T09:59:59.999999Z')).toBe(false)
  expect(isClosed(at, at)).toBe(true)
})

test('the list to split is the one asked for, the first one, or none', () => {
  expect(splitKey(undefined, ['a', 'b'])).toBe('a')
  expect(splitKey(undefined, [])).toBe(null)
  expect(splitKey('b', ['a', 'b'])).toBe('b')
  expect(splitKey('none', ['none', 'b'])).toBe(null)
  expect(splitKey('c', ['a', 'b'])).toBe(undefined)
  expect(splitKey('toString', [])).toBe(undefined)
})

test('a chunk has a limited size and at least one response', () => {
  expect(chunkSize({ count: 0, bytes: 0 })).toBe(500)
  expect(chunkSize({ count: 10_000, bytes: 5_000_000 })).toBe(500)
  expect(chunkSize({ count: 100, bytes: 100 * 256 * 1024 })).toBe(2)
  expect(chunkSize({ count: 1, bytes: 100 * 1024 ** 2 })).toBe(1)
})

const FILES: [string | null, string][] = [
  ['Team lunch', 'Team lunch-responses.csv'],
  ['../../etc/passwd', 'etc passwd-responses.csv'],
  ['a\r\nb"c\u202ed', 'a b c d-responses.csv'],
  ['Größe 🙂', 'Größe 🙂-responses.csv'],
  ['x'.repeat(200), `${'x'.repeat(100)}-responses.csv`],
  [' /. ', 'slug-responses.csv'],
  [null, 'slug-responses.csv'],
]

test.each(FILES)('the file of a page with the title %j is %j', (title, name) => {
  expect(fileName({ title, slug: 'slug' })).toBe(name)
})
