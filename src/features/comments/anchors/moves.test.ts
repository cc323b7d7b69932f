import { expect, test } from 'bun:test'
import type { TextAnchor } from '../../../model/anchor.ts'
import { condense } from '../../../model/passage.ts'
import { sha256 } from '../../../platform/secrets.ts'
import { fc, runs } from '../../../testing/property.ts'
import { contentWork } from '../../../testing/threads.ts'
import { applyEdits } from '../../content/edits/edits.ts'
import { createFindPassages, type Manifest, type Splice } from '../../content/index.ts'
import { findEditPath } from '../../versions/versions.ts'
import { type AnchorQuestion, createAnchors, type Located, NO_PLACES } from './index.ts'

/** A page whose every character has an identity, which find and replace preserves. */
interface Written {
  html: string
  ids: number[]
}

let nextId = 0
const written = (html: string): Written => ({ html, ids: Array.from(html, () => nextId++) })

/** Replaces one place, character by character. @returns null where there is not exactly one */
function replaced({ html, ids }: Written, find: string, replace: string): Written | null {
  const at = html.indexOf(find)
  if (at < 0 || html.indexOf(find, at + 1) >= 0) return null
  const result = html.slice(0, at) + replace + html.slice(at + find.length)
  if (result.trim() === '') return null
  let same = 0
  while (same < Math.min(find.length, replace.length) && find[same] === replace[same]) same += 1
  let sameEnd = 0
  const most = Math.min(find.length, replace.length) - same
  while (sameEnd < most && find.at(-1 - sameEnd) === replace.at(-1 - sameEnd)) sameEnd += 1
  const fresh = Array.from({ length: replace.length - same - sameEnd }, () => nextId++)
  const after = ids.slice(at + find.length - sameEnd)
  return { html: result, ids: [...ids.slice(0, at + same), ...fresh, ...after] }
}

/** The history of a page, with the parts of content and versions that anchors need. */
function createHistory() {
  const files = new Map<string, string>()
  const edits: { edit_no: number; from_hash: string; to_hash: string; splices: Splice[] }[] = []
  const lookUps: { from: string; to: string }[] = []
  const add = (html: string) => {
    const hash = sha256(Buffer.from(html))
    files.set(hash, html)
    return hash
  }
  const anchors = createAnchors({
    content: {
      async getManifest(hash): Promise<Manifest> {
        const file = { path: 'index.html', mime: 'text/html', hash, size_bytes: 1 }
        return { kind: 'single', entry: 'index.html', file_name: null, files: [file] } as Manifest
      },
      findPassages: createFindPassages({
        bytes: async (hash) => Buffer.from(files.get(hash)!),
        work: contentWork,
        holdMemory: (_bytes, work) => work(),
      }),
    },
    versions: {
      async editsBetween(_pageId, states) {
        lookUps.push(states)
        const path = findEditPath(edits, states)
        // A page's file never goes back here, so no edit is undone.
        return path?.map(({ edit_no }) => edits[edit_no]!.splices) ?? null
      },
    },
  })
  return {
    anchors,
    lookUps,
    add,
    edit(before: string, after: string, [find, replace]: [string, string]) {
      const { splices } = applyEdits(Buffer.from(before), [{ find, replace }], { maxBytes: 10_000 })
      const [from, to] = [add(before), add(after)]
      edits.push({ edit_no: edits.length, from_hash: from, to_hash: to, splices })
    },
  }
}

const word = fc.constantFrom('yes', 'no', 'fish', '<p>', '<b>', '</b>', ' ', 'a', '<!--', '-->')
const text = fc.array(word, { minLength: 1, maxLength: 14 }).map((words) => words.join(' '))
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ find: fc.nat(), length: fc.integer({ min: 1, max: 9 }), text }),
  },
  { weight: 1, arbitrary: fc.record({ html: text }) },
)

/** An anchor of the words between two offsets of the page, as a browser would report it. */
function anchorAt({ html }: Written, [from, to]: [number, number]): TextAnchor {
  const plain = (part: string) => condense(part.replace(/<[^>]*>/g, ''))
  const [start, end] = [from % html.length, (from % html.length) + 1 + (to % 12)]
  return {
    quote: plain(html.slice(start, end)),
    prefix: plain(html.slice(0, start)).slice(-6),
    suffix: plain(html.slice(end)).slice(0, 6),
    element: null,
  }
}

async function follow(
  first: string,
  picked: [number, number],
  changes: readonly ({ find: number; length: number; text: string } | { html: string })[],
) {
  const history = createHistory()
  let page = written(first)
  const anchor = anchorAt(page, picked)
  if (anchor.quote === '') return
  const fileHash = history.add(page.html)
  const question = { pageId: 'pg_1', anchor, path: '', fileHash }
  const locate = async (asked: Pick<AnchorQuestion, 'places' | 'shownManifestId'>) =>
    (await history.anchors.startPass()([{ ...question, ...asked }]))[0]!
  const begin = await locate({ places: NO_PLACES, shownManifestId: fileHash })
  const idsOf = ({ places: { last } }: Located) => page.ids.slice(last!.start, last!.end)
  let ids = begin.state === 'exact' ? idsOf(begin) : null
  let located = begin
  for (const each of changes) {
    const before = page
    if ('html' in each) page = written(each.html)
    else {
      const find = before.html.substr(each.find % before.html.length, each.length)
      const after = replaced(before, find, each.text)
      if (after === null) continue
      history.edit(before.html, after.html, [find, each.text])
      page = after
    }
    const shownManifestId = history.add(page.html)
    located = await locate({ places: located.places, shownManifestId })
    if (located.state === 'outdated') continue
    const { start, end } = located.places.last!
    const found = condense(page.html.slice(start, end).replace(/<!--.*?-->|<[^>]*>/g, ''))
    expect(found).toBe(anchor.quote)
    const now = idsOf(located)
    // The same characters, or others after a write that replaced them all.
    if (ids?.some((id) => page.ids.includes(id)))
      expect(now.filter((id) => ids!.includes(id))).toEqual(now)
    ids = now
  }
}

test('an anchor never points at other text than was commented on, after any edits', async () => {
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.tuple(fc.nat(), fc.nat()),
      fc.array(change, { minLength: 1, maxLength: 6 }),
      follow,
    ),
    runs(1500),
  )
}, 60_000)

test('a pass over many anchors asks once for the edits between two states of the file', async () => {
  const [before, after] = ['<p>one two</p>', '<p>one and two</p>']
  const history = createHistory()
  history.edit(before, after, ['one', 'one and'])
  const [fileHash, shownManifestId] = [history.add(before), history.add(after)]
  const question = { pageId: 'pg_1', path: '', fileHash, places: NO_PLACES }
  const anchors = ['one', 'two', 'one two'].map((quote) => ({
    ...{ quote, prefix: '', suffix: '' },
    element: null,
  }))
  const locateFirst = history.anchors.startPass()
  const locate = history.anchors.startPass()
  const asked = anchors.map((anchor) => ({ ...question, anchor }))
  const first = await locateFirst(asked.map((each) => ({ ...each, shownManifestId: fileHash })))
  const located = await locate(
    asked.map((each, at) => ({ ...each, places: first[at]!.places, shownManifestId })),
  )
  const states = located.map(({ state }) => state)
  expect(states).toEqual(['moved', 'moved', 'outdated'])
  expect(history.lookUps).toEqual([{ from: fileHash, to: shownManifestId }])
})
