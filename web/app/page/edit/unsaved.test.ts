import { expect, it } from 'bun:test'
import type { Draft } from './draft.ts'
import { createUnsavedStore, fingerprint } from './unsaved.ts'

const draft = (text: string): Draft => ({
  kind: 'single',
  entry: '',
  files: [{ path: '', text }],
  assets: [],
})
const NOW = Date.parse('2026-05-04T10:00:00Z')

function memory(maxChars = Number.POSITIVE_INFINITY) {
  const items = new Map<string, string>()
  return {
    items,
    get length() {
      return items.size
    },
    key: (at: number) => [...items.keys()][at] ?? null,
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => void items.delete(key),
    setItem(key: string, value: string) {
      if (value.length > maxChars) throw new DOMException('full', 'QuotaExceededError')
      items.set(key, value)
    },
  }
}
const unsaved = (text: string, at = '2026-05-04T09:59:00Z') => ({
  at,
  base: fingerprint(draft('base')),
  draft: draft(text),
})

it('what a tab keeps is its own, and other tabs are offered the latest', () => {
  const storage = memory()
  const open = (tab: string) => createUnsavedStore('pg_1', { storage, tab, now: () => NOW })
  open('a').keep(unsaved('from a', '2026-05-04T09:00:00Z'))
  open('b').keep(unsaved('from b'))
  expect(open('a').own()?.draft).toEqual(draft('from a'))
  expect(open('c').own()).toBeNull()
  expect(open('c').ofOthers()?.unsaved.draft).toEqual(draft('from b'))
  open('c').ofOthers()?.drop()
  expect(open('c').ofOthers()?.unsaved.draft).toEqual(draft('from a'))
  open('a').clear()
  expect(open('c').ofOthers()).toBeNull()
})

it('the next tab goes on with what one that is gone has left, and no other after it', () => {
  const storage = memory()
  const open = (tab: string) => createUnsavedStore('pg_1', { storage, tab, now: () => NOW })
  open('a').keep({ ...unsaved('left'), isLeft: true })
  open('b').keep(unsaved('open'))
  expect(open('c').own()?.draft).toEqual(draft('left'))
  expect(open('a').own()).toBeNull()
  expect(open('d').own()).toBeNull()
  expect(open('c').own()?.draft).toEqual(draft('left'))
})

it('another page, broken entries and old ones are not offered', () => {
  const storage = memory()
  const open = (page: string, tab: string) =>
    createUnsavedStore(page, { storage, tab, now: () => NOW })
  open('pg_2', 'a').keep(unsaved('of another page'))
  open('pg_1', 'a').keep(unsaved('old', '2026-03-01T00:00:00Z'))
  storage.items.set('handbill:unsaved:pg_1:b', '{"at":')
  storage.items.set('handbill:unsaved:pg_1:d', '{"at":"2026-05-04T09:00:00Z"}')
  expect(open('pg_1', 'c').ofOthers()).toBeNull()
  expect(open('pg_1', 'b').own()).toBeNull()
  expect([...storage.items.keys()]).toEqual(['handbill:unsaved:pg_2:a'])
})

it('a text that the browser has no space for is reported, and leaves nothing stale', () => {
  const storage = memory(1000)
  const store = createUnsavedStore('pg_1', { storage, tab: 'a', now: () => NOW })
  expect(store.keep(unsaved('short'))).toBe(true)
  expect(store.keep(unsaved('x'.repeat(2000)))).toBe(false)
  expect(store.own()).toBeNull()
})

it('fingerprints differ by text, entry and files', () => {
  const prints = [
    draft('a'),
    draft('b'),
    { ...draft('a'), entry: 'x' },
    { ...draft('a'), files: [{ path: 'x', text: 'a' }] },
  ].map(fingerprint)
  expect(new Set(prints).size).toBe(4)
  expect(fingerprint(draft('a'))).toBe(prints[0]!)
})
