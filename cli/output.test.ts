import { expect, test } from 'bun:test'
import { labelled, table } from './output.ts'

test('columns are aligned where letters take two columns of a terminal, or none', () => {
  const titles = ['Plan', '四半期の計画', '🎉 Launch', 'Pla\u0301n', '👩‍👩‍👧 Family']
  const lines = table(
    titles.map((title) => ({ TITLE: title, VIEWS: '1' })),
    'No pages.',
  )
  expect(lines).toEqual([
    'TITLE         VIEWS',
    'Plan          1',
    '四半期の計画  1',
    '🎉 Launch     1',
    'Pla\u0301n          1',
    '👩‍👩‍👧 Family     1',
  ])
  expect(
    labelled([
      ['計画', 'a'],
      ['Plans', 'b'],
    ]),
  ).toEqual(['計画   a', 'Plans  b'])
})
