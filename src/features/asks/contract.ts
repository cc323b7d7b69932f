import { z } from 'zod'
import { CONTENT_CODES, SETTINGS_CODES } from '../../model/error-codes/index.ts'
import { component, contractsOf } from '../../model/operation.ts'
import { settingsFields } from '../../model/page/index.ts'
import { mailMessage } from '../../model/plain-text.ts'
import { distinct, email, line, parsedBy } from '../../model/text.ts'
import { timeToCome } from '../../model/times.ts'
import { latestDecision, requestApprovals } from '../approvals/contract.ts'
import { contentFields } from '../content/contract.ts'
import { MAX_WAIT_S } from '../feedback/contract.ts'
import { sentObject } from '../responses/contract.ts'

const accountContract = contractsOf('Feedback', 'account', { hasStrangersWords: true })
const MAX_PEOPLE = 50
const MAX_PAGE = 2000
const MAX_ID = 100

const question = z.strictObject({
  kind: z
    .enum(['approval', 'poll', 'form'])
    .describe('To approve the page, to choose one option by name, or to fill in its form.'),
  question: settingsFields.poll_question.unwrap().optional().describe('Of a poll.'),
  options: settingsFields.poll_options.optional().describe('Of a poll: 2 to 12.'),
})
export type Question = z.output<typeof question>

const waitS = z
  .int()
  .min(0)
  .max(MAX_WAIT_S)
  .default(0)
  .describe('How many seconds to wait for all answers.')

const who = { who: z.string().describe('The address.'), at: z.string() }
const answered = component('AskAnswer', {
  ...who,
  version_no: z.int().nullable().describe('The version that an approver decided on.'),
  answer: z
    .union([
      component('AskVote', { option: z.string() }),
      component('AskResponse', { data: sentObject }),
      latestDecision.pick({ decision: true, note: true }).meta({ id: 'AskDecision' }),
    ])
    .describe('The option of a vote, the data of a response, or the decision.'),
})

const ask = component('Ask', {
  id: z.string(),
  kind: question.shape.kind,
  page: z.object({ id: z.string(), title: z.string().nullable(), url: z.string() }),
  created_at: z.string(),
  due_at: z.string().nullable(),
  answered: z.array(answered).describe('The newest answer of each.'),
  waiting: z.array(z.string()).describe('Who has not answered.'),
  outcome: z
    .enum(['all_answered', 'deadline', 'cancelled'])
    .nullable()
    .describe('Null while it is open.'),
})
export type AskResult = z.input<typeof ask>

const newAsk = component('NewAsk', {
  ...ask.shape,
  mailed: z.array(z.string()).describe('Whose mails are on their way.'),
  links: z
    .array(z.object({ who: z.string(), url: z.string() }))
    .describe('Where this server sends no mails yet: the link of each person, for you to pass on.'),
})

/** An address, or the label of a named link. */
const person = parsedBy(
  (text) => (text.includes('@') ? email : line(200)).safeParse(text).data ?? null,
  'must be an email address, or the label of a link of the page',
)

export const createAsk = accountContract({
  summary: 'Ask people, and wait for their answers.',
  description:
    'Makes a page of `html` that only these people open, or takes the page `page_id`, sets the ' +
    'question on it, and mails each person a personal link. A page whose `access` is not ' +
    '`people` is taken for an approval alone, and nobody is let into it. Only who confirmed one ' +
    'of the addresses answers. With `wait_s` the answer comes once all have answered.',
  http: { method: 'POST', path: '/asks', status: 201, jsonText: true },
  tools: {
    ask: {
      description:
        'Mails people a question about a page and waits for their answers: a poll, an approval, ' +
        'or a form that the page has. Only if the user wants the mails sent. Wait on with ' +
        'get_answers. Example: {"page_id": "launch-plan", "people": ["ann@example.com"], ' +
        '"question": {"kind": "approval"}, "wait_s": 50}.',
    },
  },
  needsRecentSignIn: () => true,
  input: z.strictObject({
    page_id: z.string().max(MAX_PAGE).optional().describe('A page: its id, slug or URL.'),
    html: contentFields.html.optional().describe('The HTML of a new page.'),
    title: line(200).optional().describe('Of the page.'),
    people: distinct(person, MAX_PEOPLE)
      .refine((list) => list.length > 0, 'must name somebody')
      .describe('Who is asked: addresses, or labels of links of the page that have one.'),
    question,
    due_at: timeToCome.nullable().default(null).describe('Until when they are to answer.'),
    message: mailMessage,
    wait_s: waitS,
  }),
  data: newAsk,
  errors: [
    ...CONTENT_CODES,
    ...SETTINGS_CODES,
    ...requestApprovals.errors,
    ...(['ask_unfit', 'ask_not_found', 'too_many_invitees'] as const),
  ],
})
export type AskInput = z.output<typeof createAsk.input>

const askParams = { ask_id: z.string().max(MAX_ID).describe('The id of the ask.') }

export const getAsk = accountContract({
  summary: 'Read the answers to what you asked, and wait for them.',
  description: 'With `wait_s` it comes once all have answered or the time is over.',
  http: { method: 'GET', path: '/asks/{ask_id}', status: 200, jsonText: true },
  tools: {
    get_answers: {
      description:
        'Answers who has answered an ask and who has not, and waits for the rest: call it again ' +
        'while outcome is null.',
    },
  },
  input: z.strictObject({ ...askParams, wait_s: waitS }),
  data: ask,
  errors: ['ask_not_found'],
})

export const cancelAsk = accountContract({
  summary: 'Stop waiting for answers.',
  description: 'The page stays as it is, with what was answered.',
  http: { method: 'POST', path: '/asks/{ask_id}/cancellation', status: 200, jsonText: true },
  input: z.strictObject(askParams),
  data: ask,
  errors: ['ask_not_found'],
})
