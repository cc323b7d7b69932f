import { expect, it } from 'bun:test'
import { EditorState } from '@codemirror/state'
import { lineEndOf } from './draft.ts'

it.each([
  '',
  'a',
  'a\nb\n',
  'a\r\nb\r\n',
  'a\r\nb\nc',
  'a\rb',
  '\ufeffa\n',
  '\n',
  '\r\n',
  'a\n\r\nb',
])('the editor gives back the text %j as it was', (text) => {
  const extensions = EditorState.lineSeparator.of(lineEndOf(text))
  expect(EditorState.create({ doc: text, extensions }).sliceDoc()).toBe(text)
})
