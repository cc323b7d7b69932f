import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { create, type Font } from 'fontkit'
import { NO_ASSETS } from '../../testing/no-assets.ts'
import { processorMs } from '../../testing/processor-time.ts'
import { drawable, linesOf, widthOf } from './text.ts'

const fonts = [
  'fonts/newsreader-latin-wght-normal.woff2',
  'fonts/newsreader-latin-ext-wght-normal.woff2',
  'fonts/newsreader-vietnamese-wght-normal.woff2',
  'pdfjs/standard_fonts/LiberationSans-Regular.ttf',
].map((name) => create(readFileSync(NO_ASSETS.path(name))) as Font)

describe('what can be drawn of a title', () => {
  test.each([
    ['Quarterly plan: Łódź, Győr', 'Quarterly plan: Łódź, Győr'],
    ['Τριμηνιαία έκθεση', 'Τριμηνιαία έκθεση'],
    ['Отчёт за квартал', 'Отчёт за квартал'],
    ['Báo cáo quý của Nguyễn', 'Báo cáo quý của Nguyễn'],
    ['Cafe\u0301', 'Café'],
    ['  two\n\tlines  ', 'two lines'],
    ['Launch 🚀 of the party🎉 👩‍👩‍👧', 'Launch of the party'],
    ['Sprint review 第三季度 of the Berlin team', 'Sprint review of the Berlin team'],
    ['<b>&amp;"', '<b>&amp;"'],
  ])('%s', (title, drawn) => expect(drawable(title, fonts)).toBe(drawn))

  test.each(['年度報告', '2025 年度報告 全部', 'דוח רבעוני', '🚀🎉', ' ', '\u200b', '\ud83d'])(
    'nothing of %j',
    (title) => expect(drawable(title, fonts)).toBeNull(),
  )
})

describe('the lines of a title', () => {
  test('are as wide as there is room, and keep every word', () => {
    const text = 'Quarterly plan: what we ship, and why it matters to the teams of Győr'
    const lines = linesOf(text, fonts, 10, 9)
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines) expect(widthOf(line, fonts)).toBeLessThanOrEqual(10)
    expect(lines.join(' ')).toBe(text)
  })

  test('end with an ellipsis within the width where there are more', () => {
    const lines = linesOf('many words, '.repeat(30), fonts, 10, 3)
    expect(lines).toHaveLength(3)
    expect(lines[2]).toMatch(/(many|words|\w)…$/)
    expect(widthOf(lines[2]!, fonts)).toBeLessThanOrEqual(10)
  })

  test('break a word that is wider, soon also where it is the longest there is', () => {
    let lines: string[] = []
    const took = processorMs(() => {
      lines = linesOf('W'.repeat(300), fonts, 10, 3)
    })
    expect(took).toBeLessThan(2000)
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(widthOf(line, fonts)).toBeLessThanOrEqual(10)
  })
})
