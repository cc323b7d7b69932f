/**
 * The page in answers of the API. Building these schemas takes time, so a start does not load them.
 */
import { z } from 'zod'
import type { Hints } from '../input.ts'
import { ORIGIN_NEEDS } from './facts.ts'
import {
  agreementSetting,
  CLOSED_BY,
  DEFAULT_SETTINGS,
  maxViews,
  PAGE_STATES,
  type PageSettings,
  SOURCES,
  settingsFields,
} from './index.ts'

type Settings = Omit<PageSettings, 'agreement'>

/** The settings in answers, as they were described to who sent them. What they are is parsed. */
const settings = Object.fromEntries(
  Object.entries(settingsFields).map(([name, field]) => {
    if (field instanceof z.ZodBoolean || field instanceof z.ZodEnum) return [name, field]
    const isList = Array.isArray(DEFAULT_SETTINGS[name as keyof Settings])
    const schema = isList ? z.array(z.string()) : z.string().nullable()
    return [name, schema.describe(field.description ?? '')]
  }),
) as { [K in keyof Settings]: z.ZodType<Settings[K], Settings[K]> }
const { access, allowed_emails, folder, accent, indexed, ...furtherSettings } = settings

/** The page object of the API. Members that it does not name are removed from responses. */
export const pageObject = z
  .object({
    id: z.string().describe('The id, which never changes.'),
    slug: z.string().describe('The name of the page in its URL.'),
    url: z.url().describe('The link to share.'),
    title: z.string().nullable().describe('The display title, unique in the account.'),
    access,
    perm: z.literal('owner').describe('The role of the caller.'),
    allowed_emails,
    people: z
      .array(z.object({ email: z.string(), role: z.literal('view') }))
      .describe('The same as `allowed_emails`, as objects.'),
    password: z
      .string()
      .optional()
      .describe('Only in responses about one page, when access is `password`.'),
    folder,
    accent,
    source: z.enum(SOURCES).describe('How the page was made.'),
    indexed,
    kind: z.enum(['single', 'bundle']).describe('`bundle` is a deck.'),
    entry_path: z.string().nullable().describe('The entry file of a deck.'),
    file_count: z.int().describe('The number of HTML files; 1 unless it is a deck.'),
    size_bytes: z.int().describe('The size of the draft with all its files.'),
    sha256: z
      .string()
      .nullable()
      .describe('The SHA-256 of the draft in hexadecimal; null for a deck.'),
    file: z
      .object({ name: z.string(), mime: z.string(), size_bytes: z.int() })
      .nullable()
      .describe('The file of a PDF or image page; null for HTML.'),
    needs_origin: z
      .array(z.enum(ORIGIN_NEEDS))
      .describe(
        'What in the draft works whole only at the root of a host of its own: addresses from the ' +
          'root, a router, workers, storage, a speaker’s window. Often empty.',
      ),
    is_published: z.boolean().describe('Whether visitors can see it.'),
    open_to: z.string().describe('Who besides you can open it now, in words.'),
    has_unpublished_changes: z
      .boolean()
      .describe('Whether the draft differs from what visitors see.'),
    state: z
      .enum(PAGE_STATES)
      .describe(
        'What visitors meet. `live`: the draft. `changes`: an earlier version, since the draft ' +
          'has changed. `draft`: nothing, it is not published. `closed`: a notice, as ' +
          '`closed_by` says. `trash`: nothing, as `trashed_at` says.',
      ),
    closed_by: z
      .enum(CLOSED_BY)
      .nullable()
      .describe('Why a published page is closed; null if it is not.'),
    published_at: z.string().nullable().describe('When it was last published.'),
    taken_down_at: z
      .string()
      .nullable()
      .describe('When the operator of the server took it down: visitors meet a notice.'),
    taken_down_reason: z.string().nullable().describe('What the operator wrote about it.'),
    trashed_at: z
      .string()
      .nullable()
      .describe('When it was moved to the trash. It is deleted 30 days later.'),
    created_at: z.string(),
    updated_at: z.string().describe('When content or settings last changed.'),
    views: z.int().describe('How often the page was opened.'),
    max_views: z
      .int()
      .nullable()
      .describe(maxViews.description ?? ''),
    ...furtherSettings,
    agreement: agreementSetting
      .nullable()
      .describe('What visitors accept before they see anything of the page; null: nothing.'),
  })
  .meta({ id: 'Page', description: 'A page, as its owner sees it.' })
export type PageObject = z.output<typeof pageObject>

export const listedPage = pageObject
  .omit({ password: true })
  .extend({
    responses: z.int().describe('How many responses it has.'),
    open_comments: z.int().describe('How many threads of comments are open and not hidden.'),
  })
  .meta({ id: 'ListedPage', description: 'A page in a list, with counts, without its password.' })
export type ListedPage = z.output<typeof listedPage>

const READ_ONLY = Object.keys(listedPage.shape).map((name) => [
  name,
  'only the server sets it, so leave it out.',
])
const PUBLISH = 'use POST /pages/{id}/publish, or DELETE to unpublish (tools publish, unpublish).'

/** Members of a page that an update does not take, with what to do instead. */
export const READ_ONLY_MEMBERS: Hints = {
  ...Object.fromEntries(READ_ONLY),
  url: 'slug changes it.',
  people: 'use allowed_emails.',
  entry_path: 'use entry.',
  file: 'use file_base64, file_url or file_upload.',
  is_published: PUBLISH,
  has_unpublished_changes: PUBLISH,
  state: PUBLISH,
  published_at: PUBLISH,
  trashed_at: 'use POST /pages/{id}/trash, or DELETE to take it back.',
  publish: PUBLISH,
}

/** The members of a page in a list that a model needs. */
export const briefPage = listedPage.pick({
  id: true,
  title: true,
  url: true,
  access: true,
  state: true,
  closed_by: true,
  views: true,
  responses: true,
  open_comments: true,
})
