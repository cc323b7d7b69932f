import { z } from 'zod'
import { ACCENTS, DEFAULT_ACCENT } from '../accent.ts'
import { distinct, domain, email, isCleanText, joinedLine, line, parsedBy } from '../text.ts'
import { millisecondsOf, timeToCome } from '../times.ts'
import { type AgreementSetting, agreementInput } from './agreement.ts'
import {
  ACCESS_LEVELS,
  type Access,
  MAX_APPROVERS,
  MAX_INVITEES,
  MAX_MAX_VIEWS,
  MAX_OG_DESCRIPTION,
  MAX_OG_TITLE,
  MAX_POLL_OPTION,
  MAX_POLL_QUESTION,
  PASSWORD_LENGTH,
  POLL_OPTIONS,
  shutBy,
} from './facts.ts'

export * from './agreement.ts'
export * from './facts.ts'

export const SOURCES = ['api', 'mcp', 'cli', 'upload', 'editor'] as const
export type Source = (typeof SOURCES)[number]

const MAX_PATH_CHARS = 1024

const deckPath = parsedBy((text) => {
  const path = text
    .trim()
    .replace(/^\.?\//, '')
    .normalize('NFC')
  const isPath = path !== '' && path.length <= MAX_PATH_CHARS && isCleanText(path)
  return isPath && !/^~|\\|(^|\/)\.{0,2}(\/|$)/.test(path) ? path : null
}, 'must be the path of a file of the deck, such as index.html')

/** Who sees the results of a poll. `closed` is everyone, once voting has ended. */
export const POLL_RESULTS = ['public', 'vote', 'owner', 'closed'] as const

/** The settings that are stored with a page as they are sent. */
export const settingsFields = {
  access: z.enum(ACCESS_LEVELS).describe('Who may open the page.'),
  allowed_emails: distinct(email, MAX_INVITEES).describe('Invited addresses, for `people`.'),
  require_signin: z.boolean().describe('For `people`: invitees sign in to an account.'),
  allow_access_requests: z.boolean().describe('For `people`: others may ask for access.'),
  business_only: z.boolean().describe('For `email_gate`: refuses personal mail services.'),
  allowed_domains: distinct(domain, MAX_INVITEES).describe('For `email_gate`; empty allows all.'),
  indexed: z.boolean().describe('Whether search engines may index the page. For `link` only.'),
  folder: line(100).nullable().describe('Its folder in your list of pages.'),
  accent: z
    .enum(ACCENTS)
    .describe('The colour of gates, viewer and widgets; `blue` leaves it to your account.'),
  expires_at: timeToCome
    .nullable()
    .describe('When the link expires, such as `7d`; null removes the expiry. Pro.'),
  download_disabled: z.boolean().describe('View-only: a PDF or image cannot be downloaded. Pro.'),
  watermark: z
    .boolean()
    .describe('Marks each copy of a PDF or image with its viewer and the time. Pro.'),
  notify_on_view: z.boolean().describe('Mails the owner each opening of the page.'),
  fallback: deckPath.nullable().describe('The deck’s file for unknown routes.'),
  allow_comments: z.boolean().describe('Viewers can comment, for all to see.'),
  comments_require_email: z
    .boolean()
    .describe('Viewers confirm an email address before they comment.'),
  notify_on_comment: z.boolean().describe('Mails the owner each new comment and reply.'),
  collect_approvals: z.boolean().describe('Approvers approve the page or request changes. Pro.'),
  approver_emails: distinct(email, MAX_APPROVERS).describe('The addresses of the approvers.'),
  approvals_visibility: z
    .enum(['owner', 'shared'])
    .describe('Whether approvers see each other’s decisions.'),
  notify_on_decision: z.boolean().describe('Mails the owner each decision.'),
  collect_votes: z.boolean().describe('Adds a one-question poll.'),
  poll_question: line(MAX_POLL_QUESTION).nullable().describe('The question of the poll.'),
  poll_options: z.array(line(MAX_POLL_OPTION)).describe('2 to 12 different options.'),
  poll_require_email: z.boolean().describe('One vote per confirmed email, not per browser.'),
  poll_results: z
    .enum(POLL_RESULTS)
    .describe('Who sees the results; `closed`: everyone, once it has closed.'),
  poll_named: z
    .boolean()
    .describe(
      'All who see results see who voted for what. Needs poll_require_email. Votes cast before ' +
        'stay secret.',
    ),
  poll_closes_at: timeToCome.nullable().describe('When voting ends; null removes the end.'),
  og_title: line(MAX_OG_TITLE)
    .nullable()
    .describe('The title of link previews; null: the page’s own.'),
  og_description: joinedLine(MAX_OG_DESCRIPTION)
    .nullable()
    .describe('Their description; null: the page’s own.'),
  responses_closed_at: timeToCome
    .nullable()
    .describe('When responses are no longer taken, `0m` for now; null reopens.'),
  notify_on_response: z.boolean().describe('Mails the owner each response.'),
}
export type PageSettings = z.output<z.ZodObject<typeof settingsFields>> & {
  /** What visitors accept first. Its content is stored apart. */
  agreement: AgreementSetting | null
}

export const DEFAULT_SETTINGS: PageSettings = {
  access: 'link',
  allowed_emails: [],
  require_signin: false,
  allow_access_requests: false,
  business_only: false,
  allowed_domains: [],
  indexed: false,
  folder: null,
  accent: DEFAULT_ACCENT,
  expires_at: null,
  download_disabled: false,
  watermark: false,
  notify_on_view: false,
  fallback: null,
  allow_comments: false,
  comments_require_email: false,
  notify_on_comment: true,
  collect_approvals: false,
  approver_emails: [],
  approvals_visibility: 'owner',
  notify_on_decision: true,
  collect_votes: false,
  poll_question: null,
  poll_options: [],
  poll_require_email: false,
  poll_results: 'public',
  poll_named: false,
  poll_closes_at: null,
  og_title: null,
  og_description: null,
  responses_closed_at: null,
  notify_on_response: false,
  agreement: null,
}

/** The view counter stores this setting, not the page. */
export const maxViews = z
  .int({ error: 'must be a whole number of at least 1, or null' })
  .min(1, { error: 'must be a whole number of at least 1, or null' })
  .max(MAX_MAX_VIEWS, { error: `must be at most ${MAX_MAX_VIEWS.toLocaleString('en')}` })
  .nullable()
  .describe('Closes the link after this many views; null removes the limit. Pro.')

const { min, max } = PASSWORD_LENGTH

export const passwordText = z
  .string()
  .min(min, { error: `must be ${min} to ${max} characters` })
  .max(max, { error: `must be ${min} to ${max} characters` })
  .refine((text) => text.isWellFormed() && !text.includes('\u0000'), {
    error: 'must be valid text',
  })

export const password = passwordText.describe('For `password`. Generated if none is given.')

/** The settings in the input of create and update. */
export const settingsInput = z
  .strictObject({
    ...settingsFields,
    max_views: maxViews,
    password,
    agreement: agreementInput,
  })
  .partial()
export type SettingsInput = z.output<typeof settingsInput>

/** Settings that are valid one by one, but not together. */
interface Contradiction {
  /** The parameter to change. */
  param: string
  message: string
}

/** The first contradiction among settings, or null. */
export function contradictionIn(settings: PageSettings): Contradiction | null {
  const { collect_votes, poll_question, poll_options } = settings
  const { min, max } = POLL_OPTIONS
  if (settings.collect_approvals && settings.approver_emails.length === 0) {
    const needs = 'collect_approvals needs at least one address in approver_emails.'
    return { param: 'approver_emails', message: needs }
  }
  if (new Set(poll_options).size < poll_options.length) {
    return { param: 'poll_options', message: 'poll_options must all be different.' }
  }
  const hasOptions = poll_options.length >= min && poll_options.length <= max
  if (!hasOptions && (collect_votes || poll_options.length > 0)) {
    return { param: 'poll_options', message: `poll_options must have ${min} to ${max} options.` }
  }
  if (collect_votes && poll_question === null) {
    return { param: 'poll_question', message: 'collect_votes needs a poll_question.' }
  }
  return null
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
  /** Since when it is in the trash, and what was published of it then. */
  trashed_at: string | null
  trashed_published_id: string | null
  /** When its account was suspended; null if it is not. */
  suspended_at: string | null
  revision: number
  created_at: string
  updated_at: string
}

/** Whether everybody who has the link sees the page, and nobody is asked anything. */
export function isOpenToAll({ access, agreement }: Pick<PageSettings, 'access' | 'agreement'>) {
  return access === 'link' && agreement === null
}

/** The columns of a page that the access rule needs. */
export function gateOf(page: Page) {
  const { settings, published_id, taken_down_at, trashed_at } = page
  const { expires_at } = settings
  return {
    ...settings,
    is_open: isOpenToAll(settings),
    is_trashed: trashed_at !== null,
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

/** A setting that does not do what it says as the page is set, as an answer has it. */
interface SettingWarning extends Contradiction {
  code: 'no_effect' | 'nobody_can_open'
  path: null
  line: null
}

type Name = keyof SettingsInput
/** A setting, and the value that it must have. */
type Need = readonly [setting: keyof PageSettings, wanted: Access | true]

const COMMENTS: Need = ['allow_comments', true]
const APPROVALS: Need = ['collect_approvals', true]
const VOTES: Need = ['collect_votes', true]

/** Settings that do something only where others have certain values. */
const NEEDS: { readonly [N in Name]?: readonly Need[] } = {
  password: [['access', 'password']],
  allowed_emails: [['access', 'people']],
  require_signin: [['access', 'people']],
  allow_access_requests: [['access', 'people']],
  allowed_domains: [['access', 'email_gate']],
  business_only: [['access', 'email_gate']],
  indexed: [['access', 'link']],
  comments_require_email: [COMMENTS],
  approver_emails: [APPROVALS],
  approvals_visibility: [APPROVALS],
  poll_question: [VOTES],
  poll_options: [VOTES],
  poll_require_email: [VOTES],
  poll_results: [VOTES],
  poll_named: [VOTES, ['poll_require_email', true]],
  poll_closes_at: [VOTES],
}

/**
 * What of the input has no effect, and whether nobody can open the page. It is kept all the same,
 * since another update may give it effect.
 *
 * @param settings after the input
 * @param isFile whether the page is a PDF or an image
 * @param isMarkable false where no watermark can be put on it
 */
export function settingWarnings(
  settings: PageSettings,
  input: Readonly<Partial<Record<Name, unknown>>>,
  isFile: boolean,
  isMarkable = true,
): SettingWarning[] {
  const warnings: SettingWarning[] = []
  for (const [name, needs] of Object.entries(NEEDS) as [Name, readonly Need[]][]) {
    const unmet = needs.find(([setting, value]) => settings[setting] !== value)
    if (unmet === undefined || !asksForSomething(name, input[name])) continue
    const [setting, value] = unmet
    const why = `while ${setting} is ${settings[setting]}: set ${setting} to ${value}`
    warnings.push(noEffect(name, why))
  }
  for (const name of ['watermark', 'download_disabled'] as const) {
    if (isFile || input[name] !== true) continue
    warnings.push(noEffect(name, 'on this page: it is for PDFs and images alone'))
  }
  if (!isMarkable) {
    const message =
      'Nobody but you can open this page: watermark marks each copy, and this file is locked, ' +
      'damaged or too large for that. Replace it, or set watermark to false.'
    warnings.push({ code: 'nobody_can_open', message, param: 'watermark', ...NO_PLACE })
  }
  const shut = shutBy(settings)
  if (shut !== null) {
    const message = `Nobody but you can open this page: ${shut.reason}.`
    warnings.push({ code: 'nobody_can_open', message, param: shut.param, ...NO_PLACE })
  }
  return warnings
}

const NO_PLACE = { path: null, line: null }

export function noEffect(param: Name, why: string): SettingWarning {
  return { code: 'no_effect', message: `${param} has no effect ${why}.`, param, ...NO_PLACE }
}

/** A default that is sent asks for nothing. A password has none: null makes a new one. */
function asksForSomething(name: Name, value: unknown): boolean {
  if (value === undefined) return false
  const usual = (DEFAULT_SETTINGS as Partial<Record<Name, unknown>>)[name]
  return JSON.stringify(value) !== JSON.stringify(usual)
}
