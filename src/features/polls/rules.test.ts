import { describe, expect, test } from 'bun:test'
import { DEFAULT_SETTINGS, POLL_RESULTS } from '../../model/page/index.ts'
import {
  countVotes,
  isClosed,
  isNamed,
  type PollSettings,
  rewordedOption,
  shownName,
  visibleTo,
} from './rules.ts'

const BEFORE = '2026-11-21T09:59:59.999999Z'
const CLOSING = '2026-11-21T10:00:00.000000Z'

const settings = (changes: Partial<PollSettings>): PollSettings => ({
  ...DEFAULT_SETTINGS,
  collect_votes: true,
  ...changes,
})

describe('an option', () => {
  const CASES: [before: string, after: string, reworded: string | null][] = [
    ['a b', 'a b', null],
    ['a b', 'b a', null],
    ['a b', 'a c', 'b → c'],
    ['a b c', 'x b c', 'a → x'],
    ['a b c', 'b x a', null],
    ['a b c', 'c x a', 'b → x'],
    ['a b c', 'a c x', null],
    ['a b c', 'x y c', null],
    ['a b', 'a b c', null],
    ['a b c', 'a b', null],
    ['a b c', 'a x', null],
    ['', 'a b', null],
    ['a b', '', null],
  ]
  test('is reworded if one new text is where one is gone, in a list of the same length', () => {
    for (const [before, after, expected] of CASES) {
      const listOf = (text: string) => text.split(' ').filter((word) => word !== '')
      const reworded = rewordedOption(listOf(before), listOf(after))
      const output = reworded && `${reworded.from} → ${reworded.to}`
      expect([before, after, output]).toEqual([before, after, expected])
    }
  })

  test('has the votes of its text; those of texts that are no options do not count', () => {
    const stored = [
      { text: 'b', votes: 3 },
      { text: 'gone', votes: 50 },
      { text: 'a', votes: 1 },
    ]
    expect(countVotes(['a', 'b', 'c'], stored)).toEqual({
      options: [
        { text: 'a', votes: 1, share: 0.25 },
        { text: 'b', votes: 3, share: 0.75 },
        { text: 'c', votes: 0, share: 0 },
      ],
      total: 4,
    })
    expect(countVotes(['x', 'y'], stored)).toEqual({
      options: [
        { text: 'x', votes: 0, share: 0 },
        { text: 'y', votes: 0, share: 0 },
      ],
      total: 0,
    })
  })

  test('has a share that sums to 1 with those of the others', () => {
    for (const votes of [
      [1, 1, 1],
      [1, 2, 4],
      [999_999, 1],
      [7, 0, 0, 0, 0, 6, 5, 4, 3, 2, 1, 1],
    ]) {
      const texts = votes.map((_, at) => `o${at}`)
      const stored = votes.map((count, at) => ({ text: `o${at}`, votes: count }))
      const { options } = countVotes(texts, stored)
      expect(options.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12)
    }
  })
})

describe('a poll', () => {
  test('is closed from its closing time on, that instant included', () => {
    const closesAt = { poll_closes_at: CLOSING }
    expect(isClosed(settings(closesAt), BEFORE)).toBe(false)
    expect(isClosed(settings(closesAt), CLOSING)).toBe(true)
    expect(isClosed(settings({ poll_closes_at: null }), CLOSING)).toBe(false)
  })

  test('is named only with confirmed addresses', () => {
    for (const [requiresEmail, named] of [
      [false, false],
      [false, true],
      [true, false],
      [true, true],
    ] as const) {
      const input = settings({ poll_require_email: requiresEmail, poll_named: named })
      expect(isNamed(input)).toBe(requiresEmail && named)
    }
  })

  const NOTHING = { results: false, turnout: false }
  const TURNOUT = { results: false, turnout: true }
  const ALL = { results: true, turnout: true }
  const SEEN: Record<(typeof POLL_RESULTS)[number], Record<string, object>> = {
    public: {
      'open, not voted': ALL,
      'open, voted': ALL,
      'closed, not voted': ALL,
      'closed, voted': ALL,
    },
    vote: {
      'open, not voted': NOTHING,
      'open, voted': ALL,
      'closed, not voted': NOTHING,
      'closed, voted': ALL,
    },
    owner: {
      'open, not voted': NOTHING,
      'open, voted': NOTHING,
      'closed, not voted': NOTHING,
      'closed, voted': NOTHING,
    },
    closed: {
      'open, not voted': TURNOUT,
      'open, voted': TURNOUT,
      'closed, not voted': ALL,
      'closed, voted': ALL,
    },
  }
  test('shows results and turnout to those whom poll_results names, and all to the owner', () => {
    for (const results of POLL_RESULTS) {
      const fields = settings({ poll_results: results, poll_closes_at: CLOSING })
      for (const [hasVoted, vote] of [
        [false, 'not voted'],
        [true, 'voted'],
      ] as const) {
        for (const [now, state] of [
          [BEFORE, 'open'],
          [CLOSING, 'closed'],
        ] as const) {
          const seen = visibleTo({ isOwner: false, hasVoted }, fields, now)
          const what = `${state}, ${vote}`
          expect({ results, what, seen }).toEqual({
            results,
            what,
            seen: SEEN[results][what] as never,
          })
          expect(visibleTo({ isOwner: true, hasVoted }, fields, now)).toEqual(ALL)
        }
      }
    }
  })
})

test('the name of a voter is one line of plain text, or else the alias', () => {
  for (const [given, shown] of [
    ['Ann', 'Ann'],
    ['  Ann \n B. ', 'Ann B.'],
    ['<b>Ann</b>', '<b>Ann</b>'],
    ['\u202eAnn\u0000', 'Ann'],
    ['', 'Amber Heron'],
    [' \u200b ', 'Amber Heron'],
    [null, 'Amber Heron'],
    [undefined, 'Amber Heron'],
    ['x'.repeat(200), 'x'.repeat(80)],
    ['\ud800', '\ufffd'],
  ] as const) {
    expect(shownName(given, 'Amber Heron')).toBe(shown)
  }
})
