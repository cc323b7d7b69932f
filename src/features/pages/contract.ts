import { z } from 'zod'
import { addresses } from '../../model/comment.ts'
import { ADDRESS_CODES, CONTENT_CODES, SETTINGS_CODES } from '../../model/error-codes/index.ts'
import { contractsOf } from '../../model/operation.ts'
import {
  isSlug,
  PAGE_STATES,
  passwordText,
  settingsFields,
  settingsInput,
} from '../../model/page/index.ts'
import {
  briefPage,
  listedPage,
  pageObject,
  READ_ONLY_MEMBERS,
} from '../../model/page/page-object.ts'
import { nextOffset, paging } from '../../model/paging.ts'
import { isCleanText, line, parsedBy } from '../../model/text.ts'
import { contentFields, draftFields, warnings } from '../content/contract.ts'
import { autosave } from '../versions/contract.ts'
import { briefPublication, briefWrite, previousVersion } from './content-contract.ts'

const accountContract = contractsOf('Pages', 'account')
const ownerContract = contractsOf('Pages', 'owner')

export * from './content-contract.ts'

const title = line(200).nullable()
const slug = parsedBy(
  (text) => (isSlug(text) ? text : null),
  'must be 3 to 63 of a-z, 0-9 and -, not starting with -',
)

const pageFields = {
  title: title.describe('Display title, unique in the account; null or omitted: from the content.'),
  slug: slug.describe('The page’s name in its address; made where none is given.'),
}
const pageInput = z.strictObject({ ...contentFields, ...pageFields }).partial()

const newPassword = passwordText
  .nullish()
  .describe('For `password`; null: the server generates a new one.')

/** Members that only the tool for the other kind of page takes. */
const FILE_SOURCES = ['file_base64', 'file_url', 'file_upload', 'mime']
const HTML_SOURCES = [
  ...['html', 'html_base64', 'html_url', 'html_upload', 'markdown', 'markdown_upload'],
  ...['sha256', 'files', 'assets', 'entry'],
]

/** Settings that the tool for files lists itself. */
const COMMON_SETTINGS = ['access', 'allowed_emails', 'password', 'expires_at', 'download_disabled']

export const createPage = accountContract({
  summary: 'Create a page.',
  description:
    'Supply exactly one content source: `html`, `html_base64`, `html_url`, `html_upload`, ' +
    '`markdown`, `markdown_upload`, `files`, `file_base64`, `file_url` or `file_upload`. The ' +
    'page is live at once unless `publish` is false: give people its `url`, and the other ' +
    'operations its `id`.',
  http: { method: 'POST', path: '/pages', status: 201 },
  tools: {
    publish_page: {
      set: 'publish',
      omit: FILE_SOURCES,
      // Its schema would take room from every conversation.
      unlisted: ['filename', 'markdown_upload', 'agreement', 'watermark'],
      description:
        'Publishes an HTML document, or a deck of HTML files, at a new link. Give exactly one ' +
        'of html, markdown, html_base64, html_url, html_upload or files. A page that exists: ' +
        'update_page keeps its link. Arguments over 20 KB are often cut short: use html_url or ' +
        'html_upload, and compare `received` with what you sent. Example: {"html": "<!doctype ' +
        'html><title>Plan</title>…", "access": "password"}.',
      output: briefWrite,
    },
    publish_file: {
      set: 'publish',
      omit: HTML_SOURCES,
      unlisted: Object.keys(settingsInput.shape).filter((name) => !COMMON_SETTINGS.includes(name)),
      description:
        'Publishes a PDF or an image (PNG, JPG, WebP, GIF) at a new link, or as a deck what an ' +
        'uploaded .zip holds. Give filename and exactly one of file_url, file_upload or ' +
        'file_base64. Takes every setting of publish_page, and watermark.',
      output: briefWrite,
    },
  },
  input: pageInput.extend({
    publish: z.boolean().default(true).describe('false saves a private draft.'),
    ...settingsInput.shape,
  }),
  output: z.object({ data: pageObject, warnings }),
  errors: [...CONTENT_CODES, ...SETTINGS_CODES, 'idempotency_key_reused'],
})
export type CreateInput = z.output<typeof createPage.input>

const MAX_SEARCH = 200

/** Which pages a list has, and in which order. */
const listFields = {
  search: z
    .string()
    .max(MAX_SEARCH, { error: `must be at most ${MAX_SEARCH} characters` })
    .refine(isCleanText, { error: 'must not contain control characters' })
    .optional()
    .describe('Words that are all in the title or the slug; case and accents do not count.'),
  sort: z
    .enum(['updated', 'created', 'title', 'views'])
    .optional()
    .describe('What the pages are ordered by: `updated` if left out.'),
  order: z
    .enum(['asc', 'desc'])
    .optional()
    .describe('`desc`, the newest or most first, unless the order is by title.'),
  name: line(200)
    .optional()
    .describe('Only pages with this title, and PDFs and images whose file has this name.'),
  access: settingsFields.access.optional().describe('Only pages with this access.'),
  folder: settingsFields.folder.unwrap().optional().describe('Only pages in this folder.'),
  state: z
    .enum(PAGE_STATES)
    .optional()
    .describe('Only pages in this state. Those in the trash are listed with `trash` alone.'),
  kind: z
    .enum(['single', 'bundle', 'pdf', 'image'])
    .optional()
    .describe('Only pages whose draft is one HTML document, a deck, a PDF or an image.'),
}

export const listPages = accountContract({
  pageKeys: true,
  summary: 'List your pages, most recently edited first.',
  description:
    'Answers `limit` pages from `offset` on; pass `next_offset` as `offset` for the next ones, ' +
    'until it is null. Filters can be combined. Passwords are left out: read one page to see its ' +
    'own.',
  http: { method: 'GET', path: '/pages', status: 200 },
  tools: {
    list_pages: {
      set: 'content',
      omit: ['sort', 'order', 'name', 'access', 'state', 'kind', 'folder'],
      defaults: { limit: 30 },
      description:
        'Lists pages, last edited first: id, title, url, access, state and counts. Finds a page ' +
        'by words of its title.',
      output: z.object({ data: z.array(briefPage), next_offset: z.int().nullable() }),
    },
  },
  input: z.strictObject({
    ...paging({ most: 200, usual: 100 }),
    ...listFields,
  }),
  output: z.object({ data: z.array(listedPage), next_offset: nextOffset }),
})
export type ListInput = z.output<typeof listPages.input>

export const listFolders = accountContract({
  summary: 'List the folders of your pages.',
  description:
    'A folder is there while a page is in it: `folder` of a page puts it there. The first 1,000, ' +
    'by name.',
  http: { method: 'GET', path: '/folders', status: 200 },
  data: z.array(z.object({ name: z.string(), pages: z.int() })),
})

export const getPage = ownerContract({
  summary: 'Retrieve a page.',
  description:
    'Answers every setting, the link, its views and state. Its content is read as HTML or version.',
  http: { method: 'GET', path: '/pages/{id}', status: 200 },
  tools: {
    get_page: {
      set: 'content',
      description:
        'Answers a page’s link, state, access and every setting. Its content: get_page_html.',
    },
  },
  data: pageObject,
})

export const updatePage = ownerContract({
  summary: 'Update a page’s settings, or replace its draft.',
  description:
    'Takes any subset of what a create takes; what is left out stays as it is. Content changes ' +
    'the draft only: publish to show it. Settings apply at once. Of a deck, `files` is the whole ' +
    'new set; a file with `keep` has the bytes that a file of the draft has, so that only what ' +
    'changed is sent: with `If-Match`, of the draft that you read. Members of a page that cannot ' +
    'be set, such as `views`, are refused: send only what changes.',
  http: { method: 'PATCH', path: '/pages/{id}', status: 200 },
  needsRecentSignIn: ({ access }, page) => access === 'link' && page?.settings.access !== 'link',
  tools: {
    update_page: {
      set: 'publish',
      omit: ['autosave'],
      unlisted: [
        ...['html_base64', 'markdown', 'markdown_upload', 'sha256', 'mime', 'agreement'],
        'becomes_deck',
        'watermark',
      ],
      description:
        'Changes a page’s settings, at once, or replaces the whole content of its draft, which ' +
        'visitors see after publish. Send only what changes; parameters are those of ' +
        'publish_page. A few words: edit_page.',
      output: briefWrite,
    },
  },
  input: pageInput.extend({
    ...settingsInput.shape,
    files: draftFields.files.optional(),
    assets: draftFields.assets.optional(),
    becomes_deck: z
      .boolean()
      .optional()
      .describe('With files or a zip: true makes a page a deck that is none. It keeps its link.'),
    password: newPassword,
    addresses,
    autosave,
  }),
  hints: READ_ONLY_MEMBERS,
  output: z.object({ data: pageObject, warnings, previous_version: previousVersion }),
  errors: [
    ...CONTENT_CODES,
    ...SETTINGS_CODES,
    ...ADDRESS_CODES,
    'file_not_found',
    'wrong_kind',
    'conflict',
  ],
})
export type UpdateInput = z.output<typeof updatePage.input>

export const duplicatePage = ownerContract({
  pageKeys: false,
  summary: 'Copy a page.',
  description:
    'A new draft with the content of the draft and all settings that the plan has, the password ' +
    'and the invited people included; its slug is new, and its title ends in ` (copy)`. ' +
    'Responses, comments, decisions and views stay with the first page. The copy of a page that ' +
    'was taken down is so as well.',
  http: { method: 'POST', path: '/pages/{id}/duplicate', status: 201 },
  output: z.object({ data: pageObject, warnings }),
  errors: ['quota_reached'],
})

export const trashPage = ownerContract({
  summary: 'Move a page to the trash.',
  description:
    'Visitors meet the notice of an unpublished page, and lists leave it out. For 30 days it can ' +
    'be taken back with all it has; then it is deleted. Until then it counts to what the account ' +
    'stores, and its slug stays taken. `GET /pages?state=trash` lists the trash.',
  http: { method: 'POST', path: '/pages/{id}/trash', status: 200 },
  takesTrashed: true,
  data: pageObject,
})

export const takeBackPage = ownerContract({
  summary: 'Take a page out of the trash.',
  description:
    'It is again what it was, at its link: published where it was. Where another page has its ' +
    'title by now, the title gets a number.',
  http: { method: 'DELETE', path: '/pages/{id}/trash', status: 200 },
  takesTrashed: true,
  data: pageObject,
})

export const countPage = ownerContract({
  summary: 'Count what belongs to a page.',
  description:
    'What would be deleted with it, and what of it is open. `collects_responses` says whether ' +
    'its content has a form or a script that collects some.',
  http: { method: 'GET', path: '/pages/{id}/counts', status: 200 },
  data: z.object({
    versions: z.int(),
    responses: z.int(),
    comments: z.int().describe('With replies and hidden ones.'),
    open_comments: z.int().describe('Threads that are open and not hidden.'),
    decisions: z.int().describe('Those of approvers, also earlier ones.'),
    votes: z.int().describe('Those of its poll that count.'),
    people: z.int().describe('Named links, and addresses that were confirmed on it.'),
    collects_responses: z.boolean(),
  }),
})

export const deletePage = ownerContract({
  summary: 'Delete a page for good.',
  description:
    'Deletes its link, versions and responses too. `POST /pages/{id}/trash` keeps them for 30 ' +
    'days, and unpublishing for good. ' +
    'For a year its slug is this account’s alone, as after a change of the slug.',
  http: { method: 'DELETE', path: '/pages/{id}', status: 204 },
  takesTrashed: true,
  tools: {
    delete_page: {
      set: 'publish',
      description:
        'Deletes a page for good, with its versions, responses and link. Only where the user ' +
        'asked for exactly that: unpublish keeps it.',
    },
  },
})

export const publishPage = ownerContract({
  summary: 'Publish the draft: visitors see it at once.',
  description: 'Visitors see the draft from now on, at the same link.',
  http: { method: 'POST', path: '/pages/{id}/publish', status: 200 },
  tools: {
    publish: {
      set: 'publish',
      description:
        'Shows visitors the draft at the same link. Needed after update_page or edit_page, not ' +
        'after publish_page.',
      output: briefPublication,
    },
  },
  input: z.strictObject({ addresses }),
  output: z.object({
    data: pageObject.pick({
      id: true,
      url: true,
      is_published: true,
      has_unpublished_changes: true,
      password: true,
    }),
    page: pageObject,
    warnings,
  }),
  errors: [...ADDRESS_CODES, 'conflict'],
})

export const unpublishPage = ownerContract({
  summary: 'Take a page offline and keep its draft.',
  description:
    'Visitors meet a notice. All else stays, and publishing brings it back at the same link.',
  http: { method: 'DELETE', path: '/pages/{id}/publish', status: 200 },
  tools: {
    unpublish: {
      set: 'publish',
      description:
        'Takes a page offline and keeps all it has; publish brings it back. Who may see it: ' +
        'update_page with access.',
    },
  },
  data: pageObject.pick({ is_published: true }),
})
