import { expect, test } from 'bun:test'
import { deletion } from './deletion.ts'

test.each([
  ['nothing', 'this response', {}, 'Delete response', 'There is no undo.'],
  ['one', 'this page', { versions: 1 }, 'Delete page and 1 version', '1 version goes with it. '],
  [
    'several, and the most important first',
    'this page',
    { versions: 3, comments: 17, responses: 1042, decisions: 0 },
    'Delete page and 1,042 responses',
    '1,042 responses, 17 comments and 3 versions go with it. ',
  ],
  [
    'of several',
    '2 pages',
    { versions: 2 },
    'Delete 2 pages and 2 versions',
    '2 versions go with them.',
  ],
  ['replies', 'this comment', { replies: 2 }, 'Delete comment and 2 replies', '2 replies go'],
] as const)('the words for deletion name what goes: %s', (_, name, losses, action, warning) => {
  const words = deletion(name, losses)
  expect(words.title).toBe(`Delete ${name} for good?`)
  expect(words.action).toBe(action)
  expect(words.warning).toStartWith(warning)
  expect(words.warning).toEndWith('There is no undo.')
})

test('another verb stands in the question and on the button', () => {
  expect(deletion('laptop', {}, 'Revoke')).toMatchObject({
    title: 'Revoke laptop for good?',
    action: 'Revoke laptop',
  })
})
