import { z } from 'zod'
import { millisecondsOf } from '../timestamp.ts'
import {
  accessDefaults,
  accessFields,
  approvalContradiction,
  approvalDefaults,
  approvalFields,
  type Contradiction,
  commentDefaults,
  commentFields,
  linkDefaults,
  linkFields,
  maxViews,
  password,
  pollContradiction,
  pollDefaults,
  pollFields,
  previewDefaults,
  previewFields,
  responseDefaults,
  responseFields,
} from './setting-fields.ts'

export { searchTextOf, searchWordsIn } from './search.ts'
export type { Contradiction } from './setting-fields.ts'
export { ACCESS_LEVELS, type Access, accessFields } from './setting-fields.ts'
export { type ShownState, shownStateOf } from './shown-state.ts'
export { PAGE_STATES, type PageState, stateFieldsOf } from './state.ts'

const ACCENTS = [
  'slate',
  'red',
  'orange',
  'amber',
  'green',
  'teal',
  'blue',
  'indigo',
  'violet',
  'pink',
] as const

export const SOURCES = ['api', 'mcp', 'cli', 'upload', 'editor'] as const
export type Source = (typeof SOURCES)[number]

/** The settings that are stored with a page. */
export const settingsFields = {
  ...accessFields,
  accent: z.enum(ACCENTS).describe('The colour of gates, viewer and widgets.'),
  ...linkFields,
  ...commentFields,
  ...approvalFields,
  ...pollFields,
  ...previewFields,
  ...responseFields,
}

export type PageSettings = z.output<z.ZodObject<typeof settingsFields>>

export const DEFAULT_SETTINGS: PageSettings = {
  ...accessDefaults,
  accent: 'blue',
  ...linkDefaults,
  ...commentDefaults,
  ...approvalDefaults,
  ...pollDefaults,
  ...previewDefaults,
  ...responseDefaults,
}

/** The settings in the input of create and update. */
export const settingsInput = z
  .strictObject({ ...settingsFields, max_views: maxViews, password })
  .partial()
export type SettingsInput = z.output<typeof settingsInput>

/** The first contradiction among settings, or null. */
export function contradictionIn(settings: PageSettings): Contradiction | null {
  return approvalContradiction(settings) ?? pollContradiction(settings)
}

/** A page as the server stores it. Its owner gets `pageObject`. */
export interface Page {
  id: string
  account_id: string
  slug: string
  title: string | null
  settings: PageSettings
  password_sealed: string | null
  access_epoch: number
  source: Source
  /** The ids of manifests: the draft, and the published content or null. */
  draft_id: string
  published_id: string | null
  published_at: string | null
  taken_down_at: string | null
  taken_down_reason: string | null
  /** When its account was suspended; null if it is not. */
  suspended_at: string | null
  revision: number
  created_at: string
  updated_at: string
}

/** The columns of a page that the access rule needs. */
export function gateOf(page: Page) {
  const { settings, published_id, taken_down_at } = page
  const { expires_at } = settings
  return {
    ...settings,
    is_published: published_id !== null,
    is_taken_down: taken_down_at !== null,
    is_suspended: page.suspended_at !== null,
    expires_ms: expires_at === null ? null : millisecondsOf(expires_at),
  }
}

/** Whether a text can be the name of a page in its address. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{2,62}$/.test(text)
}
