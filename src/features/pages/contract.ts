import { z } from 'zod'
import { contract } from '../../model/operation.ts'
import { pageObject, settingsInput } from '../../model/page/index.ts'
import { line, parsedBy } from '../../model/text.ts'
import { contentFields } from '../content/contract.ts'
import { version_no } from '../versions/contract.ts'

const title = line(200).nullable()
const slug = parsedBy(
  (text) => (/^[a-z0-9][a-z0-9-]{2,62}$/.test(text) ? text : null),
  'must be 3 to 63 of a-z, 0-9 and -, not starting with -',
)

const own = {
  title: title.describe('Display title, unique in the account; null or omitted: from the content.'),
  slug: slug.describe('The page’s name in its address; made where none is given.'),
}

const WRITES = ['content_source', 'bad_path', 'bad_entry', 'too_many_files', 'empty_deck']
const CONTENT = [...WRITES, 'empty_html', 'elided_html', 'invalid_html', 'invalid_base64']
const FILES = ['invalid_html_base64', 'unsupported_file_type', 'upload_not_found']
const FETCHES = ['invalid_url', 'fetch_failed', 'content_too_large', 'sha256_mismatch']
const SETTINGS = ['plan_required', 'duplicate_title', 'slug_taken', 'contradictory_settings']
const CONTENT_WRITES = [...CONTENT, ...FILES, ...FETCHES, ...SETTINGS]

export const createPage = contract({
  name: 'createPage',
  audience: 'account',
  tag: 'Pages',
  summary: 'Create a page.',
  description:
    'Supply exactly one content source: html, html_base64, html_url, html_upload, files, ' +
    'file_base64, file_url or file_upload. The page is live at once unless publish is false.',
  http: { method: 'POST', path: '/pages', status: 201 },
  input: settingsInput.extend({
    ...z.strictObject({ ...contentFields, ...own }).partial().shape,
    publish: z.boolean().default(true).describe('false saves a private draft.'),
  }),
  output: z.object({ data: pageObject }),
  errors: [...CONTENT_WRITES, 'idempotency_key_reused'],
})
export type CreateInput = z.output<typeof createPage.input>

export const listPages = contract({
  name: 'listPages',
  audience: 'account',
  tag: 'Pages',
  summary: 'List your pages, most recently edited first.',
  http: { method: 'GET', path: '/pages', status: 200 },
  tool: 'list_pages',
  input: z.strictObject({
    limit: z.int().min(1).max(200).default(100),
    offset: z.int().min(0).max(2_147_483_647).default(0),
  }),
  output: z.object({
    data: z.array(pageObject.omit({ password: true })),
    next_offset: z.int().nullable().describe('Pass as offset for more; null at the end.'),
  }),
  errors: [],
})

export const getPage = contract({
  name: 'getPage',
  audience: 'owner',
  tag: 'Pages',
  summary: 'Retrieve a page.',
  http: { method: 'GET', path: '/pages/{id}', status: 200 },
  tool: 'get_page',
  input: z.strictObject({}),
  output: z.object({ data: pageObject }),
  errors: [],
})

export const updatePage = contract({
  name: 'updatePage',
  audience: 'owner',
  tag: 'Pages',
  summary: 'Update a page’s settings, or replace its draft.',
  description:
    'Takes any subset. Content changes the draft only: publish to show it. Settings apply at once.',
  http: { method: 'PATCH', path: '/pages/{id}', status: 200 },
  input: settingsInput.extend(z.strictObject({ ...contentFields, ...own }).partial().shape),
  output: z.object({ data: pageObject }),
  errors: [...CONTENT_WRITES, 'wrong_kind', 'conflict', 'precondition_failed'],
})
export type UpdateInput = z.output<typeof updatePage.input>

export const deletePage = contract({
  name: 'deletePage',
  audience: 'owner',
  tag: 'Pages',
  summary: 'Delete a page for good.',
  http: { method: 'DELETE', path: '/pages/{id}', status: 204 },
  tool: 'delete_page',
  input: z.strictObject({}),
  output: null,
  errors: ['precondition_failed'],
})

export const publishPage = contract({
  name: 'publishPage',
  audience: 'owner',
  tag: 'Pages',
  summary: 'Publish the draft: visitors see it at once.',
  http: { method: 'POST', path: '/pages/{id}/publish', status: 200 },
  tool: 'publish',
  input: z.strictObject({}),
  output: z.object({
    data: pageObject.pick({
      id: true,
      url: true,
      is_published: true,
      has_unpublished_changes: true,
      password: true,
    }),
  }),
  errors: ['conflict', 'precondition_failed'],
})

export const unpublishPage = contract({
  name: 'unpublishPage',
  audience: 'owner',
  tag: 'Pages',
  summary: 'Take a page offline and keep its draft.',
  http: { method: 'DELETE', path: '/pages/{id}/publish', status: 200 },
  tool: 'unpublish',
  input: z.strictObject({}),
  output: z.object({ data: pageObject.pick({ is_published: true }) }),
  errors: ['precondition_failed'],
})

const htmlFile = z.object({ path: z.string(), html: z.string() })
const read = {
  has_unpublished_changes: z.boolean(),
  elided: z.object({ count: z.int(), chars: z.int() }),
}

export const readHtml = contract({
  name: 'readHtml',
  audience: 'owner',
  tag: 'HTML',
  summary: 'Read the draft’s HTML.',
  description:
    'Inlined data: URIs of 1,000 or more characters are left out unless full is true, and ' +
    'ELIDED-BY-SERVICE-<n>-CHARS stands in their place.',
  http: { method: 'GET', path: '/pages/{id}/html', status: 200 },
  input: z.strictObject({ full: z.boolean().default(false) }),
  output: z.object({
    data: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('single'), html: z.string(), ...read }),
      z.object({
        kind: z.literal('bundle'),
        entry: z.string(),
        files: z.array(htmlFile),
        ...read,
      }),
    ]),
  }),
  errors: ['not_html'],
})

const edit = z.strictObject({
  find: z
    .string()
    .min(1, { error: 'must not be empty' })
    .describe('Plain text, found exactly once.'),
  replace: z.string().describe('What takes its place; empty deletes.'),
  replace_all: z.boolean().optional().describe('Replace every place, up to 1,000.'),
})

export const editHtml = contract({
  name: 'editHtml',
  audience: 'owner',
  tag: 'HTML',
  summary: 'Find and replace in the draft’s HTML, all or nothing.',
  http: { method: 'PATCH', path: '/pages/{id}/html', status: 200 },
  tool: 'edit_page',
  input: z.strictObject({
    edits: z.array(edit).min(1, { error: 'must hold at least one edit' }),
    file: z.string().optional().describe('Decks only: the file to edit; the entry by default.'),
    publish: z.boolean().default(false).describe('true publishes the result as well.'),
  }),
  output: z.object({
    data: pageObject,
    edits: z.object({
      changes: z.array(
        z.object({
          before: z.string(),
          after: z.string(),
          before_truncated: z.boolean(),
          after_truncated: z.boolean(),
          count: z.int().describe('How many places were replaced.'),
        }),
      ),
      previous_version: z.int().describe('Restoring it undoes this edit exactly.'),
      version: z.int(),
    }),
  }),
  errors: [
    'not_html',
    'wrong_kind',
    'file_not_found',
    'edit_not_found',
    'edit_ambiguous',
    'too_many_matches',
    'too_many_edits',
    'edit_empties_page',
    'content_too_large',
    'conflict',
    'precondition_failed',
  ],
})
export type EditInput = z.output<typeof editHtml.input>

export const restoreVersion = contract({
  name: 'restoreVersion',
  audience: 'owner',
  tag: 'Versions',
  summary: 'Restore a version into the draft.',
  http: { method: 'POST', path: '/pages/{id}/versions/{version_no}/restore', status: 200 },
  tool: 'restore_version',
  input: z.strictObject({
    version_no,
    publish: z.boolean().default(false).describe('true publishes the result as well.'),
  }),
  output: z.object({ data: pageObject }),
  errors: ['version_not_found', 'conflict', 'precondition_failed'],
})
