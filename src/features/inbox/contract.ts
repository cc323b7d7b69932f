import { z } from 'zod'
import { ITEM_KINDS, ITEM_STATES } from '../../model/list-filters.ts'
import { component, contractsOf } from '../../model/operation.ts'
import { nextOffset, paging } from '../../model/paging.ts'
import { timePast } from '../../model/times.ts'
import { accessRequest } from '../access/contract.ts'
import { acceptance } from '../agreements/contract.ts'
import { latestDecision } from '../approvals/contract.ts'
import { comment } from '../comments/contract.ts'
import { shortResponse } from '../responses/contract.ts'

const accountContract = contractsOf('Inbox', 'account')
const MAX_CURSOR = 200
const MAX_ID = 100
const MAX_MARKED = 200

const page = z
  .object({
    id: z.string(),
    title: z.string().nullable(),
    slug: z.string(),
    url: z.string(),
    allow_comments: z.boolean(),
  })
  .meta({ id: 'InboxPage', description: 'The page of an item.' })

const ofEveryItem = {
  id: z.string().describe('The id of what it is about; of an opening that of the link.'),
  at: z
    .string()
    .describe('When it was written; of a thread: its newest comment or reply of somebody else.'),
  is_read: z.boolean(),
  is_done: z.boolean().describe('You said that it is done, or it is resolved or decided.'),
  page,
}

/** An item, whose object is a member with the name of its kind. */
function itemOf<K extends string, O extends z.ZodType>(kind: K, object: O, description: string) {
  const members = { kind: z.literal(kind), ...ofEveryItem, [kind]: object }
  type Members = { kind: z.ZodLiteral<K> } & typeof ofEveryItem & Record<K, O>
  const id = `Inbox${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
  return z.object(members as Members).meta({ id, description })
}

const opening = z.object({ link_id: z.string(), link_label: z.string() })
const item = z.discriminatedUnion('kind', [
  itemOf('thread', comment, 'A thread of comments.'),
  itemOf('request', accessRequest, 'An access request.'),
  itemOf('decision', latestDecision, 'The newest decision of an approver.'),
  itemOf('response', shortResponse, 'A response to a form.'),
  itemOf('agreement', acceptance, 'Somebody accepted the agreement of a page.'),
  itemOf('opening', opening, 'A page was first opened by a named link.'),
])
export type InboxItem = z.output<typeof item>

const totals = {
  counts: z
    .object({ threads: z.int(), requests: z.int(), decisions: z.int(), responses: z.int() })
    .describe('Of all open items of the pages asked for, of every kind and in every answer.'),
  unread: z.int().describe('How many of these are unread.'),
}

export const getInbox = accountContract({
  summary: 'Read what waits for you on all pages, the newest first.',
  description:
    'Open threads of comments, access requests that nobody decided, the newest decision of each ' +
    'approver, and responses. What somebody writes anew comes back as unread; what you write ' +
    'yourself does not. What is hidden is left out, and so are requests and decisions of pages ' +
    'that take none now. Acceptances of agreements and first openings by a named link wait for ' +
    'nobody: only their `kind` lists them.',
  http: { method: 'GET', path: '/inbox', status: 200 },
  input: z.strictObject({
    limit: z.int().min(1).max(200).default(50).describe('The most to answer.'),
    state: z
      .enum(ITEM_STATES)
      .default('open')
      .describe('`open`: what is not done, `unread` among it; `done`: resolved and decided, too.'),
    kind: z.enum(ITEM_KINDS).optional().describe('Only items of this kind.'),
    page_id: z.string().max(MAX_ID).optional().describe('Only items of the page with this id.'),
    item: z
      .string()
      .max(MAX_ID)
      .optional()
      .describe('Only the item with this id, whatever its `state`: mails to owners lead to it.'),
    cursor: z
      .string()
      .max(MAX_CURSOR)
      .optional()
      .describe('The `next_cursor` of the answer before; left out, the newest are answered.'),
  }),
  data: component('Inbox', {
    items: z.array(item).describe('The last written first.'),
    ...totals,
    next_cursor: z.string().nullable().describe('Pass as cursor for more; null at the end.'),
  }),
  hasStrangersWords: true,
})

export const listInboxPages = accountContract({
  summary: 'List the pages of which something is in the inbox.',
  description: 'For the `page_id` of the inbox: pages with the most items first.',
  http: { method: 'GET', path: '/inbox/pages', status: 200 },
  input: z.strictObject(paging({ most: 1000, usual: 100 })),
  output: z.object({
    data: z.array(
      page
        .extend({ items: z.int().describe('How many the inbox has of it.') })
        .meta({ id: 'PageInInbox' }),
    ),
    next_offset: nextOffset,
  }),
})

export const markInbox = accountContract({
  summary: 'Mark items of the inbox as read or unread, done or open.',
  description:
    'What is done leaves the list, and comes back when somebody writes anew. It does not resolve ' +
    'a thread or decide a request; what is resolved or decided is opened again on its page.',
  http: { method: 'PATCH', path: '/inbox', status: 200 },
  input: z.strictObject({
    ids: z.array(z.string().max(MAX_ID)).min(1).max(MAX_MARKED).describe('The items’ ids.'),
    is_read: z.boolean().optional(),
    is_done: z.boolean().optional(),
    until: timePast.optional().describe('Leaves out items whose `at` is later: what came since.'),
  }),
  data: component('MarkedItems', {
    ids: z.array(z.string()).describe('The items that are as you said now.'),
    ...totals,
  }),
})
export type Marked = z.output<typeof markInbox.output>['data']
export type InboxQuery = z.output<typeof getInbox.input>
export type InboxAnswer = z.output<typeof getInbox.output>['data']
