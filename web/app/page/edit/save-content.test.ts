import { expect, test } from 'bun:test'
import { fc, runs } from '../../../../src/testing/property.ts'
import { editsBetween, editsOf } from './save-content.ts'

/** Applies edits as the server does: each is found once. */
function applied(text: string, edits: { find: string; replace: string }[]): string {
  return edits.reduce((now, { find, replace }) => {
    expect(now.split(find).length).toBe(2)
    return now.split(find).join(replace)
  }, text)
}

interface Typed {
  from: number
  to: number
  insert: string
}

function typed(before: string, all: Typed[]): string {
  return all.reduce((text, { from, to, insert }) => {
    const [start, end] = [from % (text.length + 1), to % (text.length + 1)].toSorted(
      (a, b) => a - b,
    )
    return text.slice(0, start) + insert + text.slice(end)
  }, before)
}

test('what was typed is sent as edits that make the same text', () => {
  const before = '<p>Yes</p>\r\n<p>Yes</p>\r\n<p>Yes</p>'
  const after = '<p>No</p>\r\n<p>Ye, pleases</p>\r\n<p>Yes</p>'
  const edits = editsOf(before, after)!
  expect(edits.length).toBe(2)
  expect(applied(before, edits)).toBe(after)
})

test('random typing is sent as edits, or whole where they would not be found', () => {
  const step = fc.record({
    from: fc.nat(60),
    to: fc.nat(60),
    insert: fc.constantFrom('', 'a', 'word ', '\n', '<b>x</b>', '😀'),
  })
  const texts = fc.constantFrom(
    '<p>one two three</p>\n<p>one two three</p>\n',
    '<p>one</p>\r\n<p>two</p>\r\n<p>two</p>\r\n',
    'mixed\r\nends\n<p>é 😀 𝒳</p>',
    '',
  )
  let sent = 0
  fc.assert(
    fc.property(texts, fc.array(step, { minLength: 1, maxLength: 6 }), (before, all) => {
      const after = typed(before, all)
      const edits = editsOf(before, after)
      if (edits === null) return
      sent += 1
      expect(applied(before, edits)).toBe(after)
    }),
    runs(2000),
  )
  expect(sent).toBeGreaterThan(1000)
})

test('changes in many places, or of several files, are sent whole', () => {
  const file = (path: string, text: string) => ({ path, text })
  const draft = (...files: ReturnType<typeof file>[]) => ({
    ...{ kind: 'bundle' as const, entry: 'a.html', assets: [] },
    files,
  })
  const base = draft(file('a.html', '<p>one</p>'), file('b.html', 'b'))
  const one = draft(file('a.html', '<p>two</p>'), file('b.html', 'b'))
  const two = draft(file('a.html', '<p>two</p>'), file('b.html', 'c'))
  expect(editsBetween(base, one)).toEqual({
    ...{ edits: [{ find: 'one', replace: 'two' }], file: 'a.html' },
  })
  expect(editsBetween(base, two)).toBeNull()
  expect(editsBetween(base, { ...one, entry: 'b.html' })).toBeNull()
  expect(editsBetween(base, base)).toBeNull()
  const lines = Array.from({ length: 60 }, (_, at) => `<p>line ${at} of many</p>`)
  const many = lines.map((line, at) => line.replace('line', `row${at}`))
  expect(editsOf(lines.join('\n'), many.join('\n'))).toBeNull()
})
