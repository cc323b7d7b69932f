import { z } from 'zod'
import { plainTextOf } from '../plain-text.ts'

export const MAX_AGREEMENT_TEXT = 20_000
export const MAX_AGREEMENT_BYTES = 1024 * 1024

const require = z
  .enum(['name', 'email'])
  .describe('What who accepts gives: a name, or besides a confirmed email address.')

/** The agreement that visitors accept before they see a page, as the page has it. */
export const agreementSetting = z
  .object({
    version: z.int().min(1).describe('Rises with each change; acceptances are of one version.'),
    require,
    type: z.enum(['text', 'pdf']),
    sha256: z.string().describe('Of the text in UTF-8, or of the PDF, in hexadecimal.'),
  })
  .meta({ id: 'AgreementSetting' })
export type AgreementSetting = z.output<typeof agreementSetting>

/** What sets it: a text or a PDF. Without both, what is there stays. */
export const agreementInput = z
  .strictObject({
    text: plainTextOf(MAX_AGREEMENT_TEXT).describe('Plain text.').optional(),
    file_base64: z
      .string()
      .max(2 * MAX_AGREEMENT_BYTES)
      .describe('A PDF of at most 1 MB, base64.')
      .optional(),
    file_upload: z.string().describe('The id of an upload with such a PDF.').optional(),
    require: require.default('name'),
  })
  .nullable()
  .describe(
    'What visitors accept before they see anything of the page: a text or a PDF. A change asks ' +
      'everybody again; null asks nobody. Pro.',
  )
export type AgreementInput = NonNullable<z.output<typeof agreementInput>>
