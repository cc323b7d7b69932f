import { z } from 'zod'
import { distinct, domain, email } from '../text.ts'
import { MAX_INVITEES, PASSWORD_LENGTH } from './limits.ts'

export { MAX_INVITEES } from './limits.ts'

export const ACCESS_LEVELS = ['link', 'people', 'private', 'password', 'email_gate'] as const
export type Access = (typeof ACCESS_LEVELS)[number]

export const accessFields = {
  access: z.enum(ACCESS_LEVELS).describe('Who may open the page.'),
  allowed_emails: distinct(email, MAX_INVITEES).describe('Invited addresses, for `people`.'),
  require_signin: z.boolean().describe('For `people`: invitees sign in to an account.'),
  allow_access_requests: z
    .boolean()
    .describe('For `people`: viewers who are not invited may ask for access.'),
  business_only: z
    .boolean()
    .describe('For `email_gate`: refuses the domains of personal mail services.'),
  allowed_domains: distinct(domain, MAX_INVITEES).describe(
    'For `email_gate`: the domains allowed; empty allows all.',
  ),
  indexed: z.boolean().describe('Whether search engines may index the page. For `link` only.'),
}

export const accessDefaults = {
  access: 'link' as Access,
  allowed_emails: [] as string[],
  require_signin: false,
  allow_access_requests: false,
  business_only: false,
  allowed_domains: [] as string[],
  indexed: false,
}

const { min, max } = PASSWORD_LENGTH

export const passwordText = z
  .string()
  .min(min, { error: `must be ${min} to ${max} characters` })
  .max(max, { error: `must be ${min} to ${max} characters` })
  .refine((text) => text.isWellFormed() && !text.includes('\u0000'), {
    error: 'must be valid text',
  })

export const password = passwordText.describe('For `password`. Generated if none is given.')
