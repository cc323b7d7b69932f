import { z } from 'zod'
import { distinct, domain, email, isCleanText, joinedLine, line, parsedBy } from '../text.ts'
import { parseTimestamp } from '../timestamp.ts'
import {
  MAX_APPROVERS,
  MAX_INVITEES,
  MAX_MAX_VIEWS,
  MAX_OG_DESCRIPTION,
  MAX_OG_TITLE,
  MAX_POLL_OPTION,
  MAX_POLL_QUESTION,
  PASSWORD_LENGTH,
  POLL_OPTIONS,
} from './limits.ts'

/** Settings that are valid one by one, but not together. */
export interface Contradiction {
  /** The parameter to change. */
  param: string
  message: string
}

export const instant = parsedBy(
  parseTimestamp,
  'must be an ISO 8601 date and time with an offset, such as 2026-11-21T10:00:00Z',
)

const MAX_PATH_CHARS = 1024

const deckPath = parsedBy((text) => {
  const path = text
    .trim()
    .replace(/^\.?\//, '')
    .normalize('NFC')
  const isPath = path !== '' && path.length <= MAX_PATH_CHARS && isCleanText(path)
  return isPath && !/^~|\\|(^|\/)\.{0,2}(\/|$)/.test(path) ? path : null
}, 'must be the path of a file of the deck, such as index.html')

export const linkFields = {
  expires_at: instant.nullable().describe('When the link expires; null removes the expiry. Pro.'),
  download_disabled: z.boolean().describe('View-only: a PDF or image cannot be downloaded. Pro.'),
  notify_on_view: z.boolean().describe('Mails the owner each opening of the page.'),
  fallback: deckPath.nullable().describe('The deck’s file for unknown routes.'),
}

export const linkDefaults = {
  expires_at: null as string | null,
  download_disabled: false,
  notify_on_view: false,
  fallback: null as string | null,
}

/** The view counter stores this setting, not the page. */
export const maxViews = z
  .int({ error: 'must be a whole number of at least 1, or null' })
  .min(1, { error: 'must be a whole number of at least 1, or null' })
  .max(MAX_MAX_VIEWS, { error: `must be at most ${MAX_MAX_VIEWS.toLocaleString('en')}` })
  .nullable()
  .describe('Closes the link after this many views; null removes the limit. Pro.')

export const commentFields = {
  allow_comments: z.boolean().describe('Viewers can comment; all who can open the page see it.'),
  comments_require_email: z
    .boolean()
    .describe('Viewers confirm an email address before they comment.'),
  notify_on_comment: z.boolean().describe('Mails the owner each new comment and reply.'),
}

export const commentDefaults = {
  allow_comments: false,
  comments_require_email: false,
  notify_on_comment: true,
}

export const responseFields = {
  responses_closed_at: instant
    .nullable()
    .describe('When the page stops accepting responses; null reopens it.'),
  notify_on_response: z.boolean().describe('Mails the owner each response.'),
}

export const responseDefaults = {
  responses_closed_at: null as string | null,
  notify_on_response: false,
}

export { MAX_APPROVERS } from './limits.ts'

export const approvalFields = {
  collect_approvals: z.boolean().describe('Approvers approve the page or request changes. Pro.'),
  approver_emails: distinct(email, MAX_APPROVERS).describe('The addresses of the approvers.'),
  approvals_visibility: z
    .enum(['owner', 'shared'])
    .describe('Whether approvers see each other’s decisions.'),
  notify_on_decision: z.boolean().describe('Mails the owner each decision.'),
}

export const approvalDefaults = {
  collect_approvals: false,
  approver_emails: [] as string[],
  approvals_visibility: 'owner' as 'owner' | 'shared',
  notify_on_decision: true,
}

export function approvalContradiction(settings: typeof approvalDefaults): Contradiction | null {
  if (!settings.collect_approvals || settings.approver_emails.length > 0) return null
  return {
    param: 'approver_emails',
    message: 'collect_approvals needs at least one address in approver_emails.',
  }
}

export { POLL_OPTIONS } from './limits.ts'

/** Who sees the results. `closed` is everyone, once voting has ended. */
export const POLL_RESULTS = ['public', 'vote', 'owner', 'closed'] as const
type PollResults = (typeof POLL_RESULTS)[number]

export const pollFields = {
  collect_votes: z.boolean().describe('Adds a one-question poll.'),
  poll_question: line(MAX_POLL_QUESTION).nullable().describe('The question of the poll.'),
  poll_options: z.array(line(MAX_POLL_OPTION)).describe('2 to 12 different options.'),
  poll_require_email: z
    .boolean()
    .describe('true: one vote per confirmed email address; false: one vote per browser.'),
  poll_results: z
    .enum(POLL_RESULTS)
    .describe('Who sees results: everyone, voters, the owner, or everyone once it has closed.'),
  poll_named: z
    .boolean()
    .describe(
      'Shows who voted for what: names to all who see results. Needs poll_require_email. Votes ' +
        'cast while it is off stay secret.',
    ),
  poll_closes_at: instant.nullable().describe('When voting ends; null removes the end.'),
}

export const pollDefaults = {
  collect_votes: false,
  poll_question: null as string | null,
  poll_options: [] as string[],
  poll_require_email: false,
  poll_results: 'public' as PollResults,
  poll_named: false,
  poll_closes_at: null as string | null,
}

export function pollContradiction(settings: typeof pollDefaults): Contradiction | null {
  const { collect_votes, poll_question, poll_options } = settings
  const { min, max } = POLL_OPTIONS
  if (new Set(poll_options).size < poll_options.length) {
    return { param: 'poll_options', message: 'poll_options must all be different.' }
  }
  const hasOptions = poll_options.length >= min && poll_options.length <= max
  if (!hasOptions && (collect_votes || poll_options.length > 0)) {
    return { param: 'poll_options', message: `poll_options must have ${min} to ${max} options.` }
  }
  if (collect_votes && poll_question === null) {
    return { param: 'poll_question', message: 'collect_votes needs a poll_question.' }
  }
  return null
}

export const previewFields = {
  og_title: line(MAX_OG_TITLE)
    .nullable()
    .describe('The title of link previews; null uses the page’s own.'),
  og_description: joinedLine(MAX_OG_DESCRIPTION)
    .nullable()
    .describe('The description of link previews; null uses the page’s own.'),
}

export const previewDefaults = {
  og_title: null as string | null,
  og_description: null as string | null,
}

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
