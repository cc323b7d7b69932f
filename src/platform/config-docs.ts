import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEFAULT_PLANS, type Limits, PLANS as PLAN_IDS } from '../model/plan.ts'
import { planLimits } from '../model/plan-limits.ts'
import { VARIABLES, type Variable } from './config-variables.ts'

/** Run `bin/bun src/platform/config-docs.ts` to write the tables of this file. */
export const CONFIGURATION_MD = join(import.meta.dir, '../../docs/configuration.md')

function limitRows(): string[] {
  return Object.entries(planLimits.shape).map(([name, { description = '' }]) => {
    const values = PLAN_IDS.map((id) => valueText(DEFAULT_PLANS[id].limits[name as keyof Limits]))
    return `| \`${name}\` | ${values.join(' | ')} | ${description} |\n`
  })
}

function valueText(value: number | boolean): string {
  return typeof value === 'boolean' ? String(value) : value.toLocaleString('en')
}

/** The guide, with the tables of settings and of limits by their declarations. */
export function configurationDocs(): string {
  const settings = describeVariables().map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback} | ${meaning} |\n`,
  )
  const guide = readFileSync(CONFIGURATION_MD, 'utf8')
  return withRows(withRows(guide, '| variable |', settings), '| limit |', limitRows())
}

/** The text with other rows in the table whose head starts so. */
function withRows(text: string, head: string, rows: readonly string[]): string {
  const start = text.indexOf('\n', text.indexOf('\n', text.indexOf(`\n${head}`) + 1) + 1) + 1
  const rest = text.slice(start).replace(/^(\|.*\n)*/, '')
  return text.slice(0, start) + rows.join('') + rest
}

/** The settings of the server, in Markdown. */
export function describeVariables() {
  return Object.entries<Variable<unknown>>(VARIABLES).map(([name, variable]) => {
    const { about, must, isSecret } = variable
    const secret = isSecret ? ' It is never printed or logged.' : ''
    const rule = must === undefined ? '' : ` Must be ${must.replaceAll('<', '\\<')}.`
    return { name, fallback: defaultOf(variable), meaning: about + rule + secret }
  })
}

function defaultOf({ unset, fallback }: Variable<unknown>): string {
  if (fallback === null) return unset ?? 'none'
  return fallback === '' ? 'none' : `\`${fallback}\``
}

if (import.meta.main) await Bun.write(CONFIGURATION_MD, configurationDocs())
