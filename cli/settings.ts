import { z } from 'zod'
import { contentFields } from '../src/features/content/contract.ts'
import { updatePage } from '../src/features/pages/contract.ts'
import { WrongUsage } from './output.ts'

/** A setting of a page as an option of the command line. */
export interface SettingFlag {
  flag: string
  name: string
  type: 'boolean' | 'number' | 'list' | 'time' | 'text'
  isNullable: boolean
  choices: string[]
  description: string
}

/** Short for settings that are set often. */
const SHORT: Record<string, string> = {
  email: 'allowed_emails',
  expires: 'expires_at',
  approver: 'approver_emails',
  'poll-option': 'poll_options',
}
/** Its items are sentences, commas and all. */
const WHOLE = ['poll_options']
const DURATION = /^(\d{1,4})(m|h|d|w)$/
const SECONDS: Record<string, number> = { m: 60, h: 3600, d: 86_400, w: 604_800 }

interface Shape {
  type?: string | string[]
  anyOf?: { type?: string }[]
  enum?: string[]
  description?: string
}

/** Every setting that a page has, by what updates it: a new one is an option by itself. */
export function settingFlags(): SettingFlag[] {
  const schema = z.toJSONSchema(updatePage.input, { io: 'input' })
  const settings = Object.entries(schema.properties as Record<string, Shape>).filter(
    ([name]) => !(name in contentFields),
  )
  const flags = settings.map(([name, shape]) => flagOf(name, shape))
  const short = Object.entries(SHORT).map(([flag, name]) => {
    const whole = flags.find((each) => each.name === name)!
    return { ...whole, flag, description: `The same as --${whole.flag}.` }
  })
  return [...flags, ...short]
}

function flagOf(name: string, shape: Shape): SettingFlag {
  const types = [shape.type ?? shape.anyOf?.map(({ type = '' }) => type) ?? 'string'].flat()
  const is = (...wanted: string[]) => types.some((type) => wanted.includes(type))
  return {
    flag: name.replaceAll('_', '-'),
    name,
    type: typeOf(name, is),
    isNullable: is('null'),
    choices: shape.enum ?? [],
    description: shape.description ?? '',
  }
}
function typeOf(name: string, is: (...wanted: string[]) => boolean): SettingFlag['type'] {
  if (is('boolean')) return 'boolean'
  if (is('integer', 'number')) return 'number'
  if (is('array')) return 'list'
  return name.endsWith('_at') ? 'time' : 'text'
}

/** What the options say, as the interface takes it; whether it is allowed, the server says. */
export function settingsIn(values: Record<string, unknown>, nowMs: number) {
  const settings: Record<string, unknown> = {}
  for (const flag of settingFlags()) {
    const given = values[flag.flag]
    if (given === undefined) continue
    const value = readValue(flag, given as string | boolean | string[], nowMs)
    const before = settings[flag.name]
    settings[flag.name] = Array.isArray(before) ? [...before, ...(value as string[])] : value
  }
  return withAccess(settings)
}

function readValue(flag: SettingFlag, given: string | boolean | string[], nowMs: number): unknown {
  if (typeof given === 'boolean') return given
  if (Array.isArray(given)) {
    const items = WHOLE.includes(flag.name) ? given : given.flatMap((text) => text.split(','))
    return items.map((item) => item.trim()).filter((item) => item !== '')
  }
  if (given === '' && flag.isNullable) return null
  if (flag.type === 'number') return numberIn(flag, given)
  return flag.type === 'time' ? instantIn(flag, given, nowMs) : given
}

function numberIn({ flag }: SettingFlag, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new WrongUsage(`--${flag} takes a whole number, or nothing at all: --${flag} ''.`)
}

/** `7d` is in seven days; what begins as a date is for the server to read. */
function instantIn({ flag }: SettingFlag, text: string, nowMs: number): string {
  const [, count, unit = ''] = DURATION.exec(text) ?? []
  if (count === undefined) {
    if (/^\d{4}-/.test(text)) return text
    throw new WrongUsage(`--${flag} takes a time such as 30m, 12h, 7d or 2027-01-31T09:00:00Z.`)
  }
  return new Date(nowMs + Number(count) * SECONDS[unit]! * 1000).toISOString()
}

/** Who names a password or people means that they are asked for: a page must not stand open. */
function withAccess(settings: Record<string, unknown>): Record<string, unknown> {
  if (settings.access !== undefined) return settings
  if (settings.password !== undefined) return { ...settings, access: 'password' }
  if (settings.allowed_emails !== undefined) return { ...settings, access: 'people' }
  return settings
}
