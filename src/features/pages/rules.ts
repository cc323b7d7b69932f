import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import {
  contradictionIn,
  isOpenToAll,
  noEffect,
  type Page,
  type PageSettings,
  type SettingsInput,
  settingsFields,
} from '../../model/page/index.ts'
import {
  isHtml,
  type ManifestFile,
  quoted,
  type Release,
  type ReleaseWarning,
  warn,
} from '../content/index.ts'

const TITLE_LENGTH = 200

/** Settings that decide who may open a page. A change of one ends the visits admitted before. */
const ACCESS_SETTINGS = [
  'access',
  'allowed_emails',
  'allowed_domains',
  'business_only',
  'require_signin',
  'agreement',
] as const

/** Settings that require a paid plan, unless they are null or false. */
const PRO_SETTINGS = [
  ...(['expires_at', 'max_views', 'download_disabled'] as const),
  ...(['watermark', 'collect_approvals', 'agreement'] as const),
]

/** The settings of a create or an update, without the password. */
type Settings = Omit<SettingsInput, 'password' | 'agreement'> & {
  agreement?: object | null | undefined
}

/** What of the settings the plan does not have. Sending the same value again is always allowed. */
function lackedBy({ limits }: Account, input: Settings, before: Settings = {}) {
  if (limits.link_controls) return []
  return PRO_SETTINGS.filter((name) => (input[name] ?? false) && input[name] !== before[name])
}

export function assertPlanAllows(account: Account, input: Settings, before?: Settings): void {
  for (const param of lackedBy(account, input, before)) {
    const message = `${param} is not part of the ${account.plan_name} plan. Leave it out.`
    throw refuse.planRequired(account, message, { param })
  }
}

/** The settings with defaults for those that the plan does not have, and a warning of each. */
export function allowedByPlan<S extends Settings>(account: Account, settings: S) {
  const lacked = lackedBy(account, settings)
  const defaults = Object.fromEntries(
    lacked.map((name) => [name, typeof settings[name] === 'boolean' ? false : null]),
  )
  const why = `here: it is not part of the ${account.plan_name} plan`
  const warnings = lacked.map((name) => noEffect(name, why))
  return { allowed: { ...settings, ...defaults }, warnings }
}

/** The settings after the input. @throws Refusal `contradictory_settings` */
export function mergeSettings(before: PageSettings, input: Settings): PageSettings {
  const entries = Object.entries(input).filter(
    ([name, value]) => name in settingsFields && value !== undefined,
  )
  const settings = { ...before, ...Object.fromEntries(entries) } as PageSettings
  const contradiction = contradictionIn(settings)
  if (contradiction === null) return settings
  const { param, message } = contradiction
  throw refuse.invalid('contradictory_settings', message, { param })
}

/**
 * What is meant to be closed is never published open: a new page with a password asks for it.
 *
 * @throws Refusal `contradictory_settings`
 */
export function assertPasswordCloses(
  { access }: PageSettings,
  { password }: Pick<SettingsInput, 'password'>,
): void {
  if (password === undefined || access === 'password') return
  throw refuse.invalid(
    'contradictory_settings',
    `A password closes nothing while access is "${access}": set access to "password" as well.`,
    { param: 'password' },
  )
}

/**
 * An unchanged setting may name a file that is gone: publishing warns about it.
 *
 * @throws Refusal `bad_fallback` where the input names another file than an HTML file of the page
 */
export function assertFallback(
  { fallback }: Settings,
  files: readonly ManifestFile[],
  before: string | null = null,
): void {
  if (fallback == null || fallback === before || hasDocument(files, fallback)) return
  throw refuse.invalid(
    'bad_fallback',
    `fallback must name one of the page’s HTML files; there is no ${quoted(fallback)} among them.`,
    { param: 'fallback' },
  )
}

function hasDocument(files: readonly ManifestFile[], path: string): boolean {
  return files.some((file) => file.path === path && isHtml(file))
}

/** Of a fallback whose file has gone since it was set. */
export function fallbackWarnings(
  { settings: { fallback } }: Page,
  { files }: Pick<Release, 'files'>,
): ReleaseWarning[] {
  if (fallback === null || hasDocument(files, fallback)) return []
  return [{ ...warn('missing_fallback', null, fallback), path: null }]
}

export function changesAccess(before: Page, after: Page): boolean {
  if (before.password_sealed !== after.password_sealed) return true
  const differs = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b)
  return ACCESS_SETTINGS.some((name) => differs(before.settings[name], after.settings[name]))
}

/** The refusal for a page of another account as well, so that its existence is not revealed. */
export function pageNotFound() {
  return refuse.notFound('page_not_found', 'There is no such page in this account.')
}

/** Whether search engines may list the page. */
export function isListed(page: Page): boolean {
  const { settings, published_id, taken_down_at } = page
  const isOpen = published_id !== null && taken_down_at === null
  return settings.indexed && isOpenToAll(settings) && isOpen
}

/** Four short words, with 44 random bits, that can be read out over the telephone. */
export function newPassword(): string {
  return [...crypto.getRandomValues(new Uint16Array(4))]
    .map((random) => wordlist[random % wordlist.length])
    .join('-')
}

/** A title that was found in content, in the form that titles have; null where none is left. */
export function cleanTitle(text: string | null): string | null {
  const visible = (text ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
  return shorten(visible, TITLE_LENGTH) || null
}

/** The title with a suffix such as ` (2)`, cut where both together are too long. */
export function titleWith(title: string, suffix: string): string {
  return shorten(title, TITLE_LENGTH - suffix.length) + suffix
}

/**
 * Finds a free number for a title with few queries: it doubles the number until one is free, and
 * then uses binary search. If the taken numbers have gaps, it is not always the lowest free one.
 */
export async function firstFree(isTaken: (n: number) => Promise<boolean>): Promise<number> {
  let lastTaken = 0
  let free = 1
  while (await isTaken(free)) [lastTaken, free] = [free, free * 2]
  while (free - lastTaken > 1) {
    const middle = Math.floor((lastTaken + free) / 2)
    if (await isTaken(middle)) lastTaken = middle
    else free = middle
  }
  return free
}

function shorten(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : characters.slice(0, length).join('').trimEnd()
}

/** Escapes text for a LIKE pattern whose escape character is `!`. */
export function escapeWildcards(text: string): string {
  return text.replace(/[%_!]/g, (wild) => `!${wild}`)
}
