import { z } from 'zod'
import { component, contractsOf } from '../../model/operation.ts'
import { nextOffset, paging } from '../../model/paging.ts'
import { mailMessage } from '../../model/plain-text.ts'
import { email, line } from '../../model/text.ts'
import { timeToCome } from '../../model/times.ts'

const ownerContract = contractsOf('Access', 'owner')

export const MAX_LABEL = 100
const MAX_NOTE = 500
/** Of one batch. */
export const MAX_PEOPLE = 200
const MAX_CSV = 100_000
const MOST_OPENS = 1_000_000

export const LINK_STATES = ['active', 'off', 'expired', 'used_up'] as const
export type LinkState = (typeof LINK_STATES)[number]

/** How many links one request reminds of. */
export const MAX_REMINDED = 200

/** Why a link is not mailed again now. */
export const NOT_REMINDED = [
  'no_address',
  'opened',
  'link_closed',
  'bounced',
  'unsubscribed',
  'reminded_today',
  'reminded_enough',
  'no_mail_server',
  'not_published',
  'not_admitted',
] as const
export type NotReminded = (typeof NOT_REMINDED)[number]

export const label = line(MAX_LABEL).describe('Whom it is for.')

const fields = {
  email: email.nullish().describe('The address that it goes to.'),
  expires_at: timeToCome.nullish().describe('Until when it works.'),
  max_views: z.int().min(1).max(MOST_OPENS).nullish().describe('How often it opens the page.'),
  note: line(MAX_NOTE).nullish().describe('For you to read.'),
}
const linkId = z.string().max(100).describe('The id of the link.')

const link = component('Link', {
  id: z.string(),
  label: z.string(),
  url: z.string(),
  email: z.string().nullable(),
  note: z.string().nullable(),
  state: z.enum(LINK_STATES).describe('Only an `active` link leads to the page.'),
  expires_at: z.string().nullable(),
  max_views: z.int().nullable(),
  created_at: z.string(),
  sent_at: z.string().nullable().describe('When the newest mail with it was made.'),
  bounced_at: z.string().nullable().describe('When that mail was given up.'),
  opens: z
    .int()
    .describe('Views by it, which the page’s `views` include: also those of mail scanners.'),
  first_opened_at: z
    .string()
    .nullable()
    .describe('When a browser first showed the page by it, which mail scanners do not.'),
  last_opened_at: z.string().nullable(),
})
export type Link = z.output<typeof link>

export const createLink = ownerContract({
  summary: 'Make a link for one person.',
  description:
    'Its address leads to the page, and what is done by it is told under its label. It opens ' +
    'nothing that the page’s access shuts: there the gate still asks. Whoever has it can hand ' +
    'it on, so it says by which link the page was opened, and not by whom.',
  http: { method: 'POST', path: '/pages/{id}/links', status: 201 },
  input: z.strictObject({ label, ...fields }),
  data: link,
  errors: ['too_many_links'],
})
export type NewLink = z.output<typeof createLink.input>

export const listLinks = ownerContract({
  summary: 'List the links of a page for one person each, the newest first.',
  description: 'Says of each link whether and when it was opened.',
  http: { method: 'GET', path: '/pages/{id}/links', status: 200 },
  input: z.strictObject(paging({ most: 1000, usual: 200 })),
  output: z.object({ data: z.array(link), next_offset: nextOffset }),
})

export const updateLink = ownerContract({
  summary: 'Change a link, or switch it off.',
  description:
    'With `state` `off` it leads nowhere, and visits that were opened by it end at once. Other ' +
    'links and the page itself stay open.',
  http: { method: 'PATCH', path: '/pages/{id}/links/{link_id}', status: 200 },
  input: z.strictObject({
    link_id: linkId,
    label: label.optional(),
    ...fields,
    state: z.enum(['active', 'off']).optional(),
  }),
  data: link,
  errors: ['link_not_found'],
})
export type LinkChange = Omit<z.output<typeof updateLink.input>, 'link_id'>

export const deleteLink = ownerContract({
  summary: 'Delete a link.',
  description: 'It ends as one that is switched off, and its views count as those without a link.',
  http: { method: 'DELETE', path: '/pages/{id}/links/{link_id}', status: 204 },
  input: z.strictObject({ link_id: linkId }),
  errors: ['link_not_found'],
})

export const createLinks = ownerContract({
  summary: 'Make a link for each of several people, and mail it to them.',
  description:
    'Whoever has an address is mailed the link in the owner’s name, with `message`, unless ' +
    '`mail` is false. Of `people` and `csv` one is needed; a row of the CSV has a name, an ' +
    'address or both. The CSV can be the body itself, as `text/csv`: the others are in the query ' +
    'then. ' +
    'An address gets at most three of these mails a day for a page.',
  http: { method: 'POST', path: '/pages/{id}/links/batch', status: 201, csvMember: 'csv' },
  tools: {
    create_links: {
      set: 'links',
      description:
        'Makes a link of a page for each person, told apart in opens and feedback. It lets in ' +
        'nobody whom access keeps out. mail: only if the user wants mails sent.',
      unlisted: ['csv'],
      defaults: { mail: false },
    },
  },
  input: z.strictObject({
    people: z
      .array(z.strictObject({ label: label.optional(), email: email.nullish() }))
      .max(MAX_PEOPLE)
      .optional(),
    csv: z.string().max(MAX_CSV).optional().describe('Names and addresses, one person in a line.'),
    message: mailMessage,
    mail: z.boolean().default(true),
  }),
  data: component('NewLinks', {
    links: z.array(link),
    mailed: z.array(z.string()).describe('Whose mails are on their way.'),
    not_mailed: z
      .array(
        z.object({
          email: z.string(),
          reason: z.enum([
            'no_mail_server',
            'not_published',
            'not_admitted',
            'unsubscribed',
            'mailed_before',
          ]),
        }),
      )
      .describe('Whose link is yours to hand on, and why.'),
  }),
  errors: ['too_many_links'],
})
export type Batch = z.output<typeof createLinks.input>
export type NewLinks = z.output<typeof createLinks.output>['data']
