import { type Access, DEFAULT_SETTINGS, type PageSettings, type SettingsInput } from './index.ts'
import type { Contradiction } from './setting-fields.ts'

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
 */
export function settingWarnings(
  settings: PageSettings,
  input: Readonly<Partial<Record<Name, unknown>>>,
): SettingWarning[] {
  const warnings: SettingWarning[] = []
  for (const [name, needs] of Object.entries(NEEDS) as [Name, readonly Need[]][]) {
    const unmet = needs.find(([setting, wanted]) => settings[setting] !== wanted)
    if (unmet === undefined || !asksForSomething(name, input[name])) continue
    const [setting, wanted] = unmet
    const now = `${setting} is ${settings[setting]}`
    const message = `${name} has no effect while ${now}: set ${setting} to ${wanted}.`
    warnings.push({ code: 'no_effect', message, param: name, ...NO_PLACE })
  }
  if (settings.access === 'people' && settings.allowed_emails.length === 0) {
    const message =
      'Nobody but you can open this page: access is people, and allowed_emails names nobody.'
    warnings.push({ code: 'nobody_can_open', message, param: 'allowed_emails', ...NO_PLACE })
  }
  return warnings
}

const NO_PLACE = { path: null, line: null }

/** A default that is sent asks for nothing. A password has none: null makes a new one. */
function asksForSomething(name: Name, value: unknown): boolean {
  if (value === undefined) return false
  const usual = (DEFAULT_SETTINGS as Partial<Record<Name, unknown>>)[name]
  return JSON.stringify(value) !== JSON.stringify(usual)
}
