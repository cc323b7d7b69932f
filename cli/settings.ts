import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { contentFields } from '../src/features/content/contract.ts'
import { updatePage } from '../src/features/pages/contract.ts'
import { hasPdfHeader } from '../src/model/file-types.ts'
import { MAX_AGREEMENT_BYTES } from '../src/model/page/agreement.ts'
import { assertChoice } from './command.ts'
import { oneLine, WrongUsage } from './output.ts'
import { parseFuture } from './times.ts'

export interface SettingFlag {
  flag: string
  name: string
  type: 'boolean' | 'number' | 'list' | 'time' | 'text' | 'content'
  isNullable: boolean
  choices: string[]
  description: string
}

const SHORT_FLAGS: Record<string, string> = {
  email: 'allowed_emails',
  expires: 'expires_at',
  approver: 'approver_emails',
  'poll-option': 'poll_options',
}
/** Beside `agreement`, whose value is its content. */
const AGREEMENT_REQUIRE: SettingFlag = {
  flag: 'agreement-require',
  name: 'agreement',
  type: 'text',
  isNullable: false,
  choices: ['name', 'email'],
  description: 'Whoever agrees gives a name, or a confirmed address too.',
}
/** Lists whose items can contain commas. */
const UNSPLIT_LISTS = ['poll_options']

interface Shape {
  type?: string | string[]
  anyOf?: { type?: string }[]
  enum?: string[]
  description?: string
}

/** Derives an option from every setting in the contract of updatePage. */
export function settingFlags(): SettingFlag[] {
  const schema = z.toJSONSchema(updatePage.input, { io: 'input' })
  const settings = Object.entries(schema.properties as Record<string, Shape>).filter(
    ([name]) => !(name in contentFields),
  )
  const flags = settings.map(([name, shape]) => flagOf(name, shape))
  const short = Object.entries(SHORT_FLAGS).map(([flag, name]) => {
    const full = flags.find((each) => each.name === name)!
    return { ...full, flag, description: `The same as --${full.flag}.` }
  })
  return [...flags, ...short, AGREEMENT_REQUIRE]
}

function flagOf(name: string, shape: Shape): SettingFlag {
  const types = [shape.type ?? shape.anyOf?.map(({ type = '' }) => type) ?? 'string'].flat()
  const is = (...names: string[]) => types.some((type) => names.includes(type))
  return {
    flag: name.replaceAll('_', '-'),
    name,
    type: typeOf(name, is),
    isNullable: is('null'),
    choices: shape.enum ?? [],
    description: shape.description ?? '',
  }
}
function typeOf(name: string, is: (...names: string[]) => boolean): SettingFlag['type'] {
  if (is('boolean')) return 'boolean'
  if (is('integer', 'number')) return 'number'
  if (is('array')) return 'list'
  if (is('object')) return 'content'
  return name.endsWith('_at') ? 'time' : 'text'
}

/** Where and when a command runs. */
interface Circumstances {
  cwd: string
  nowMs: number
}

/** Converts option values to API parameters. The server validates them. */
export function parseSettings(values: Record<string, unknown>, { cwd, nowMs }: Circumstances) {
  const settings: Record<string, unknown> = agreementIn(values, cwd)
  for (const flag of settingFlags()) {
    const option = values[flag.flag]
    if (option === undefined || flag.name === 'agreement') continue
    const value = parseValue(flag, option as string | boolean | string[], nowMs)
    const previous = settings[flag.name]
    settings[flag.name] = Array.isArray(previous) ? [...previous, ...(value as string[])] : value
  }
  const options = settings.poll_options as string[] | undefined
  if (options?.length === 1 && options[0]!.includes(',')) {
    throw new WrongUsage('Repeat --poll-option for each option: a comma is part of its text.')
  }
  return withImpliedAccess(settings)
}

function parseValue(
  flag: SettingFlag,
  option: string | boolean | string[],
  nowMs: number,
): unknown {
  if (typeof option === 'boolean') return option
  if (Array.isArray(option)) {
    const items = UNSPLIT_LISTS.includes(flag.name)
      ? option
      : option.flatMap((text) => text.split(','))
    return items.map((item) => item.trim()).filter((item) => item !== '')
  }
  if (option === '' && flag.isNullable) return null
  if (flag.choices.length > 0) assertChoice(`--${flag.flag}`, option, flag.choices)
  if (flag.type === 'number') return parseNumber(flag, option)
  return flag.type === 'time' ? parseFuture(flag.flag, option, nowMs) : option
}

function parseNumber({ flag }: SettingFlag, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new WrongUsage(`--${flag} takes a whole number, or nothing at all: --${flag} ''.`)
}

/** The agreement of the options: that of a file, or the text itself. @throws WrongUsage */
function agreementIn(values: Record<string, unknown>, cwd: string) {
  const { agreement: text, 'agreement-require': require } = values
  if (text === '') return { agreement: null }
  const content = typeof text === 'string' ? agreementContent(text, cwd) : {}
  const agreement = { ...content, ...(require !== undefined && { require }) }
  return Object.keys(agreement).length === 0 ? {} : { agreement }
}

function agreementContent(textOrFile: string, cwd: string) {
  const path = resolve(cwd, textOrFile)
  if (!existsSync(path)) {
    // A mistyped name must not become what people agree to.
    if (!/^\S+\.(?:pdf|txt|md)$/i.test(textOrFile)) return { text: textOrFile }
    throw new WrongUsage(`There is no file ${oneLine(textOrFile)} here for --agreement.`)
  }
  const stats = statSync(path)
  if (!stats.isFile() || stats.size > MAX_AGREEMENT_BYTES) {
    throw new WrongUsage('--agreement takes a text, or a file of at most 1 MB.')
  }
  const bytes = readFileSync(path)
  return hasPdfHeader(bytes)
    ? { file_base64: bytes.toString('base64') }
    : { text: bytes.toString() }
}

/**
 * A password or a list of people implies the access that asks for it.
 *
 * @throws WrongUsage for a password with another access, which would ignore it
 */
function withImpliedAccess(settings: Record<string, unknown>): Record<string, unknown> {
  const { access, password } = settings
  if (access !== undefined && access !== 'password' && password !== undefined) {
    throw new WrongUsage(`--password closes a page with --access password, not ${access}.`)
  }
  if (access !== undefined) return settings
  if (password !== undefined) return { ...settings, access: 'password' }
  if (settings.allowed_emails !== undefined) return { ...settings, access: 'people' }
  return settings
}
