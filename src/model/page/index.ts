import { z } from 'zod'
import { accessDefaults, accessFields, password } from './access.ts'
import { approvalContradiction, approvalDefaults, approvalFields } from './approvals.ts'
import { commentDefaults, commentFields } from './comments.ts'
import type { Contradiction } from './contradiction.ts'
import { linkDefaults, linkFields, maxViews } from './links.ts'
import { pollContradiction, pollDefaults, pollFields } from './poll.ts'
import { previewDefaults, previewFields } from './preview.ts'
import { responseDefaults, responseFields } from './responses.ts'

export { ACCESS_LEVELS, type Access } from './access.ts'
export type { Contradiction } from './contradiction.ts'

export const ACCENTS = [
  'slate',
  'red',
  'orange',
  'amber',
  'green',
  'teal',
  'blue',
  'indigo',
  'violet',
  'pink',
] as const
export type Accent = (typeof ACCENTS)[number]

export const SOURCES = ['api', 'mcp', 'cli', 'upload', 'editor'] as const
export type Source = (typeof SOURCES)[number]

/** Everything an owner sets on a page that is stored with it: one entry here is one setting. */
export const settingsFields = {
  ...accessFields,
  accent: z.enum(ACCENTS).describe('The colour of gates, viewer and widgets.'),
  ...linkFields,
  ...commentFields,
  ...approvalFields,
  ...pollFields,
  ...previewFields,
  ...responseFields,
}

export type PageSettings = z.output<z.ZodObject<typeof settingsFields>>

export const DEFAULT_SETTINGS: PageSettings = {
  ...accessDefaults,
  accent: 'blue',
  ...linkDefaults,
  ...commentDefaults,
  ...approvalDefaults,
  ...pollDefaults,
  ...previewDefaults,
  ...responseDefaults,
}

/** What create and update take beside content. */
export const settingsInput = z
  .strictObject({ ...settingsFields, max_views: maxViews, password })
  .partial()
export type SettingsInput = z.output<typeof settingsInput>

/** Settings that are each valid but not together, or null. */
export function contradictionIn(settings: PageSettings): Contradiction | null {
  return approvalContradiction(settings) ?? pollContradiction(settings)
}

/** A page as the service knows it; what its owner is shown is `pageObject`. */
export interface Page {
  id: string
  account_id: string
  slug: string
  title: string | null
  settings: PageSettings
  password_sealed: string | null
  access_epoch: number
  source: Source
  /** Manifests: the working copy, and what visitors see or null. */
  draft_id: string
  published_id: string | null
  published_at: string | null
  revision: number
  created_at: string
  updated_at: string
}

/** A setting as it is answered, in the words that say what it takes. */
function told<S extends z.ZodType>(name: keyof typeof settingsFields, schema: S): S {
  return schema.describe(settingsFields[name].description ?? '')
}

/** The page object of the interface. Also the presenter: what it does not name cannot leak. */
export const pageObject = z
  .object({
    id: z.string().describe('Never changes; the operations take it.'),
    slug: z.string().describe('The page’s name in its address.'),
    url: z.url().describe('The link to give to people.'),
    title: z.string().nullable().describe('Display title, unique in the account.'),
    access: accessFields.access,
    perm: z.literal('owner').describe('What the caller may do.'),
    allowed_emails: told('allowed_emails', z.array(z.string())),
    people: z
      .array(z.object({ email: z.string(), role: z.literal('view') }))
      .describe('The same as `allowed_emails`, as objects.'),
    password: z
      .string()
      .optional()
      .describe('Single-page answers only, when access is `password`.'),
    accent: settingsFields.accent,
    source: z.enum(SOURCES).describe('How the page was made.'),
    indexed: told('indexed', z.boolean()),
    kind: z.enum(['single', 'bundle']).describe('`bundle` is a deck.'),
    entry_path: z.string().nullable().describe('A deck’s landing file.'),
    file_count: z.int().describe('How many HTML files; 1 unless it is a deck.'),
    size_bytes: z.int().describe('Of the draft’s content, all files together.'),
    sha256: z
      .string()
      .nullable()
      .describe('Of the draft’s bytes, in hexadecimal; null for a deck.'),
    file: z
      .object({ name: z.string(), mime: z.string(), size_bytes: z.int() })
      .nullable()
      .describe('A PDF or image page’s file; null for HTML.'),
    is_published: z.boolean().describe('Whether visitors can see it.'),
    has_unpublished_changes: z
      .boolean()
      .describe('Whether the draft differs from what visitors see.'),
    published_at: z.string().nullable().describe('When it was last published.'),
    created_at: z.string(),
    updated_at: z.string().describe('When content or settings last changed.'),
    views: z.int().describe('How often it was opened.'),
    expires_at: told('expires_at', z.string().nullable()),
    max_views: z
      .int()
      .nullable()
      .describe(maxViews.description ?? ''),
    download_disabled: told('download_disabled', z.boolean()),
    notify_on_view: told('notify_on_view', z.boolean()),
    ...commentFields,
    collect_approvals: told('collect_approvals', z.boolean()),
    approver_emails: told('approver_emails', z.array(z.string())),
    approvals_visibility: approvalFields.approvals_visibility,
    collect_votes: told('collect_votes', z.boolean()),
    poll_question: told('poll_question', z.string().nullable()),
    poll_options: told('poll_options', z.array(z.string())),
    poll_require_email: told('poll_require_email', z.boolean()),
    poll_results: pollFields.poll_results,
    poll_named: told('poll_named', z.boolean()),
    poll_closes_at: told('poll_closes_at', z.string().nullable()),
    require_signin: told('require_signin', z.boolean()),
    allow_access_requests: told('allow_access_requests', z.boolean()),
    business_only: told('business_only', z.boolean()),
    allowed_domains: told('allowed_domains', z.array(z.string())),
    og_title: told('og_title', z.string().nullable()),
    og_description: told('og_description', z.string().nullable()),
    responses_closed_at: told('responses_closed_at', z.string().nullable()),
    notify_on_response: told('notify_on_response', z.boolean()),
  })
  .meta({ id: 'Page', description: 'A page as its owner sees it.' })
export type PageObject = z.output<typeof pageObject>

export const listedPage = pageObject
  .omit({ password: true })
  .meta({ id: 'ListedPage', description: 'A page as a list shows it: without its password.' })
