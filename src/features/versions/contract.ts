import { z } from 'zod'
import { jsonString } from '../../model/json-text.ts'
import { component, contractsOf } from '../../model/operation.ts'
import { contentAsset } from '../../model/page/html.ts'
import { line } from '../../model/text.ts'

const ownerContract = contractsOf('Versions', 'owner')

export const versionRecord = component('Version', {
  version_no: z.int().describe('Counts from 1 within the page.'),
  source: z.enum(['publish', 'edit', 'restore']).describe('What saved it.'),
  label: z.string().nullable().describe('Its name; named versions are never removed.'),
  size_bytes: z.int(),
  created_at: z.string(),
})
export type VersionRecord = z.output<typeof versionRecord>

export const versionContent = versionRecord.extend({
  kind: z.enum(['single', 'bundle']),
  html: jsonString.optional().describe('A single page’s HTML.'),
  entry: z.string().optional().describe('A deck’s landing file.'),
  files: z
    .array(z.object({ path: z.string(), html: jsonString }))
    .optional()
    .describe('A deck’s HTML files.'),
  file: z
    .object({ name: z.string(), mime: z.string(), size_bytes: z.int() })
    .optional()
    .describe('A PDF or image page’s file.'),
  assets: z
    .array(contentAsset)
    .optional()
    .describe(
      'A deck’s other files, or a PDF or image page’s file, without their bytes; none with `file`.',
    ),
})

export const versionNo = z.int().min(1).max(2_147_483_647)

export const autosave = z
  .boolean()
  .optional()
  .describe(
    'true: an editor saves by itself. The version takes the place of the one before where that ' +
      'is such a version, too, of the last ten minutes.',
  )

export const listVersions = ownerContract({
  summary: 'List a page’s versions, newest first.',
  description:
    'A version is the page’s content, not its settings. Every change of content saves one; ' +
    '`source` says which kind of change.',
  http: { method: 'GET', path: '/pages/{id}/versions', status: 200 },
  tools: {
    list_versions: {
      set: 'versions',
      omit: ['with_use'],
      description: 'Lists the page’s versions, newest first, without content.',
    },
  },
  input: z.strictObject({
    with_use: z
      .boolean()
      .default(false)
      .describe(
        'Also answers which version is the draft, which one visitors see, and what each came from.',
      ),
  }),
  data: z.array(
    versionRecord.extend({
      is_draft: z.boolean().optional().describe('Whether the draft has its content.'),
      is_live: z.boolean().optional().describe('Whether visitors see it.'),
      via: z
        .string()
        .nullable()
        .optional()
        .describe(
          'What it came from: `api`, `mcp`, `cli`, `upload`, `editor`, or `autosave` of the ' +
            'editor; null where that was not recorded.',
        ),
      key_name: z.string().nullable().optional().describe('The name of the API key that saved it.'),
    }),
  ),
})

export const getVersion = ownerContract({
  summary: 'Read a version with its full content.',
  description:
    'Its HTML is complete; the bytes of its other files are read by their paths. The list of ' +
    'versions has the number, which counts from 1 within the page.',
  http: {
    method: 'GET',
    path: '/pages/{id}/versions/{version_no}',
    status: 200,
    jsonText: true,
  },
  tools: {
    get_version: {
      set: 'versions',
      description:
        'Reads a version’s full content; of a deck, name the file. To bring it back: ' +
        'restore_version.',
    },
  },
  input: z.strictObject({
    version_no: versionNo,
    file: z.string().optional().describe('Decks only: this file alone.'),
  }),
  data: versionContent,
  errors: ['version_not_found', 'wrong_kind', 'file_not_found'],
})

export const nameVersion = ownerContract({
  summary: 'Name a version, or clear its name.',
  description: 'Named versions are kept for ever; of the unnamed the newest 50 are.',
  http: { method: 'PATCH', path: '/pages/{id}/versions/{version_no}', status: 200 },
  tools: {
    name_version: {
      set: 'versions',
      description: 'Names a version, which is then never removed.',
    },
  },
  input: z.strictObject({
    version_no: versionNo,
    label: line(200).nullable().describe('The name; null clears it.'),
  }),
  data: versionRecord,
  errors: ['version_not_found'],
})
