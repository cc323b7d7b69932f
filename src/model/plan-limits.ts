import { z } from 'zod'
import {
  type Limits,
  MAX_DECK_BYTES,
  MAX_DECK_FILES,
  MAX_FILE_BYTES,
  MAX_RESPONSE_BYTES,
  MAX_RESPONSES,
} from './plan.ts'

/** A file with all that is read and made of it is in memory at once. */
const sizeOfContent = z.int().min(1).max(MAX_FILE_BYTES)

/** The limits of a plan, as `GET /account` answers them and as `PLANS_FILE` sets them. */
export const planLimits = z.object({
  file_bytes: sizeOfContent.describe('The size of a single page, a PDF or an image.'),
  deck_bytes: z.int().min(1).max(MAX_DECK_BYTES).describe('The size of a deck with all its files.'),
  deck_files: z.int().min(1).max(MAX_DECK_FILES).describe('HTML files of a deck.'),
  deck_assets: z.int().min(0).max(MAX_DECK_FILES).describe('Other files of a deck.'),
  asset_bytes: sizeOfContent.describe('The size of one of these, within `file_bytes`.'),
  stored_bytes: z.int().min(1).describe('All kept versions of all pages.'),
  upload_bytes: z.int().min(1).describe('Uploads that no page has yet.'),
  responses_per_page: z.int().min(0).max(MAX_RESPONSES).describe('Responses of a page.'),
  response_bytes_per_page: z
    .int()
    .min(0)
    .max(MAX_RESPONSE_BYTES)
    .describe('The size of all responses of a page.'),
  link_controls: z
    .boolean()
    .describe(
      'Whether it has expiry, view limit, view-only, watermarks, approvals and full analytics.',
    ),
}) satisfies z.ZodType<Limits>
