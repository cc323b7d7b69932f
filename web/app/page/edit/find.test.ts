import { describe, expect, it } from 'bun:test'
import type { Draft } from './draft.ts'
import { findAll, replaceAll } from './find-in-files.tsx'

const DECK: Draft = {
  kind: 'bundle',
  entry: 'index.html',
  files: [
    { path: 'index.html', text: '<h1>May</h1>\r\n<p>in May, a.b*c\n  may</p>' },
    { path: 'two.html', text: 'May' },
  ],
  assets: [
    { path: 'a.png', type: 'image/png', size_bytes: 3, source: { path: 'a.png', hash: 'h' } },
  ],
}
const query = (text: string, isCaseSensitive = true) => ({ text, isCaseSensitive })

describe('find in all files', () => {
  it('names each place by file, line and column', () => {
    const { matches, total, files } = findAll(DECK, query('May'), 10)
    expect([total, files]).toEqual([3, 2])
    expect(matches.map(({ path, line, column }) => [path, line, column])).toEqual([
      ['index.html', 1, 4],
      ['index.html', 2, 6],
      ['two.html', 1, 0],
    ])
    expect(matches[1]).toMatchObject({ before: '<p>in ', match: 'May', after: ', a.b*c' })
  })

  it('ignores case where it does not matter, and counts beyond what it lists', () => {
    const { matches, total } = findAll(DECK, query('may', false), 2)
    expect([matches.length, total]).toEqual([2, 4])
  })

  it('takes what is searched as plain text', () => {
    expect(findAll(DECK, query('a.b*c'), 10).total).toBe(1)
    expect(findAll(DECK, query('.*'), 10).total).toBe(0)
    expect(findAll(DECK, query(''), 10).total).toBe(0)
  })

  it('replaces every place, with the replacement as it stands', () => {
    const { files } = replaceAll(DECK, query('May'), '$& $1')
    expect(files.map(({ text }) => text)).toEqual([
      '<h1>$& $1</h1>\r\n<p>in $& $1, a.b*c\n  may</p>',
      '$& $1',
    ])
    expect(replaceAll(DECK, query('June'), 'x')).toBe(DECK)
  })
})
