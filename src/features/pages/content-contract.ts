import { z } from 'zod'
import { addresses } from '../../model/comment.ts'
import { ADDRESS_CODES, EDIT_CODES } from '../../model/error-codes/index.ts'
import { component, contractsOf } from '../../model/operation.ts'
import { draftHtml, edit, editsSummary } from '../../model/page/html.ts'
import { pageObject } from '../../model/page/page-object.ts'
import { groupWarnings, shortened } from '../../model/page/warnings.ts'
import {
  contentChanges,
  contentFiles,
  type Warning,
  warning,
  warnings,
} from '../content/contract.ts'
import { autosave, versionNo } from '../versions/contract.ts'

const version = versionNo.optional().describe('The number of a version; the draft unless given.')

const htmlContract = contractsOf('HTML', 'owner')
const versionContract = contractsOf('Versions', 'owner')

/** Operations on the content of a page that exists. `contract.ts` exports them as well. */

const MAX_BRIEF_WARNINGS = 10
export const MAX_MATCHES = 20

const briefPage = pageObject
  .pick({ id: true, url: true, title: true, state: true, closed_by: true, password: true })
  .transform(withoutNulls)
export const previousVersion = z
  .int()
  .optional()
  .describe('The version of the draft before, where its content was replaced.')
const someWarnings = z.array(warning).transform(briefWarnings).optional()

/** The result of a tool that writes a page: what a model cannot know from its own call. */
export const briefWrite = z.object({
  data: briefPage,
  edits: editsSummary.pick({ previous_version: true, version: true }).optional(),
  previous_version: previousVersion,
  warnings: someWarnings,
})

/** The same of publishing, which answers the page beside its `data`. */
export const briefPublication = z
  .object({ page: briefPage, warnings: someWarnings })
  .transform(({ page, ...rest }) => ({ data: page, ...rest }))

/** The first ones without their empty members, equal ones as one, and how many more there are. */
function briefWarnings(warnings: Warning[]) {
  if (warnings.length === 0) return undefined
  const groups = groupWarnings(warnings)
  const items: object[] = groups.slice(0, MAX_BRIEF_WARNINGS).map(({ first, places }) => {
    const others = places.length > 1 && { also_at: shortened(places.slice(1), MAX_BRIEF_WARNINGS) }
    return { ...withoutNulls(first), ...others }
  })
  const more = groups.length - items.length
  return more === 0 ? items : [...items, { more }]
}

function withoutNulls(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

export const readHtml = htmlContract({
  summary: 'Read the draft’s HTML.',
  description:
    'Inlined `data:` URIs of 1,000 or more characters are left out unless `full` is true, and ' +
    '`ELIDED-BY-SERVICE-<n>-CHARS` replaces each: read with `full` what you send back. What is ' +
    'made of Markdown is answered as `markdown`, and with `full` as `html` as well. With ' +
    '`find`, `data` is `{kind: "matches", count, matches: [{file, line, text}]}`.',
  http: { method: 'GET', path: '/pages/{id}/html', status: 200, jsonText: true },
  tools: {
    get_page_html: {
      set: 'content',
      description:
        'Reads the HTML of a page’s draft: do so before edit_page. Of a deck, name the file; of ' +
        'a long page, find answers the places of a text alone. Long inlined data is left out ' +
        'and marked; the marks cannot be edited.',
    },
  },
  input: z.strictObject({
    full: z.boolean().default(false).describe('true leaves nothing out.'),
    file: z.string().optional().describe('Decks only: this file alone.'),
    find: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        `Only the first ${MAX_MATCHES} places of this text, each with 200 characters around it.`,
      ),
  }),
  data: draftHtml,
  errors: ['not_html', 'wrong_kind', 'file_not_found'],
})
export type HtmlQuery = z.output<typeof readHtml.input>

export const editHtml = htmlContract({
  summary: 'Find and replace in the draft’s HTML, all or nothing.',
  description:
    'Each `find` is plain text and must be there exactly once, unless `replace_all` is set. ' +
    'Edits are applied in order, each to the result before. Restore `previous_version` to undo.',
  http: { method: 'PATCH', path: '/pages/{id}/html', status: 200 },
  tools: {
    edit_page: {
      set: 'content',
      omit: ['autosave'],
      description:
        'Finds and replaces text in the draft’s HTML, all edits or none: short finds that occur ' +
        'exactly once. Visitors see it once published. Example: {"page_id": "launch-plan", ' +
        '"edits": [{"find": "9 May", "replace": "16 May"}], "publish": true}.',
      output: briefWrite,
    },
  },
  input: z.strictObject({
    edits: z.array(edit).min(1, { error: 'must hold at least one edit' }),
    file: z.string().optional().describe('Decks only: the file to edit; the entry by default.'),
    publish: z.boolean().default(false).describe('true publishes the result as well.'),
    addresses,
    autosave,
  }),
  output: z.object({ data: pageObject, edits: editsSummary, warnings }),
  errors: [...EDIT_CODES, ...ADDRESS_CODES, 'quota_reached', 'not_html', 'wrong_kind', 'conflict'],
})
export type EditInput = z.output<typeof editHtml.input>

export const readChanges = versionContract({
  summary: 'Read how the text of the draft differs from what visitors see, or of two versions.',
  description:
    'Compares the text that readers see, line by line, with two lines around each change: up to ' +
    '400 lines. Files of a deck are also listed where they were added or removed, and those ' +
    'without text where they were changed. With `lines` false it only counts.',
  http: { method: 'GET', path: '/pages/{id}/changes', status: 200 },
  input: z.strictObject({
    from: versionNo.optional().describe('The number of a version; the published one if left out.'),
    to: versionNo.optional().describe('The number of a version; the draft if left out.'),
    lines: z.boolean().default(true).describe('false leaves out the lines of files.'),
  }),
  data: component('Changes', {
    from_version_no: z.int(),
    to_version_no: z.int(),
    passages: z
      .int()
      .describe('How many passages differ; a file that came, went or has no text is one.'),
    ...contentChanges,
  }),
  errors: ['version_not_found', 'nothing_published'],
})
export type ChangesInput = z.output<typeof readChanges.input>
export type PageDifferences = z.output<typeof readChanges.output>['data']

export const restoreVersion = versionContract({
  summary: 'Restore a version into the draft.',
  description: 'The version’s content becomes the draft, saved as a new version: nothing is lost.',
  http: { method: 'POST', path: '/pages/{id}/versions/{version_no}/restore', status: 200 },
  tools: {
    restore_version: {
      set: 'versions',
      description:
        'Puts an earlier version’s content back into the draft; settings stay. To undo a write, ' +
        'restore its previous_version.',
      output: briefWrite,
    },
  },
  input: z.strictObject({
    version_no: versionNo,
    publish: z.boolean().default(false).describe('true publishes the result as well.'),
  }),
  output: z.object({ data: pageObject, warnings, previous_version: previousVersion }),
  errors: ['version_not_found', 'quota_reached', 'conflict'],
})

export const previewPage = htmlContract({
  scopes: ['pages:read'],
  summary: 'Make an address that shows the draft, or a version, for an hour.',
  description:
    'An owner sees the draft as visitors would: the page in the sandbox of published pages, a ' +
    'PDF or an image in the viewer. In the address bar of a browser it is for the signed-in ' +
    'owner; a frame of the app or a program reads by it this content and nothing else. It ends ' +
    'after an hour, and with the session that asked for it. Nothing is counted, and what a form ' +
    'or `Service` sends is refused there. Publishing and settings do not change what it shows; ' +
    'of a page that the operator took down it shows nothing.',
  http: { method: 'POST', path: '/pages/{id}/preview', status: 201 },
  input: z.strictObject({ version_no: version }),
  data: z
    .object({ url: z.url().describe('For a frame, or its owner.'), expires_at: z.string() })
    .meta({ id: 'Preview' }),
  errors: ['version_not_found'],
})

export const listFiles = htmlContract({
  summary: 'List the files of the page, without their bytes.',
  description:
    'All files of the draft or of a version, HTML as well. The hash of a file says whether it is ' +
    'the one you have: an update keeps with `keep` those that did not change.',
  http: { method: 'GET', path: '/pages/{id}/files', status: 200 },
  input: z.strictObject({ version }),
  data: contentFiles,
  errors: ['version_not_found'],
})

export const readFile = htmlContract({
  summary: 'Download a file of the page, byte for byte.',
  description:
    'Answers HTML, an asset, a PDF or an image as it was sent, with its type. The path is one of ' +
    '`files` or `assets` of the content: `index.html` for a single page, the name of its file ' +
    'for a PDF or image. `Range` and `If-None-Match` are honoured; the `ETag` is that of the file.',
  http: { method: 'GET', path: '/pages/{id}/files/{+path}', status: 200, file: true },
  input: z.strictObject({
    path: z.string().describe('The file; slashes may stay as they are.'),
    version,
  }),
  errors: ['path_not_found', 'version_not_found'],
})

export const downloadPage = htmlContract({
  summary: 'Download the content of the page: a deck as a zip, any other page as its file.',
  description:
    'Every file is in the zip byte for byte, under its path in the deck, and publishing the zip ' +
    'makes the same deck. The file is named by the page’s title, a PDF or image by its own name.',
  http: { method: 'GET', path: '/pages/{id}/download', status: 200, file: true },
  input: z.strictObject({ version }),
  errors: ['version_not_found'],
})
