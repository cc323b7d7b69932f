import { describe, expect, it } from 'bun:test'
import {
  type Asset,
  afterSave,
  type Draft,
  differingPaths,
  draftOf,
  isSameDraft,
  mergeDrafts,
  pathProblem,
  renamed,
  withAssetText,
  withNewPaths,
  without,
  withText,
} from './draft.ts'

const asset = (path: string, hash: string): Asset => ({
  path,
  type: 'text/css',
  size_bytes: 1,
  source: { path, hash },
})
const DECK: Draft = {
  kind: 'bundle',
  entry: 'index.html',
  files: [
    { path: 'index.html', text: 'one' },
    { path: 'team.html', text: 'two' },
  ],
  assets: [asset('a.css', 'h1'), asset('b.css', 'h2')],
}

describe('a draft', () => {
  it('is read from the answer of a single page', () => {
    const state = { has_unpublished_changes: false, elided: { count: 0, chars: 0 } }
    const draft = draftOf({ kind: 'single', html: '<p>', ...state })
    expect(draft.files).toEqual([{ path: '', text: '<p>' }])
  })

  it('is the same after an asset was opened, and another once its text is changed', () => {
    const opened = withAssetText(DECK, 'a.css', 'p{}')
    expect(isSameDraft(DECK, opened)).toBe(true)
    expect(differingPaths(DECK, withText(opened, 'a.css', 'p{color:red}'))).toEqual(['a.css'])
    expect(isSameDraft(DECK, withText(withText(opened, 'a.css', 'x'), 'a.css', 'p{}'))).toBe(true)
  })

  it('keeps an entry when its file is renamed or deleted', () => {
    expect(renamed(DECK, 'index.html', 'start.html').entry).toBe('start.html')
    expect(without(DECK, 'index.html').entry).toBe('team.html')
    expect(isSameDraft(DECK, { ...DECK, entry: 'team.html' })).toBe(false)
  })

  it('has its assets from the server after a save, and what was typed meanwhile', () => {
    const saved = withText(withAssetText(DECK, 'a.css', 'p{}'), 'a.css', 'b{}')
    const typed = withText(saved, 'a.css', 'b{} i{}')
    const read = { ...DECK, assets: [asset('a.css', 'h9'), asset('b.css', 'h2')] }
    const { base, work } = afterSave(saved, typed, read)
    expect(base.assets[0]).toMatchObject({ source: { hash: 'h9' }, text: 'b{}', sourceText: 'b{}' })
    expect(differingPaths(base, work)).toEqual(['a.css'])
    expect(isSameDraft(afterSave(saved, saved, read).work, read)).toBe(true)
  })
})

it('reads its assets from the paths that they were saved under', () => {
  const saved = renamed(DECK, 'a.css', 'c.css')
  const [, kept] = withNewPaths(saved, saved).assets
  expect(kept).toMatchObject({ path: 'c.css', source: { path: 'c.css', hash: 'h1' } })
  const since = withNewPaths(renamed(saved, 'c.css', 'd.css'), saved).assets
  expect(since[1]).toMatchObject({ path: 'd.css', source: { path: 'c.css', hash: 'h1' } })
})

describe('two changes of one draft', () => {
  it('are joined where they are in different files', () => {
    const mine = withText(DECK, 'index.html', 'mine')
    const theirs = without(withText(DECK, 'team.html', 'theirs'), 'b.css')
    const { draft, conflicts } = mergeDrafts(DECK, mine, theirs)
    expect(conflicts).toEqual([])
    expect(draft.files.map(({ text }) => text)).toEqual(['mine', 'theirs'])
    expect(draft.assets.map(({ path }) => path)).toEqual(['a.css'])
  })

  it('are joined within a file, unless they meet', () => {
    const text = '<h1>Plan</h1>\r\n<p>We open at ten &mdash; come early.</p>'
    const base = withText(DECK, 'team.html', text)
    const change = (...words: [string, string]) =>
      withText(base, 'team.html', text.replace(...words))
    const mine = change('early', 'late')
    const joined = mergeDrafts(base, mine, change('at ten', 'at nine'))
    expect(joined.conflicts).toEqual([])
    expect(joined.draft.files[1]!.text).toBe(
      '<h1>Plan</h1>\r\n<p>We open at nine &mdash; come late.</p>',
    )
    for (const theirs of [change('early', 'soon'), change(' &mdash; come early', '')]) {
      const { draft, conflicts } = mergeDrafts(base, mine, theirs)
      expect(conflicts).toEqual(['team.html'])
      expect(draft.files).toContainEqual(mine.files[1]!)
    }
  })

  it('are a conflict where both changed a file, also where one deleted it', () => {
    const mine = withText(DECK, 'team.html', 'mine')
    for (const theirs of [withText(DECK, 'team.html', 'theirs'), without(DECK, 'team.html')]) {
      const { draft, conflicts } = mergeDrafts(DECK, mine, theirs)
      expect(conflicts).toEqual(['team.html'])
      expect(draft.files).toContainEqual({ path: 'team.html', text: 'mine' })
    }
  })

  it('are none where both made the same one', () => {
    const same = withText(DECK, 'team.html', 'same')
    expect(mergeDrafts(DECK, same, same).conflicts).toEqual([])
  })

  it('take over the entry of the one that changed it', () => {
    const theirs = { ...DECK, entry: 'team.html' }
    expect(mergeDrafts(DECK, withText(DECK, 'index.html', 'x'), theirs).draft.entry).toBe(
      'team.html',
    )
  })
})

it.each([
  ['', null],
  ['/a.html', null],
  ['a//b.html', null],
  ['../a.html', null],
  ['a\\b.html', null],
  ['~a.html', null],
  ['TEAM.html', null],
  ['team.txt', 'team.html'],
  ['a.html', 'a.css'],
])('the path %s is refused', (path, before) => {
  expect(pathProblem(DECK, path, before)).not.toBeNull()
})

it.each([
  ['parts/two.html', null],
  ['Team.html', 'team.html'],
  ['img/a.css', 'a.css'],
])('the path %s is fine', (path, before) => {
  expect(pathProblem(DECK, path, before)).toBeNull()
})
