import { expect, test } from 'bun:test'
import type { TextAnchor } from '../../../model/anchor.ts'
import type { ByteRange } from '../../../model/download.ts'
import { condense, isDistinct } from '../../../model/passage.ts'
import { createHistory } from '../../../testing/page-history.ts'
import { fc, runs } from '../../../testing/property.ts'
import { type AnchorPlaces, type AnchorQuestion, type Located, NO_PLACES } from './index.ts'

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
function anchorAt(
  { html }: Written,
  [start, end]: [number, number],
  contextChars: number,
): TextAnchor {
  return {
    quote: plainOf(html.slice(start, end)),
    prefix: plainOf(html.slice(0, start)).slice(-contextChars),
    suffix: plainOf(html.slice(end)).slice(0, contextChars),
    element: null,
  }
}
const plainOf = (part: string) => condense(part.replace(/<[^>]*>/g, ''))

async function follow(
  first: string,
  picked: [number, number],
  changes: readonly ({ find: number; length: number; text: string } | { html: string })[],
) {
  const history = createHistory()
  let page = written(first)
  const start = picked[0] % first.length
  const anchor = anchorAt(page, [start, start + 1 + (picked[1] % 12)], 6)
  if (anchor.quote === '') return
  const fileHash = history.add(page.html)
  const question = { pageId: 'pg_1', anchor, path: '', fileHash, mayTell: true }
  const locate = async (request: Pick<AnchorQuestion, 'places' | 'shownManifestId'>) =>
    (await history.locate([{ ...question, ...request }]))[0]!
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
    const result = condense(page.html.slice(start, end).replace(/<!--.*?-->|<[^>]*>/g, ''))
    expect(result).toBe(anchor.quote)
    const now = idsOf(located)
    // The same characters, or others after a write that replaced some of them.
    if (ids?.every((id) => page.ids.includes(id))) expect(now).toEqual(ids)
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
}, 240_000)

const SENTENCES = [
  'The fish swims in the river.',
  'Prices rise again in spring.',
  'We open at nine on Mondays.',
  'See the table below for details.',
]

/** A document of 5 to 50 KB, in which sentences repeat as in real ones. */
function documentOf(random: () => number, bytes: number): string {
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!
  let html = '<!doctype html><title>Report</title><body>'
  for (let n = 0; html.length < bytes; n++) {
    const own = `Item ${n} costs ${Math.floor(random() * 900)} euros <b>a ${pick(['day', 'week'])}</b>.`
    html += `<p>${random() < 0.3 ? pick(SENTENCES) : own} ${random() < 0.3 ? pick(SENTENCES) : ''}</p>\n`
  }
  return html
}

/** A random place in the text of a page, outside of its tags. */
function placeIn(html: string, random: () => number): number {
  const at = Math.floor(random() * html.length)
  const isInTag = html.lastIndexOf('<', at - 1) > html.lastIndexOf('>', at - 1)
  return isInTag ? html.indexOf('>', at) + 1 : at
}

function spliced({ html, ids }: Written, [start, end]: [number, number], put: Written): Written {
  return {
    html: html.slice(0, start) + put.html + html.slice(end),
    ids: [...ids.slice(0, start), ...put.ids, ...ids.slice(end)],
  }
}

/** The page with a piece of text inserted, deleted, rewritten or moved. */
function changed(page: Written, random: () => number): Written {
  const start = placeIn(page.html, random)
  const end = Math.max(
    start,
    placeIn(page.html.slice(0, start + 300), () => random() * 0.9 + 0.1),
  )
  const fresh = written(random() < 0.5 ? ` ${SENTENCES[Math.floor(random() * 4)]} ` : ' new ')
  const kind = Math.floor(random() * 4)
  if (kind === 0) return spliced(page, [start, start], fresh)
  if (kind === 1) return spliced(page, [start, end], fresh)
  const rest = spliced(page, [start, end], written(''))
  if (kind === 2) return rest
  const to = placeIn(rest.html, random)
  const cut = { html: page.html.slice(start, end), ids: page.ids.slice(start, end) }
  return spliced(rest, [to, to], cut)
}

function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** The characters before and after a place that are still there. */
function neighbours({ html, ids }: Written, place: ByteRange, left: ReadonlySet<number>) {
  const isText = (at: number) =>
    condense(html[at]!) !== '' && !isInTag(html, at) && left.has(ids[at]!)
  let [before, after] = [place.start - 1, place.end]
  while (before > 0 && !isText(before)) before -= 1
  while (after < html.length && !isText(after)) after += 1
  return [ids[before]!, ids[after]!] as const
}

function isInTag(html: string, at: number): boolean {
  return html[at] === '>' || html.lastIndexOf('<', at) > html.lastIndexOf('>', at)
}

/** The text that stands between two characters now; null where they are not in this order. */
function between({ html, ids }: Written, [before, after]: readonly [number, number]) {
  const [start, end] = [ids.indexOf(before) + 1, ids.indexOf(after)]
  return start === 0 || end < start ? null : plainOf(html.slice(start, end)).slice(0, 200)
}

test('in documents of 5 to 50 KB, words that stand once are kept, and none is placed wrongly', async () => {
  const counts = { kept: 0, outdated: 0 }
  for (let seed = 1; seed <= 100; seed++) {
    const random = randomOf(seed)
    const history = createHistory()
    let page = written(documentOf(random, 5000 + Math.floor(random() * 45_000)))
    const fileHash = history.add(page.html)
    const first = page
    const anchors = Array.from({ length: 10 }, () => {
      const start = placeIn(page.html, random)
      return anchorAt(page, [start, start + 4 + Math.floor(random() * 60)], 32)
    }).filter(({ quote }) => quote !== '')
    let located: Located[] = []
    const locate = async () => {
      const shownManifestId = history.add(page.html)
      const questions = anchors.map((anchor, at) => {
        const places = located[at]?.places ?? NO_PLACES
        return {
          ...{ pageId: 'pg_1', anchor, path: '', fileHash, mayTell: true },
          shownManifestId,
          places,
        }
      })
      located = await history.locate(questions)
    }
    await locate()
    const begun = located
    for (let step = 0; step < 3; step++) {
      const before = page
      page = changed(page, random)
      const kind = random()
      if (kind < 0.4) history.edit(before.html, page.html, [before.html, page.html])
      else if (kind > 0.9) page = first
      await locate()
      const text = plainOf(page.html)
      for (const [at, { state, places }] of located.entries()) {
        if (begun[at]!.state !== 'exact') continue
        const { quote } = anchors[at]!
        const isOnce = text.split(condense(quote)).length === 2
        counts[state === 'outdated' ? 'outdated' : 'kept'] += 1
        if (isOnce && isDistinct(quote)) expect([seed, quote, state]).not.toContain('outdated')
        if (state === 'outdated' || isOnce) continue
        const { start, end } = begun[at]!.places.last!
        const own = first.ids.slice(start, end)
        const now = page.ids.slice(places.last!.start, places.last!.end)
        if (own.every((id) => page.ids.includes(id)))
          expect([seed, quote, now]).toEqual([seed, quote, own])
      }
    }
  }
  expect(counts.kept).toBeGreaterThan(counts.outdated * 2)
}, 240_000)

test('where words were rewritten, what stands there now is told, and nothing from elsewhere', async () => {
  const counts = { told: 0, untold: 0 }
  for (let seed = 1; seed <= 300; seed++) {
    const random = randomOf(seed)
    const history = createHistory()
    const first = written(documentOf(random, 5000 + Math.floor(random() * 45_000)))
    const fileHash = history.add(first.html)
    const start = placeIn(first.html, random)
    const anchor = anchorAt(first, [start, start + 12 + Math.floor(random() * 40)], 32)
    const question = { pageId: 'pg_1', anchor, path: '', fileHash, mayTell: true }
    const locate = async (places: AnchorPlaces, html: string) => {
      const shownManifestId = history.add(html)
      const [located] = await history.locate([{ ...question, places, shownManifestId }])
      return located!
    }
    const begun = await locate(NO_PLACES, first.html)
    const place = begun.places.last
    if (place === null) continue
    const words = written(random() < 0.2 ? '' : `quite <i>other</i> words, number ${seed}`)
    let page = spliced(first, [place.start, place.end], words)
    if (random() < 0.7) page = changed(page, random)
    if (random() < 0.4) history.edit(first.html, page.html, [first.html, page.html])
    const { state, places } = await locate(begun.places, page.html)
    const instead = state === 'outdated' ? places.now!.quote : null
    counts[instead === null ? 'untold' : 'told'] += 1
    if (instead === null) continue
    const expected = between(page, neighbours(first, place, new Set(page.ids)))
    expect([seed, expected]).toEqual([seed, condense(instead)])
  }
  expect(counts.told).toBeGreaterThan(counts.untold)
}, 240_000)
