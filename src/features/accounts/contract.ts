import { z } from 'zod'
import { contract } from '../../model/operation.ts'
import { PLANS } from '../../model/plan.ts'

const limits = z.object({
  file_bytes: z.int().describe('The size of a single page, a PDF or an image.'),
  deck_bytes: z.int().describe('The size of a deck with all its files.'),
  responses_per_page: z.int(),
  response_bytes_per_page: z.int(),
  link_controls: z
    .boolean()
    .describe('Whether expiry, view limit, view-only and approvals can be set.'),
})

export const getAccount = contract({
  name: 'getAccount',
  audience: 'account',
  tag: 'Account',
  summary: 'Retrieve the account of the API key.',
  description: 'Answers its address, plan and limits, and how many pages it has.',
  http: { method: 'GET', path: '/account', status: 200 },
  input: z.strictObject({}),
  output: z.object({
    data: z
      .object({
        id: z.string(),
        email: z.string(),
        name: z.string().nullable(),
        plan: z.enum(PLANS),
        is_operator: z.boolean().describe('Whether it looks after this server.'),
        limits,
        usage: z.object({ pages: z.int(), published_pages: z.int() }),
      })
      .meta({ id: 'Account' }),
  }),
  errors: [],
})
