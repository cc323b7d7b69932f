import { z } from 'zod'
import { contractsOf, limitsOf, visitorContractsOf } from '../../model/operation.ts'
import { MAX_SHOWN_NAMES } from '../../model/page/facts.ts'
import { POLL_RESULTS } from '../../model/page/index.ts'
import { nextOffset, paging } from '../../model/paging.ts'

const ownerContract = contractsOf('Poll', 'owner')

const SHARE = '`votes` divided by `total_votes`, 0 to 1; 0 without votes.'

const pollVoter = z.object({
  email: z.string().describe('The confirmed address.'),
  name: z.string().describe('The name they gave, not verified.'),
  option: z.string(),
  voted_at: z.string(),
})

const poll = z
  .object({
    collecting: z.boolean().describe('Whether viewers see the poll: the page’s `collect_votes`.'),
    question: z.string().nullable(),
    options: z
      .array(
        z.object({ text: z.string(), votes: z.int(), share: z.number().describe(SHARE) }).meta({
          id: 'PollOption',
        }),
      )
      .describe('In the order of `poll_options`.'),
    total_votes: z.int().describe('The votes for these options.'),
    closes_at: z.string().nullable().describe('The page’s `poll_closes_at`.'),
    is_closed: z.boolean().describe('Whether that time has passed.'),
    voters: z
      .array(pollVoter)
      .nullable()
      .describe(
        'Who voted for what, newest first: votes cast while `poll_named` was on. Null while it ' +
          'is off.',
      ),
    next_offset: nextOffset,
  })
  .meta({ id: 'Poll', description: 'The results of a page’s poll, as its owner sees them.' })
export type Poll = z.output<typeof poll>

export const getPoll = ownerContract({
  summary: 'Read the results of a page’s poll.',
  description:
    'The poll itself is set with the page: `collect_votes`, `poll_question`, `poll_options`. An ' +
    'option keeps its votes when it is moved or reworded in its place. Votes for an option that ' +
    'was removed are not counted until it returns, and nothing deletes them. A vote cast while ' +
    '`poll_named` is off stays secret, whatever is set later.',
  http: { method: 'GET', path: '/pages/{id}/poll', status: 200 },
  tools: {
    get_poll: {
      description: 'Reads the votes of a page’s poll, and who voted where votes are named.',
    },
  },
  input: z.strictObject(paging({ most: 1000, usual: 200 })),
  data: poll,
  hasStrangersWords: true,
})
export type PollQuery = z.output<typeof getPoll.input>

/** The poll as the panel shows it. What the viewer may not see is null, and not just hidden. */
const pollView = z.object({
  question: z.string(),
  options: z.array(
    z.object({
      text: z.string(),
      votes: z.int().nullable(),
      share: z.number().nullable(),
      /** The latest voters, by the names they gave. Null where votes are secret. */
      names: z.array(z.string()).max(MAX_SHOWN_NAMES).nullable(),
    }),
  ),
  /** The number of voters; null for a viewer who may not see it. */
  total_votes: z.int().nullable(),
  /** Who sees the results: the page’s `poll_results`. */
  results: z.enum(POLL_RESULTS),
  shows_results: z.boolean(),
  closes_at: z.string().nullable(),
  is_closed: z.boolean(),
  /** Only a viewer with a confirmed address can vote. */
  requires_email: z.boolean(),
  /** A vote cast now is named: to the owner by address, to others who see the results by name. */
  is_named: z.boolean(),
  own_vote: z
    .object({
      /** Null where the option was removed. */
      option: z.string().nullable(),
      /** Null where the vote is secret. */
      name: z.string().nullable(),
    })
    .nullable(),
})
export type PollView = z.output<typeof pollView>

const pollState = z.object({
  /** Identifies this state, for `known`. */
  version: z.string(),
  /** Null if the client knows this version. */
  state: pollView.nullable(),
})
export type PollState = z.output<typeof pollState>

/** Two tokens and a vote. */
const BODY = { maxBytes: 96 * 1024, tooLarge: 'This is more than a vote can hold.' }
const panelContract = visitorContractsOf('participant', BODY)

export const readPoll = panelContract({
  summary: 'Read a page’s poll, as far as this viewer may see it.',
  http: { method: 'POST', path: '/~/poll', status: 200 },
  limits: null,
  input: z.strictObject({ known: z.string().max(100).nullish() }),
  data: pollState,
  errors: ['poll_off'],
})

export const castVote = panelContract({
  summary: 'Vote in a page’s poll, or change the vote.',
  http: { method: 'POST', path: '/~/votes', status: 200 },
  limits: limitsOf('vote', { address: 120, viewer: 20 }),
  input: z.strictObject({
    /** The text of the option, as the voter saw it. */
    option: z.string().max(1000),
    /** The notice that the voter read: whether the vote is named. */
    is_named: z.boolean(),
    /** The name that others see with a named vote; by default the participant’s alias. */
    name: z.string().max(1000).nullish(),
  }),
  data: pollState,
  errors: [
    'poll_off',
    'poll_closed',
    'poll_changed',
    'poll_full',
    'unknown_option',
    'email_not_confirmed',
    'name_reserved',
    'gone',
  ],
})
export type Ballot = z.output<typeof castVote.input>
