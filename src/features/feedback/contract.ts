import { z } from 'zod'
import { CLOSING_REASONS, EVENT_TYPES, type EventType } from '../../model/event-types.ts'
import { component, contractsOf } from '../../model/operation.ts'
import { accessRequest } from '../access/contract.ts'
import { acceptance } from '../agreements/contract.ts'
import { latestDecision } from '../approvals/contract.ts'
import { comment } from '../comments/contract.ts'
import { response } from '../responses/contract.ts'

const SHARED = { hasStrangersWords: true, takesConfirmedOnly: true } as const
const accountContract = contractsOf('Feedback', 'account', SHARED)
const ownerContract = contractsOf('Feedback', 'owner', SHARED)

/** Less than the minute after which many proxies end a request. */
export const MAX_WAIT_S = 50
const MAX_CURSOR = 200
const MAX_TYPES = 200
const MAX_PAGE = 2000

const singleComment = comment.omit({ replies: true }).meta({
  id: 'SingleComment',
  description: 'A comment or reply, without the replies to it.',
})
const sentResponse = response.omit({ values: true }).meta({ id: 'SentResponse' })
const vote = z
  .object({ email: z.string(), name: z.string(), option: z.string(), voted_at: z.string() })
  .meta({ id: 'NamedVote' })

const ofEveryEvent = {
  id: z.string().describe('Begins with `evt_`. Unique in the account.'),
  at: z.string(),
  page_id: z.string(),
  page_title: z.string().nullable(),
  link_id: z
    .string()
    .nullable()
    .describe('The named link by which they came who did it; null where it is not known.'),
  link_label: z.string().nullable().describe('Whose link it is: others can have used it.'),
}
function event<T extends EventType, M extends z.ZodRawShape>(
  type: T,
  members: M,
  description?: string,
) {
  const words = type.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const meta = { id: `${words.join('')}Event`, ...(description && { description }) }
  return z.object({ type: z.literal(type), ...ofEveryEvent, ...members }).meta(meta)
}

export const feedbackEvent = z.discriminatedUnion('type', [
  event('comment', { comment: singleComment }),
  // A reply, and what it replies to.
  event('reply', { comment: singleComment, thread: singleComment }),
  event('response', { response: sentResponse }),
  event('vote', { vote: vote.nullable().describe('Null: it is secret.') }),
  event('approval', { approval: latestDecision }),
  event('agreement', { agreement: acceptance }),
  event(
    'opened',
    { email: z.string().nullable().describe('The confirmed address; null: by a named link.') },
    'The first opening by a named link, or by somebody whom the gate confirmed.',
  ),
  event(
    'page_closed',
    { reason: z.enum(CLOSING_REASONS) },
    'The link of the page has expired or reached its view limit.',
  ),
  event('access_request', { access_request: accessRequest }),
])
export type FeedbackEvent = z.input<typeof feedbackEvent>

const query = {
  cursor: z
    .string()
    .max(MAX_CURSOR)
    .optional()
    .describe('That of the answer before, or `start`: all that is kept. Left out: from now on.'),
  types: z
    .string()
    .max(MAX_TYPES)
    .optional()
    .describe(`Some of \`${EVENT_TYPES.join()}\`, separated by commas. All by default.`),
  wait_s: z
    .int()
    .min(0)
    .max(MAX_WAIT_S)
    .default(0)
    .describe('How many seconds to wait until there is something.'),
  own: z.boolean().default(false).describe('Also what the account itself wrote.'),
  limit: z.int().min(1).max(100).default(50).describe('The most to answer.'),
}

const output = z.object({
  data: component('Feedback', {
    items: z.array(feedbackEvent).describe('In the order in which they happened.'),
    cursor: z.string().describe('Pass as cursor to go on from here. It never expires.'),
    more: z.boolean().describe('There is more already: ask again at once.'),
  }),
})

const ABOUT =
  'Comments, replies, responses, votes, decisions of approvers, access requests and links that ' +
  'have closed, each once and in order, as they are now; what was deleted since is left out. ' +
  'Reading consumes nothing: a cursor can be read from again. Events are kept for 90 days at ' +
  'least. With `wait_s`, the answer comes as soon as there is something, or empty once the ' +
  'time is over. A key with `confirmed_only` gets what people did who confirmed an address, and ' +
  'named votes.'

export const getFeedback = accountContract({
  pageKeys: true,
  summary: 'Read what viewers do on all pages, and wait for it.',
  description: ABOUT,
  http: { method: 'GET', path: '/feedback', status: 200, jsonText: true },
  tools: {
    wait_for_feedback: {
      description:
        'Waits until somebody comments, answers a form, votes, decides or asks for access, and ' +
        'answers that with a cursor: pass it for what comes next.',
    },
  },
  input: z.strictObject({
    page_id: z.string().max(MAX_PAGE).optional().describe('One page: its id, slug or URL.'),
    ...query,
  }),
  output,
})

export const getPageFeedback = ownerContract({
  summary: 'Read what viewers do on one page, and wait for it.',
  description: ABOUT,
  http: { method: 'GET', path: '/pages/{id}/feedback', status: 200, jsonText: true },
  input: z.strictObject(query),
  output,
})

export type FeedbackQuery = z.output<typeof getPageFeedback.input>
export type Feedback = z.input<typeof output>['data']
