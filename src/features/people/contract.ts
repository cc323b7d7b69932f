import { z } from 'zod'
import { component, contractsOf } from '../../model/operation.ts'
import { REFUSAL_REASONS } from '../../model/page/admission.ts'
import { nextOffset, paging } from '../../model/paging.ts'
import { mailMessage } from '../../model/plain-text.ts'
import { LINK_STATES, MAX_REMINDED, NOT_REMINDED } from '../links/contract.ts'

const ownerContract = contractsOf('Access', 'owner')

const time = z.string().nullable()

const person = component('Person', {
  who: z.string().describe('The label of the link, or the confirmed address.'),
  via: z
    .enum(['link', 'address'])
    .describe('A named link, which anybody can have used; or a confirmed address.'),
  link_id: z.string().nullable(),
  email: z.string().nullable().describe('Where the link was sent, or the confirmed address.'),
  state: z.enum(LINK_STATES).nullable().describe('Of the link.'),
  addresses: z
    .array(z.string())
    .describe('Of a link: addresses that were confirmed by who came by it.'),
  links: z
    .array(z.object({ link_id: z.string(), label: z.string() }))
    .describe('Of an address: links that it came by.'),
  sent: z
    .object({ at: z.string(), bounced_at: time.describe('When a mail server refused it.') })
    .nullable()
    .describe('The newest mail with the link; of an address: with a personal link.'),
  opened: z.object({
    views: z.int().describe('Views, those of mail scanners included.'),
    first_at: time.describe('When a browser first showed the page; null: none has.'),
    last_at: time,
    devices: z.int().nullable().describe('Browsers that showed it by the link.'),
  }),
  progress: z
    .object({
      sheet: z.int().nullable().describe('The highest page of a PDF.'),
      sections: z.int().nullable().describe('The most sections or files in one view.'),
    })
    .nullable()
    .describe('How far, where it was measured.'),
  seconds: z.int().nullable().describe('The time that was measured; null: none was.'),
  responses: z.int(),
  comments: z.int().describe('Replies included.'),
  votes: z.int().describe('Named votes: of secret ones nobody is told.'),
  decision: z
    .object({
      decision: z.enum(['approved', 'changes_requested']),
      version_no: z.int(),
      decided_at: z.string(),
    })
    .nullable()
    .describe('The newest.'),
  refusals: z
    .array(z.object({ reason: z.enum(REFUSAL_REASONS), count: z.int() }))
    .describe('How often who came by the link was not let in, and why.'),
  reminder: z
    .object({
      count: z.int().describe('How many were mailed: at most three.'),
      last_at: time,
      not_now: z.enum(NOT_REMINDED).nullable().describe('Why none can be mailed now.'),
    })
    .nullable()
    .describe('Of a link.'),
})
export type Person = z.output<typeof person>

export const listPeople = ownerContract({
  summary: 'See who opened a page: a line for each named link and each confirmed address.',
  description:
    'Links come first, the newest first; then the addresses that a gate or a panel of the page ' +
    'confirmed, the latest first. A link says by whose link something was done, and not who did ' +
    'it. The views of all its links and `without_link` add up to `views`. With `format=csv` a ' +
    'file of all lines is answered.',
  http: { method: 'GET', path: '/pages/{id}/people', status: 200, also: 'text/csv' },
  tools: {
    get_people: {
      set: 'links',
      description: 'Reads who opened a page, by named link and confirmed address.',
      unlisted: ['format', 'limit', 'offset'],
    },
  },
  input: z.strictObject({
    filter: z.literal('not_opened').optional().describe('Only links that nobody opened.'),
    format: z.enum(['json', 'csv']).default('json').describe('`csv` answers a file of all.'),
    ...paging({ most: 500, usual: 100 }),
  }),
  output: z.object({
    data: component('People', {
      views: z.int().describe('The page’s.'),
      without_link: z.int().describe('Those by no link of now.'),
      people: z.array(person),
    }),
    next_offset: nextOffset,
  }),
  hasStrangersWords: true,
})
export type PeopleQuery = z.output<typeof listPeople.input>
export type People = z.output<typeof listPeople.output>

export const remindPeople = ownerContract({
  summary: 'Remind those who have not opened their link.',
  description:
    'Mails their links, with `message`: those that are named, or all that nobody opened. An ' +
    'address gets at most one a day and three in all for a page, and none once it has stopped ' +
    'such mails of yours. One call sends at most 200.',
  http: { method: 'POST', path: '/pages/{id}/people/reminders', status: 202 },
  input: z.strictObject({
    link_ids: z.array(z.string().max(100)).min(1).max(MAX_REMINDED).optional(),
    message: mailMessage,
  }),
  data: component('Reminders', {
    reminded: z.array(z.string()).describe('The links whose mails are on their way.'),
    not_reminded: z.array(z.object({ link_id: z.string(), reason: z.enum(NOT_REMINDED) })),
    left: z.int().describe('How many more another call reminds.'),
  }),
  errors: ['link_not_found'],
})
export type Reminders = z.output<typeof remindPeople.output>['data']
