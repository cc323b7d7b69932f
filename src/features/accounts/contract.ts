import { z } from 'zod'
import { ACCENTS } from '../../model/accent.ts'
import { SCOPES } from '../../model/account.ts'
import { MAX_LOGO_BYTES } from '../../model/brand.ts'
import { component, contractsOf } from '../../model/operation.ts'
import { PLANS } from '../../model/plan.ts'
import { planLimits } from '../../model/plan-limits.ts'
import { distinct, line } from '../../model/text.ts'
import { timeToCome } from '../../model/times.ts'

const accountContract = contractsOf('Account', 'account')
const sessionContract = contractsOf('Account', 'session', { takesGuests: true })
const keyContract = contractsOf('Keys', 'session')
const MAX_PAGE_NAME = 2000
const MAX_KEY_PAGES = 100

export const usage = z.object({
  pages: z.int(),
  published_pages: z.int(),
  stored_bytes: z.int().describe('All kept versions of all pages.'),
  uploads: z.int().describe('Uploads that no page has yet.'),
  upload_bytes: z.int(),
  responses: z.int(),
  response_bytes: z.int(),
})

/** The members of an account that its owner and the operator of the server can read. */
export const accountFields = {
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  plan: z.enum(PLANS),
  plan_name: z.string().describe('As the server calls the plan.'),
  plan_price: z.string().nullable().describe('As the server states it; null: not at all.'),
  is_operator: z.boolean().describe('Whether it looks after this server.'),
  is_guest: z.boolean().describe('Whether it opens pages that invite it, and publishes none.'),
  created_at: z.string(),
}

/** As many filters of the list as an account may give names to. */
export const MAX_SAVED_FILTERS = 30

/** Any short word is stored: the app leaves out what it does not know, or knows no longer. */
const word = z.string().max(20)
const savedFilters = z.object({
  name: line(60),
  filters: z
    .object({ search: z.string().max(200), folder: z.string().max(100) })
    .extend({ sort: word, order: word, access: word, state: word, kind: word })
    .partial(),
})
export type SavedFilters = z.infer<typeof savedFilters>

const account = component('Account', {
  ...accountFields,
  page_mails: z
    .boolean()
    .describe('Whether it is mailed about its pages, by the `notify_on_…` settings of each.'),
  accent: z
    .enum(ACCENTS)
    .nullable()
    .describe('The colour of its pages that have none of their own; null: the server’s.'),
  logo: z.string().nullable().describe('The path of its logo, which anybody may load.'),
  saved_filters: z
    .array(savedFilters)
    .meta({ description: 'Filters of the list of pages, by name.', examples: [[]] }),
  limits: planLimits,
  usage,
})

export const getAccount = accountContract({
  takesGuests: true,
  scopes: [],
  pageKeys: true,
  summary: 'Retrieve your account.',
  description: 'Answers its address, its plan with the limits, and how much of it is used.',
  http: { method: 'GET', path: '/account', status: 200 },
  data: account,
})

export const updateAccount = sessionContract({
  summary: 'Change your name, accent and logo, mails about your pages, or your saved filters.',
  description:
    'What is left out stays as it is. With `page_mails` off, no page sends its owner mails about ' +
    'views, responses, comments or decisions, whatever its own settings; they are kept. Visitors ' +
    'see name, accent and logo on gates, notices, the viewer and in the picture of a link.',
  http: { method: 'PATCH', path: '/account', status: 200 },
  input: z
    .strictObject({
      name: line(100).nullable().describe('null removes it.'),
      page_mails: z.boolean(),
      accent: z.enum(ACCENTS).nullable().describe('null: that of the server.'),
      logo_base64: z
        .string()
        .max(4 * Math.ceil(MAX_LOGO_BYTES / 3))
        .nullable()
        .describe(
          'A PNG, JPEG or WebP of at most 128 KB, 16 to 1024 pixels a side; null removes it.',
        ),
      saved_filters: z
        .array(savedFilters.extend({ filters: savedFilters.shape.filters.nullable() }))
        .max(MAX_SAVED_FILTERS)
        .describe('Each is stored under its name; those that are not named stay. null removes it.'),
    })
    .partial(),
  data: account,
  errors: ['bad_logo', 'too_many_saved_filters'],
})

export const deleteAccount = sessionContract({
  summary: 'Delete your account, with all its pages.',
  description:
    'Sessions and keys end and pages close at once; versions, responses and the rest are deleted ' +
    'after it. What the account wrote on pages of others stays. There is no undo: export first.',
  http: { method: 'POST', path: '/account/deletion', status: 204 },
  input: z.strictObject({
    email: z.string().max(320).describe('The address of the account, typed to confirm.'),
  }),
  errors: ['email_mismatch', 'last_operator'],
})

const keyScope = z.enum(SCOPES)
const scopesText =
  'What it may do: `pages:read`, `pages:write`, and `feedback:read`, without which it reads ' +
  'nothing that viewers did or said. The rest is refused with `scope_missing`.'
const pageIds = 'The pages that it may read and change; null: all of the account.'
const expiresAt = 'When it ends; null: when it is revoked.'
const confirmedOnly = z
  .boolean()
  .describe(
    'Of viewers it reads the feedback of those who confirmed an address, and nothing else: other ' +
      'reads of what viewers do are refused with `scope_missing`.',
  )
const key = component('Key', {
  id: z.string(),
  name: z.string().nullable(),
  hint: z.string().describe('Its first 7 and last 4 characters.'),
  created_at: z.string(),
  last_used_at: z.string().nullable().describe('Accurate to a minute; null: never.'),
  scopes: z.array(keyScope).describe(scopesText),
  page_ids: z.array(z.string()).nullable().describe(pageIds),
  expires_at: z.string().nullable().describe(expiresAt),
  confirmed_only: confirmedOnly,
})

export const listKeys = keyContract({
  summary: 'List your API keys.',
  description: 'Keys that were revoked are left out. The keys themselves are stored nowhere.',
  http: { method: 'GET', path: '/keys', status: 200 },
  data: z.array(key),
})

export const createKey = keyContract({
  summary: 'Make an API key.',
  description: 'The answer has the key in `key`. Nothing shows it again: store it at once.',
  http: { method: 'POST', path: '/keys', status: 201 },
  // With a key, a session could go on to do everything else that asks for a recent sign-in.
  needsRecentSignIn: () => true,
  input: z.strictObject({
    name: line(100).nullable().default(null).describe('What uses it, such as `laptop`.'),
    scopes: distinct(keyScope, SCOPES.length)
      .refine((list) => list.length > 0, 'must name a scope')
      .default([...SCOPES])
      .describe(scopesText),
    page_ids: distinct(z.string().max(MAX_PAGE_NAME), MAX_KEY_PAGES)
      .refine((list) => list.length > 0, 'must name a page, or be null')
      .nullable()
      .default(null)
      .describe(`${pageIds} Ids, slugs or links.`),
    expires_at: timeToCome.nullable().default(null).describe(expiresAt),
    confirmed_only: confirmedOnly.default(false),
  }),
  data: z.object({ ...key.shape, key: z.string().describe('`sm_` and 40 characters.') }),
  errors: ['too_many_keys'],
})

export const revokeKey = keyContract({
  summary: 'Revoke an API key.',
  description: 'Requests with it are refused from now on.',
  http: { method: 'DELETE', path: '/keys/{key_id}', status: 204 },
  input: z.strictObject({ key_id: z.string().max(100).describe('The id of the key.') }),
  errors: ['key_not_found'],
})
