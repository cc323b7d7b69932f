import { z } from 'zod'
import { parsedBy } from '../text.ts'
import { parseTimestamp } from '../timestamp.ts'

export const instant = parsedBy(
  parseTimestamp,
  'must be an ISO 8601 date and time with an offset, such as 2026-11-21T10:00:00Z',
)

export const linkFields = {
  expires_at: instant.nullable().describe('When the link stops working; null removes it. Pro.'),
  download_disabled: z.boolean().describe('View-only, for a PDF or image. Pro.'),
  notify_on_view: z.boolean().describe('Email the owner each time the page is opened.'),
}

export const linkDefaults = {
  expires_at: null as string | null,
  download_disabled: false,
  notify_on_view: false,
}

/** Not among the settings a page stores: the view counter holds its own limit. */
export const maxViews = z
  .int({ error: 'must be a whole number of at least 1, or null' })
  .min(1, { error: 'must be a whole number of at least 1, or null' })
  .max(2_147_483_647)
  .nullable()
  .describe('The link closes after this many views; null removes the limit. Pro.')
