import { z } from 'zod'
import { EDIT_CODES } from '../../model/error-codes/index.ts'
import { contract } from '../../model/operation.ts'
import { pageObject } from '../../model/page/index.ts'

const htmlFile = z.object({ path: z.string(), html: z.string() })
const htmlState = {
  has_unpublished_changes: z.boolean(),
  elided: z.object({ count: z.int(), chars: z.int() }),
}

export const readHtml = contract({
  name: 'readHtml',
  audience: 'owner',
  tag: 'HTML',
  summary: 'Read the draft’s HTML.',
  description:
    'Inlined `data:` URIs of 1,000 or more characters are left out unless `full` is true, and ' +
    '`ELIDED-BY-SERVICE-<n>-CHARS` replaces each: read with `full` what you send back.',
  http: { method: 'GET', path: '/pages/{id}/html', status: 200 },
  tools: {
    get_page_html:
      'Reads the HTML of a page’s draft, of a deck every file: do so before edit_page. Long ' +
      'inlined data is left out and marked; the marks cannot be edited. Not for settings ' +
      '(get_page). Example: {"page_id": "launch-plan"}.',
  },
  input: z.strictObject({
    full: z.boolean().default(false).describe('true leaves nothing out.'),
  }),
  output: z.object({
    data: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('single'), html: z.string(), ...htmlState }),
      z.object({
        kind: z.literal('bundle'),
        entry: z.string(),
        files: z.array(htmlFile),
        ...htmlState,
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
  replace: z.string().describe('The text to put there; empty deletes.'),
  replace_all: z.boolean().optional().describe('Replace every place, up to 1,000.'),
})

export const editHtml = contract({
  name: 'editHtml',
  audience: 'owner',
  tag: 'HTML',
  summary: 'Find and replace in the draft’s HTML, all or nothing.',
  description:
    'Each `find` is plain text and must be there exactly once, unless `replace_all` is set. ' +
    'Edits are applied in order, each to the result before. Restore `previous_version` to undo.',
  http: { method: 'PATCH', path: '/pages/{id}/html', status: 200 },
  tools: {
    edit_page:
      'Finds and replaces text in the draft’s HTML, all edits or none. The way to change part of ' +
      'a page: read it with get_page_html, then send short finds that occur exactly once. Not ' +
      'for a whole new document (update_page). Visitors see it once published. Example: ' +
      '{"page_id": "launch-plan", "edits": [{"find": "9 May", "replace": "16 May"}], "publish": ' +
      'true}.',
  },
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
  errors: [...EDIT_CODES, 'not_html', 'wrong_kind', 'conflict'],
})
export type EditInput = z.output<typeof editHtml.input>
