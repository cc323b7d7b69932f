import { expect, test } from 'bun:test'
import { createHistory } from '../../../testing/page-history.ts'
import { NO_PLACES } from './index.ts'

test('a pass over many anchors asks once for the edits between two states of the file', async () => {
  const [before, after] = ['<p>one two</p>', '<p>one and two</p>']
  const history = createHistory()
  history.edit(before, after, ['one', 'one and'])
  const [fileHash, shownManifestId] = [history.add(before), history.add(after)]
  const question = { pageId: 'pg_1', path: '', fileHash, places: NO_PLACES, mayTell: true }
  const anchors = ['one', 'two', 'one two'].map((quote) => ({
    ...{ quote, prefix: '', suffix: '' },
    element: null,
  }))
  const { locate } = history
  const requests = anchors.map((anchor) => ({ ...question, anchor }))
  const first = await locate(requests.map((each) => ({ ...each, shownManifestId: fileHash })))
  const located = await locate(
    requests.map((each, at) => ({ ...each, places: first[at]!.places, shownManifestId })),
  )
  const states = located.map(({ state }) => state)
  expect(states).toEqual(['moved', 'moved', 'outdated'])
  expect(history.lookUps).toEqual([{ from: fileHash, to: shownManifestId }])
})
