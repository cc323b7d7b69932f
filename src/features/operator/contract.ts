import { z } from 'zod'
import { component, contractsOf } from '../../model/operation.ts'
import { PAGE_STATES } from '../../model/page/index.ts'
import { nextOffset, paging } from '../../model/paging.ts'
import { PLANS } from '../../model/plan.ts'
import { email, line } from '../../model/text.ts'
import { accountFields } from '../accounts/contract.ts'

const operatorContract = contractsOf('Operator', 'operator')
const range = paging({ most: 100, usual: 50 })
const id = (of: string) => z.string().max(100).describe(`The id of the ${of}.`)

const account = z
  .object({
    ...accountFields,
    suspended_at: z.string().nullable().describe('null: it is not suspended.'),
    pages: z.int(),
    published_pages: z.int(),
    stored_bytes: z.int().describe('All kept versions of all pages.'),
    responses: z.int(),
    sign_in_providers: z
      .array(z.string())
      .describe('The providers of single sign-on that sign in to it, beside the link of a mail.'),
  })
  .meta({ id: 'OperatorAccount', description: 'An account, as the operator sees it.' })

export const listAccounts = operatorContract({
  summary: 'List the accounts of this server.',
  description: 'The newest first. `search` finds parts of addresses and names.',
  http: { method: 'GET', path: '/operator/accounts', status: 200 },
  input: z.strictObject({ search: z.string().max(200).default(''), ...range }),
  output: z.object({ data: z.array(account), next_offset: nextOffset }),
})

export const createAccount = operatorContract({
  summary: 'Make an account, and invite its owner.',
  description: 'The mail says how to sign in. A guest of this address gets a full account.',
  http: { method: 'POST', path: '/operator/accounts', status: 201 },
  input: z.strictObject({
    email,
    name: line(100).nullable().default(null),
    plan: z.enum(PLANS).optional().describe('Default: the `DEFAULT_PLAN` of the server.'),
    send_mail: z.boolean().default(true).describe('false makes the account without a mail.'),
  }),
  data: account,
  errors: ['account_exists'],
})

export const changeAccount = operatorContract({
  summary: 'Set the plan of an account, or whether it is an operator.',
  description: 'Both count from the account’s next request on. A plan makes a guest an account.',
  http: { method: 'PATCH', path: '/operator/accounts/{account_id}', status: 200 },
  input: z
    .strictObject({ plan: z.enum(PLANS), is_operator: z.boolean() })
    .partial()
    .extend({ account_id: id('account') }),
  data: account,
  errors: ['account_not_found', 'guest_account', 'last_operator'],
})

export const suspendAccount = operatorContract({
  summary: 'Suspend an account.',
  description:
    'Visitors of all its pages meet a notice at once; its sessions end, its keys and upload ' +
    'links are refused, its exports and imports stop, and no mails go out about its pages. ' +
    'Nothing is deleted. Its owner is mailed.',
  http: { method: 'POST', path: '/operator/accounts/{account_id}/suspension', status: 200 },
  input: z.strictObject({ account_id: id('account') }),
  data: account,
  errors: ['account_not_found', 'own_account', 'last_operator'],
})

export const endSuspension = operatorContract({
  summary: 'End the suspension of an account.',
  description:
    'Its pages open as they did before and its keys work again; its people sign in again. Its ' +
    'owner is mailed.',
  http: { method: 'DELETE', path: '/operator/accounts/{account_id}/suspension', status: 200 },
  input: z.strictObject({ account_id: id('account') }),
  data: account,
  errors: ['account_not_found'],
})

const operatorPage = z
  .object({
    id: z.string(),
    slug: z.string(),
    url: z.string(),
    title: z.string().nullable(),
    account_id: z.string(),
    owner: z.string().describe('The address of its account.'),
    is_account_suspended: z.boolean(),
    access: z.string(),
    state: z.enum(PAGE_STATES),
    closed_by: z.string().nullable(),
    size_bytes: z.int(),
    views: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
    taken_down_at: z.string().nullable(),
    taken_down_reason: z.string().nullable(),
  })
  .meta({ id: 'OperatorPage', description: 'A page, as the operator sees it: not its content.' })

export const listAllPages = operatorContract({
  summary: 'List the pages of all accounts.',
  description: 'The last written first. `search` finds words of titles and slugs.',
  http: { method: 'GET', path: '/operator/pages', status: 200 },
  input: z.strictObject({
    search: z.string().max(200).default(''),
    taken_down: z.boolean().optional().describe('Only those that are taken down, or only others.'),
    ...range,
  }),
  output: z.object({ data: z.array(operatorPage), next_offset: nextOffset }),
})

export const takeDownPage = operatorContract({
  summary: 'Take a page down.',
  description:
    'Visitors meet a notice at once. Its owner is mailed the reason, finds it in the page’s ' +
    '`taken_down_reason`, and can change or delete the page, but not open it again.',
  http: { method: 'POST', path: '/operator/pages/{page_id}/takedown', status: 200 },
  input: z.strictObject({
    page_id: id('page'),
    reason: line(500).describe('Why, for its owner. Visitors do not see it.'),
  }),
  data: operatorPage,
  errors: ['page_not_found'],
})

export const giveBackPage = operatorContract({
  summary: 'Give back a page that was taken down.',
  description: 'It opens again as it was, to those whom its access admits. Its owner is mailed.',
  http: { method: 'DELETE', path: '/operator/pages/{page_id}/takedown', status: 200 },
  input: z.strictObject({ page_id: id('page') }),
  data: operatorPage,
  errors: ['page_not_found'],
})

export const getStorage = operatorContract({
  summary: 'Say how much this server stores.',
  description: 'Equal files are stored once, so accounts together may count more than this.',
  http: { method: 'GET', path: '/operator/storage', status: 200 },
  data: component('Storage', {
    accounts: z.int(),
    guests: z.int(),
    pages: z.int(),
    published_pages: z.int(),
    taken_down_pages: z.int(),
    files: z.int(),
    file_bytes: z.int(),
    file_bytes_in_database: z.int().describe('Small files are in the database itself.'),
    responses: z.int(),
    response_bytes: z.int(),
    database_bytes: z.int().describe('The whole database on its disk.'),
  }),
})

export const PARTS = ['database', 'files', 'disk', 'backup', 'mail', 'address'] as const
/** The worst last. */
export const PART_STATES = ['ok', 'warning', 'failing'] as const

export const getHealth = operatorContract({
  summary: 'Say how the parts of this server are, and what to do.',
  description: 'Each part is tried when this is asked: the file store with a file of one byte.',
  http: { method: 'GET', path: '/operator/health', status: 200 },
  data: z.object({
    version: z.string(),
    engine: z.enum(['sqlite', 'postgres']),
    started_at: z.string(),
    state: z.enum(PART_STATES).describe('That of the worst part.'),
    parts: z.array(
      z.object({
        name: z.enum(PARTS),
        state: z.enum(PART_STATES),
        message: z.string().describe('What was found.'),
        cure: z.string().nullable().describe('What to do; null where all is well.'),
      }),
    ),
  }),
})
