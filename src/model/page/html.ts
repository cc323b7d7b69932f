import { z } from 'zod'
import { jsonString } from '../json-text.ts'

const texts = {
  html: jsonString.optional().describe('Left out of what is made of Markdown, except by `full`.'),
  source: z.string().optional().describe('The file of Markdown that it is made of.'),
  markdown: jsonString.optional().describe('Its text, which edits change.'),
}
const htmlFile = z.object({ path: z.string(), ...texts })
const htmlState = {
  has_unpublished_changes: z.boolean(),
  elided: z.object({ count: z.int(), chars: z.int() }),
}

export const fileFields = {
  path: z.string(),
  type: z.string().describe('Its MIME type.'),
  size_bytes: z.int(),
  hash: z.string().describe('SHA-256 of its bytes, in hexadecimal.'),
}
/** A file of a page that is not HTML. Its bytes are read by its path. */
export const contentAsset = z.object(fileFields).meta({ id: 'Asset' })

/** The HTML of a draft, of a deck by file; or the places where a text stands in it. */
export const draftHtml = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('single'), ...texts, ...htmlState }),
  z.object({
    kind: z.literal('bundle'),
    entry: z.string(),
    files: z.array(htmlFile),
    assets: z
      .array(contentAsset)
      .optional()
      .describe('Its other files, without their bytes; left out where one file is read.'),
    ...htmlState,
  }),
  z.object({
    kind: z.literal('matches'),
    count: z.int().describe('How many places there are.'),
    matches: z.array(
      z.object({
        file: z.string().describe('The file of a deck; `index.html` on a single page.'),
        line: z.int().describe('The line that the text begins in, from 1.'),
        text: z.string().describe('The text, with what stands around it.'),
      }),
    ),
  }),
])

export const edit = z.strictObject({
  find: z
    .string()
    .min(1, { error: 'must not be empty' })
    .describe('Plain text, found exactly once.'),
  replace: z.string().describe('The text to put there; empty deletes.'),
  replace_all: z.boolean().optional().describe('Replace every place, up to 1,000.'),
})

export const editsSummary = z.object({
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
})
export type EditsSummary = z.output<typeof editsSummary>
