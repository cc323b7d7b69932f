import { describe, expect, test } from 'bun:test'
import type { PollView } from '../../../src/features/polls/contract.ts'
import { localTime, resultsText, secrecyText, turnoutText, votesText } from './words.ts'

const POLL: PollView = {
  question: 'Which?',
  options: [],
  total_votes: null,
  results: 'public',
  shows_results: false,
  closes_at: null,
  is_closed: false,
  requires_email: false,
  is_named: false,
  own_vote: null,
}
const VOTED = { own_vote: { option: 'A', name: null } }

describe('the words of a poll', () => {
  test('say before the vote who learns of it', () => {
    const named = { requires_email: true, is_named: true }
    expect(secrecyText(POLL)).toContain('anonymous')
    expect(secrecyText({ ...POLL, requires_email: true })).toContain(
      'secret, from the page’s owner',
    )
    expect(secrecyText({ ...POLL, ...named })).toContain('not secret: those who see the results')
    expect(secrecyText({ ...POLL, ...named, results: 'owner' })).not.toContain('your name')
  })

  test('say who sees the results, where not everyone does', () => {
    const cases: [poll: Partial<PollView>, viewer: string | null, owner: string | null][] = [
      [{ results: 'public' }, null, null],
      [
        { results: 'owner' },
        'Only the page’s owner sees the results.',
        'Only you see the results.',
      ],
      [
        { results: 'closed' },
        'The results are shown once voting has ended.',
        'Others see the results once voting has ended.',
      ],
      [{ results: 'closed', is_closed: true }, null, null],
      [
        { results: 'vote' },
        'You see the results once you have voted.',
        'Others see the results once they have voted.',
      ],
      [
        { results: 'vote', is_closed: true },
        'The results are shown to those who voted.',
        'Others see the results once they have voted.',
      ],
      [{ results: 'vote', ...VOTED }, null, 'Others see the results once they have voted.'],
    ]
    for (const [poll, viewer, owner] of cases) {
      const texts = [false, true].map((isOwner) => resultsText({ ...POLL, ...poll }, isOwner))
      expect({ poll, texts }).toEqual({ poll, texts: [viewer, owner] })
    }
  })

  test('give votes and shares that never look like none or all unless they are', () => {
    for (const [votes, total, text] of [
      [0, 0, '0 votes · 0%'],
      [0, 9, '0 votes · 0%'],
      [1, 1, '1 vote · 100%'],
      [1, 3, '1 vote · 33%'],
      [1, 1000, '1 vote · <1%'],
      [999, 1000, '999 votes · >99%'],
      [1500, 3000, '1,500 votes · 50%'],
    ] as const) {
      expect(votesText(votes, total === 0 ? 0 : votes / total)).toBe(text)
    }
    expect([0, 1, 2].map(turnoutText)).toEqual(['No votes yet', '1 vote', '2 votes'])
  })

  test('give a time with its day, hour and zone', () => {
    expect(localTime('2026-11-28T13:00:00Z', 'en-GB')).toMatch(
      /^Sat,? 28 Nov 2026(,| at) 13:00 (UTC|GMT)$/,
    )
  })
})
