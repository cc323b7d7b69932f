import { expect, test } from 'bun:test'
import { relativeTime } from './time-words.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const CASES: [iso: string, text: string][] = [
  ['2026-11-22T12:00:00.000000Z', 'just now'],
  ['2026-11-22T11:59:01.000000Z', 'just now'],
  ['2026-11-22T11:58:59.000000Z', '1 minute ago'],
  ['2026-11-22T09:00:00.000000Z', '3 hours ago'],
  ['2026-11-21T11:00:00.000000Z', 'yesterday'],
  ['2026-11-09T11:00:00.000000Z', 'last week'],
  ['2026-09-01T12:00:00.000000Z', '2 months ago'],
  ['2020-11-22T12:00:00.000000Z', '6 years ago'],
  ['2026-11-22T12:00:30.000000Z', 'in a moment'],
  ['2026-11-24T13:00:00.000000Z', 'in 2 days'],
]

test('a time is written as people say it', () => {
  for (const [iso, text] of CASES) expect([iso, relativeTime(iso, NOW)]).toEqual([iso, text])
})
