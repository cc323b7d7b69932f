import { z } from 'zod'
import { line } from '../text.ts'
import type { Contradiction } from './contradiction.ts'
import { MAX_POLL_OPTION, MAX_POLL_QUESTION, POLL_OPTIONS } from './limits.ts'
import { instant } from './links.ts'

export { POLL_OPTIONS } from './limits.ts'

/** Who sees the results. `closed` is everyone, once voting has ended. */
export const POLL_RESULTS = ['public', 'vote', 'owner', 'closed'] as const
export type PollResults = (typeof POLL_RESULTS)[number]

export const pollFields = {
  collect_votes: z.boolean().describe('Adds a one-question poll.'),
  poll_question: line(MAX_POLL_QUESTION).nullable().describe('The question of the poll.'),
  poll_options: z.array(line(MAX_POLL_OPTION)).describe('2 to 12 different options.'),
  poll_require_email: z
    .boolean()
    .describe('true: one vote per confirmed email address; false: one vote per browser.'),
  poll_results: z
    .enum(POLL_RESULTS)
    .describe('Who sees results: everyone, voters, the owner, or everyone once it has closed.'),
  poll_named: z
    .boolean()
    .describe(
      'Shows who voted for what: names to all who see results. Needs poll_require_email. Votes ' +
        'cast while it is off stay secret.',
    ),
  poll_closes_at: instant.nullable().describe('When voting ends; null removes the end.'),
}

export const pollDefaults = {
  collect_votes: false,
  poll_question: null as string | null,
  poll_options: [] as string[],
  poll_require_email: false,
  poll_results: 'public' as PollResults,
  poll_named: false,
  poll_closes_at: null as string | null,
}

export function pollContradiction(settings: typeof pollDefaults): Contradiction | null {
  const {
    collect_votes: collectVotes,
    poll_question: pollQuestion,
    poll_options: pollOptions,
  } = settings
  const { min, max } = POLL_OPTIONS
  if (new Set(pollOptions).size < pollOptions.length) {
    return { param: 'poll_options', message: 'poll_options must all be different.' }
  }
  const hasOptions = pollOptions.length >= min && pollOptions.length <= max
  if (!hasOptions && (collectVotes || pollOptions.length > 0)) {
    return { param: 'poll_options', message: `poll_options must have ${min} to ${max} options.` }
  }
  if (collectVotes && pollQuestion === null) {
    return { param: 'poll_question', message: 'collect_votes needs a poll_question.' }
  }
  return null
}
