import { describe, expect, test } from 'bun:test'
import { durationInWords, reasonInWords, summaryOf } from './words.ts'

const WHEN = 'in the last 30 days'

describe('the sentence about a link', () => {
  test('says who opened it, who has not, and who was refused', () => {
    const facts = {
      views: 142,
      viewers: 58,
      refusals: [
        { reason: 'expired', count: 1 },
        { reason: 'wrong_password', count: 3 },
      ],
    }
    expect(summaryOf(facts, WHEN, { invited: 5, notOpened: 3 })).toBe(
      'Opened 142 times in the last 30 days, by 58 viewers counted once a day. ' +
        '3 of 5 invited have not opened it. Turned back 4 times: most tried a wrong password.',
    )
  })
  test('says when nothing happened, and leaves out what is not known', () => {
    expect(summaryOf({ views: 0 }, WHEN, null)).toBe('Nobody opened it in the last 30 days.')
    expect(summaryOf({ views: 1 }, WHEN, { invited: 2, notOpened: 0 })).toBe(
      'Opened 1 time in the last 30 days. All 2 invited have opened it.',
    )
  })
})

test('a reason that is new to the dashboard is still words', () => {
  expect(reasonInWords('moved_away')).toBe('moved away')
})

test('durations are as exact as they can be read', () => {
  expect([0.4, 1, 42, 185, 7_800].map(durationInWords)).toEqual([
    'under a second',
    '1 second',
    '42 seconds',
    '3 min 5 s',
    '2 h 10 min',
  ])
})
