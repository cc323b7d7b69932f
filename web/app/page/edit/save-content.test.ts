import { expect, test } from 'bun:test'
import { ChangeSet, Text } from '@codemirror/state'
import { fc, runs } from '../../../../src/testing/property.ts'
import { lineEndOf } from './draft.ts'
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

/** What the editor has after steps, and the steps. */
function typed(before: string, all: Typed[]) {
  const lineEnd = lineEndOf(before)
  let doc = Text.of(before.split(lineEnd))
  const steps = all.map(({ from, to, insert }) => {
    const [start, end] = [from % (doc.length + 1), to % (doc.length + 1)].toSorted((a, b) => a - b)
    const text = Text.of(insert.split('\n'))
    const change = ChangeSet.of({ from: start!, to: end!, insert: text }, doc.length)
    doc = change.apply(doc)
    return change
  })
  return { steps, after: doc.sliceString(0, doc.length, lineEnd) }
}

test('what was typed is sent as edits that make the same text', () => {
  const { steps, after } = typed('<p>Yes</p>\r\n<p>Yes</p>\r\n<p>Yes</p>', [
    { from: 16, to: 16, insert: ', please' },
    { from: 3, to: 6, insert: 'No' },
  ])
  const before = '<p>Yes</p>\r\n<p>Yes</p>\r\n<p>Yes</p>'
  const edits = editsOf(before, after, steps)!
  expect(edits.length).toBe(2)
  expect(applied(before, edits)).toBe(after)
  expect(after).toBe('<p>No</p>\r\n<p>Ye, pleases</p>\r\n<p>Yes</p>')
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
      const { steps, after } = typed(before, all)
      const edits = editsOf(before, after, steps)
      if (edits === null) return
      sent += 1
      expect(applied(before, edits)).toBe(after)
    }),
    runs(2000),
  )
  expect(sent).toBeGreaterThan(1000)
})

test('changes that are not known, or of several files, are sent whole', () => {
  const file = (path: string, text: string) => ({ path, text })
  const draft = (...files: ReturnType<typeof file>[]) => ({
    ...{ kind: 'bundle' as const, entry: 'a.html', assets: [] },
    files,
  })
  const { steps, after } = typed('<p>one</p>', [{ from: 3, to: 6, insert: 'two' }])
  const base = draft(file('a.html', '<p>one</p>'), file('b.html', 'b'))
  const one = draft(file('a.html', after), file('b.html', 'b'))
  const two = draft(file('a.html', after), file('b.html', 'c'))
  const known = new Map([['a.html', steps]])
  expect(editsBetween(base, one, known)).toEqual({
    ...{ edits: [{ find: 'one', replace: 'two' }], file: 'a.html' },
  })
  expect(editsBetween(base, two, known)).toBeNull()
  expect(editsBetween(base, { ...one, entry: 'b.html' }, known)).toBeNull()
  expect(editsBetween(base, one, new Map([['a.html', null]]))).toBeNull()
  expect(editsBetween(base, one, new Map())).toBeNull()
})
