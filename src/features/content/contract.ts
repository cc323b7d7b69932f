import { z } from 'zod'
import { component, contractsOf } from '../../model/operation.ts'
import { fileFields } from '../../model/page/html.ts'

const accountContract = contractsOf('Uploads', 'account', { pageKeys: true })
const wellFormed = z.string().refine((text) => text.isWellFormed(), {
  error: 'must be valid Unicode text',
})
export const sha256Text = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, { error: 'must be a SHA-256 in hexadecimal, 64 characters' })
  .transform((text) => text.toLowerCase())

const deckPath = z.string().describe('Relative to the deck, such as `parts/two.html`.')
const upload = z.string().describe('The id of an upload with its bytes.')

const pageMembers = {
  html: wellFormed.optional().describe('Its HTML.'),
  markdown: wellFormed.optional(),
  upload: upload.optional(),
}
const assetMembers = {
  data_base64: z.string().optional().describe('Its bytes, base64.'),
  upload: upload.optional(),
}
const keep = z.string().optional().describe('A file of the draft, whose bytes it has.')

/** Files of a deck, each with its content or with the id of an upload. */
const deckPage = deckFile(pageMembers)
const deckAsset = deckFile(assetMembers)
/** Files of a deck that is there already: each may also keep the bytes that the draft has. */
const draftPage = deckFile({ ...pageMembers, keep })
const draftAsset = deckFile({ ...assetMembers, keep })

/** A file with one of these members. */
function deckFile<Members extends z.core.$ZodLooseShape>(members: Members) {
  const names = Object.keys(members)
  const error = `must have one of ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  return z.strictObject({ path: deckPath, ...members }).refine(
    // The path is the other.
    (file) => Object.values(file).filter((value) => value !== undefined).length === 2,
    { error },
  )
}

/** The content sources, of which a request names one, and members that go with some of them. */
export const contentFields = {
  html: wellFormed.describe('A complete, self-contained HTML document.'),
  html_base64: z.string().describe('The same document, base64; valid UTF-8.'),
  html_url: z.string().describe('A public https URL to fetch the HTML from.'),
  html_upload: z.string().describe('The id of an upload with the HTML.'),
  markdown: wellFormed.describe('As on GitHub.'),
  markdown_upload: z.string().describe('The id of an upload with the Markdown.'),
  sha256: sha256Text.describe('Hex SHA-256 of the HTML bytes; a mismatch is refused with 422.'),
  files: z.array(deckPage).describe('A deck: its HTML files, or `.md` with `markdown`.'),
  assets: z.array(deckAsset).describe('A deck’s other files.'),
  entry: z.string().describe('Landing file; else the last named, index.html or the shallowest.'),
  file_base64: z.string().describe('A PDF or image (PNG, JPG, WebP, GIF), base64.'),
  file_url: z.string().describe('A public https URL to fetch a PDF or image from.'),
  file_upload: z.string().describe('The id of an upload: a PDF, an image, or the zip of a deck.'),
  filename: z.string().describe('Original name: title, download name and type; .zip: a deck.'),
  mime: z.string().describe('Optional; the bytes decide.'),
}

/** The files of a deck whose draft is replaced. */
export const draftFields = {
  files: z.array(draftPage).describe('All HTML files of a deck, each with html, upload or keep.'),
  assets: z.array(draftAsset).describe('All its other files; without it the draft’s stay.'),
}
export const contentInput = z.strictObject({ ...contentFields, ...draftFields }).partial()
export type ContentInput = z.output<typeof contentInput>

const CONTENT_WARNINGS = [
  'missing_file',
  'wrong_base',
  'local_address',
  'no_viewport',
  'form_goes_nowhere',
  'file_input_ignored',
  'unnamed_field',
  'replacing_form',
  'framed_form',
  'unclosed_element',
  'unclosed_comment',
  'truncated_image',
  'source_file',
  'root_address',
  'root_router',
  'needs_origin',
  'guessed_encoding',
  'replaced_text',
  'left_out',
  'ignored_rule',
  'speaker_window',
  'missing_fallback',
  'markdown_replaced',
] as const
export type WarningCode = (typeof CONTENT_WARNINGS)[number]
const SETTING_WARNINGS = ['no_effect', 'nobody_can_open'] as const

/**
 * Something in the content that will not work for visitors, as its bytes show; or a setting that
 * does nothing as the page is set.
 */
export const warning = component('Warning', {
  code: z.enum([...CONTENT_WARNINGS, ...SETTING_WARNINGS]),
  message: z.string().describe('What visitors will meet, and what to do.'),
  param: z.string().optional().describe('The setting that it is about.'),
  path: z.string().nullable().describe('The file of a deck; null on a single page.'),
  line: z.int().nullable().describe('Its line, from 1; null where no line shows it.'),
})
export type Warning = z.output<typeof warning>

export const warnings = z
  .array(warning)
  .describe(
    'What will surely not work for visitors, and settings without effect: at most 50, often ' +
      'none. All files of a deck that were left out are named.',
  )

const fileChange = component('FileChange', {
  path: z.string().describe('The file of a deck; empty on other pages.'),
  state: z.enum(['added', 'removed', 'changed']),
  lines: z
    .array(z.object({ kind: z.enum(['added', 'removed', 'same', 'gap']), text: z.string() }))
    .nullable()
    .describe('Null for a file without text, and where too much has changed.'),
})
export type FileChange = z.output<typeof fileChange>

/** How one content differs from another, in the text that readers see. */
export const contentChanges = {
  files: z.array(fileChange),
  is_cut: z.boolean().describe('There are more changes than these.'),
}
export type ContentChanges = z.output<z.ZodObject<typeof contentChanges>> & {
  /** Lines that changed next to each other are one. */
  passages: number
}

/** A file of a page's content, without its bytes. */
const contentFile = component('File', fileFields)
export const contentFiles = z.object({
  kind: z.enum(['single', 'bundle']),
  entry: z.string().describe('Where visitors land.'),
  files: z.array(contentFile),
})
export type ContentFiles = z.output<typeof contentFiles>

export const createUpload = accountContract({
  summary: 'Upload content too large for a request body.',
  description:
    'Send the bytes themselves as the body, up to the plan’s limit for a file. Within 24 hours ' +
    'the id answered goes into `html_upload`, `file_upload`, or the `upload` of a deck’s file; ' +
    'compare `sha256` to know that every byte arrived. A zip in `file_upload`, with a `filename` ' +
    'that ends in `.zip`, is unpacked to the files of a deck.',
  http: { method: 'POST', path: '/uploads', status: 201, rawBody: true },
  data: z.object({
    id: z.string(),
    sha256: z.string().describe('Of the bytes that arrived, in hexadecimal.'),
    size_bytes: z.int(),
    expires_at: z.string().describe('Until when it can be used.'),
  }),
  errors: ['content_too_large', 'quota_reached', 'empty_upload'],
})

export const createUploadLink = accountContract({
  summary: 'Make an address that takes one upload without a key.',
  description:
    'Anyone with the address may upload one file of this account to it, with PUT or POST, once ' +
    'and within 15 minutes: `command` does. Then `id` is an upload as any other. For programs ' +
    'that must not hold the key.',
  http: { method: 'POST', path: '/uploads/links', status: 201 },
  tools: {
    create_upload: {
      set: 'publish',
      description:
        'Makes an address that takes one large file, once, within 15 minutes. Run its command ' +
        'in a shell with your file as FILE, then pass its id as html_upload, file_upload or the ' +
        'upload of a deck’s file.',
    },
  },
  data: z.object({
    id: z.string().describe('The id of the upload, once the bytes have arrived.'),
    url: z.string().describe('Where to send them. A secret until it is used.'),
    command: z.string().describe('A command of a shell that sends a file called FILE.'),
    expires_at: z.string().describe('Until when the address works.'),
  }),
})
