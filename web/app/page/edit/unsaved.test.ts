import { afterAll, beforeAll, beforeEach, expect, it, setSystemTime } from 'bun:test'
import type { Draft } from './draft.ts'
import { createUnsavedStore, fingerprint } from './unsaved.ts'

const draft = (text: string): Draft => ({
  kind: 'single',
  entry: '',
  files: [{ path: '', text }],
  assets: [],
})

/** A storage whose entries are its own properties, as in browsers. */
class Memory {
  [key: string]: unknown
  getItem(key: string): unknown {
    return this[key] ?? null
  }
  removeItem(key: string): void {
    delete this[key]
  }
  setItem(key: string, value: string): void {
    if (value.length > maxChars) throw new DOMException('full', 'QuotaExceededError')
    this[key] = value
  }
}
let maxChars = Number.POSITIVE_INFINITY

beforeAll(() => {
  setSystemTime(new Date('2026-05-04T10:00:00Z'))
  Object.assign(globalThis, { window: globalThis })
})
beforeEach(() => {
  maxChars = Number.POSITIVE_INFINITY
  Object.assign(globalThis, { localStorage: new Memory() })
})
afterAll(() => {
  setSystemTime()
  Object.assign(globalThis, { window: undefined, localStorage: undefined })
})
const unsaved = (text: string, at = '2026-05-04T09:59:00Z') => ({
  at,
  base: fingerprint(draft('base')),
  draft: draft(text),
})

it('what a tab keeps is its own, and other tabs are offered the latest', () => {
  const open = (tab: string) => createUnsavedStore('pg_1', tab)
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
  const open = (tab: string) => createUnsavedStore('pg_1', tab)
  open('a').keep({ ...unsaved('left'), isLeft: true })
  open('b').keep(unsaved('open'))
  expect(open('c').own()?.draft).toEqual(draft('left'))
  expect(open('a').own()).toBeNull()
  expect(open('d').own()).toBeNull()
  expect(open('c').own()?.draft).toEqual(draft('left'))
})

it('another page, broken entries and old ones are not offered', () => {
  const open = createUnsavedStore
  open('pg_2', 'a').keep(unsaved('of another page'))
  open('pg_1', 'a').keep(unsaved('old', '2026-03-01T00:00:00Z'))
  localStorage.setItem('handbill:unsaved:pg_1:b', '{"at":')
  localStorage.setItem('handbill:unsaved:pg_1:d', '{"at":"2026-05-04T09:00:00Z"}')
  expect(open('pg_1', 'c').ofOthers()).toBeNull()
  expect(open('pg_1', 'b').own()).toBeNull()
  expect(Object.keys(localStorage)).toEqual(['handbill:unsaved:pg_2:a'])
})

it('a text that the browser has no space for is reported, and leaves nothing stale', () => {
  maxChars = 1000
  const store = createUnsavedStore('pg_1', 'a')
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
