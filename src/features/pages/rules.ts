import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { Account } from '../../model/account.ts'
import { refuse } from '../../model/errors.ts'
import {
  contradictionIn,
  type Page,
  type PageSettings,
  type SettingsInput,
  settingsFields,
} from '../../model/page/index.ts'
import { LIMITS } from '../../model/plan.ts'

const TITLE_LENGTH = 200

/** Settings that decide who may open a page: a change of one ends what was admitted before. */
const ADMISSION = [
  'access',
  'allowed_emails',
  'allowed_domains',
  'business_only',
  'require_signin',
] as const

/** Enabling one of these takes a paid plan; sending its default does not. */
const PRO_SETTINGS = {
  expires_at: (value: unknown) => value != null,
  max_views: (value: unknown) => value != null,
  download_disabled: (value: unknown) => value === true,
  collect_approvals: (value: unknown) => value === true,
} as const

export function assertPlanAllows({ plan }: Account, input: SettingsInput): void {
  if (LIMITS[plan].proSettings) return
  for (const [param, enables] of Object.entries(PRO_SETTINGS)) {
    if (!enables(input[param as keyof SettingsInput])) continue
    throw refuse.planRequired(
      'plan_required',
      `${param} is part of the Pro plan; this account is on ${plan}. Leave it out, or upgrade.`,
      { param, plan },
    )
  }
}

/** What the settings are after the input. @throws Refusal when they contradict each other */
export function mergeSettings(before: PageSettings, input: SettingsInput): PageSettings {
  const given = Object.entries(input).filter(
    ([name, value]) => name in settingsFields && value !== undefined,
  )
  const settings = { ...before, ...Object.fromEntries(given) } as PageSettings
  const contradiction = contradictionIn(settings)
  if (contradiction === null) return settings
  const { param, message } = contradiction
  throw refuse.invalid('contradictory_settings', message, { param })
}

export function changesAccess(before: Page, after: Page): boolean {
  if (before.password_sealed !== after.password_sealed) return true
  const differs = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b)
  return ADMISSION.some((name) => differs(before.settings[name], after.settings[name]))
}

/** A search engine may list it. */
export function isListed({ settings, published_id: publishedId }: Page): boolean {
  return settings.indexed && settings.access === 'link' && publishedId !== null
}

/** Four short words, 44 random bits: can be said over the telephone. */
export function newPassword(): string {
  return [...crypto.getRandomValues(new Uint16Array(4))]
    .map((random) => wordlist[random % wordlist.length])
    .join('-')
}

/** A title taken from content, fit to be one, or null. */
export function cleanTitle(text: string | null): string | null {
  const visible = (text ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
  return shorten(visible, TITLE_LENGTH) || null
}

/** The title, or the same with ` (2)`, ` (3)`… */
export function nthTitle(title: string, n: number): string {
  if (n === 1) return title
  const suffix = ` (${n})`
  return shorten(title, TITLE_LENGTH - suffix.length) + suffix
}

/**
 * The first free number of a title, asking about few of them: doubling until one is free, then
 * halving the gap. Where titles were taken out of order it finds a free one all the same.
 */
export async function firstFree(isTaken: (n: number) => Promise<boolean>): Promise<number> {
  let taken = 0
  let free = 1
  while (await isTaken(free)) [taken, free] = [free, free * 2]
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (await isTaken(middle)) taken = middle
    else free = middle
  }
  return free
}

function shorten(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : characters.slice(0, length).join('').trimEnd()
}
