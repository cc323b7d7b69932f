import { expect, test } from 'bun:test'
import { markTexts } from './texts.ts'

const COPIED = { title: 'Plan', host: 'docs.example', nowMs: Date.UTC(2026, 10, 28, 9, 59, 59) }
const LINK = { id: 'lnk_1', label: 'Ann (Acme)' }

test('a mark names the confirmed address, beside the link that it was opened with', () => {
  const note = '28 Nov 2026, 09:00 UTC · docs.example'
  const first = (email: string | null, link: typeof LINK | null) => {
    const texts = markTexts({ email, link }, COPIED)
    expect(texts.note).toBe(note)
    return texts.who[0]
  }
  expect(first('ann@acme.example', null)).toBe('ann@acme.example')
  expect(first(null, LINK)).toBe('Ann (Acme)')
  expect(first('bob@acme.example', LINK)).toBe('bob@acme.example · Ann (Acme)')
})

test('a mark of nobody who is known names the page, and the host where it has no title', () => {
  const nobody = { email: null, link: null }
  expect(markTexts(nobody, COPIED).who).toEqual(['Plan', 'docs.example'])
  expect(markTexts(nobody, { ...COPIED, title: null }).who).toEqual(['docs.example'])
})

test('a link whose name cannot be drawn stands by its id before the title does', () => {
  const { who } = markTexts({ email: null, link: { ...LINK, label: '安' } }, COPIED)
  expect(who).toEqual(['安', 'lnk_1', 'Plan', 'docs.example'])
})

test('the same person has the same mark for an hour', () => {
  const at = (nowMs: number) => markTexts({ email: null, link: LINK }, { ...COPIED, nowMs })
  const { nowMs } = COPIED
  expect(at(nowMs - 59 * 60_000)).toEqual(at(nowMs))
  expect(at(nowMs + 1000)).not.toEqual(at(nowMs))
})
