import { z } from 'zod'
import { isCleanText, parsedBy } from '../text.ts'
import { parseTimestamp } from '../timestamp.ts'
import { MAX_MAX_VIEWS } from './limits.ts'

export const instant = parsedBy(
  parseTimestamp,
  'must be an ISO 8601 date and time with an offset, such as 2026-11-21T10:00:00Z',
)

const MAX_PATH_CHARS = 1024

const deckPath = parsedBy((text) => {
  const path = text
    .trim()
    .replace(/^\.?\//, '')
    .normalize('NFC')
  const isPath = path !== '' && path.length <= MAX_PATH_CHARS && isCleanText(path)
  return isPath && !/^~|\\|(^|\/)\.{0,2}(\/|$)/.test(path) ? path : null
}, 'must be the path of a file of the deck, such as index.html')

export const linkFields = {
  expires_at: instant.nullable().describe('When the link expires; null removes the expiry. Pro.'),
  download_disabled: z.boolean().describe('View-only: a PDF or image cannot be downloaded. Pro.'),
  notify_on_view: z.boolean().describe('Mails the owner each opening of the page.'),
  fallback: deckPath.nullable().describe('The deck’s file for unknown routes.'),
}

export const linkDefaults = {
  expires_at: null as string | null,
  download_disabled: false,
  notify_on_view: false,
  fallback: null as string | null,
}

/** The view counter stores this setting, not the page. */
export const maxViews = z
  .int({ error: 'must be a whole number of at least 1, or null' })
  .min(1, { error: 'must be a whole number of at least 1, or null' })
  .max(MAX_MAX_VIEWS, { error: `must be at most ${MAX_MAX_VIEWS.toLocaleString('en')}` })
  .nullable()
  .describe('Closes the link after this many views; null removes the limit. Pro.')
