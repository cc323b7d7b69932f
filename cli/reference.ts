import type { Declaration, Flag } from './command.ts'
import { ALIASES, COMMAND_GROUPS, commandsAfter } from './commands/index.ts'
import type { SettingFlag } from './settings.ts'

/** The commands of the command line, as its help and the documentation describe them. */
export type CommandReference = Awaited<ReturnType<typeof commandReference>>
export type DescribedCommand = ReturnType<typeof describeCommand>

export interface DescribedOption {
  /** The option with a placeholder for its value: `--entry FILE`. */
  spelling: string
  help: string
}

export async function commandReference() {
  const groups = Object.entries(COMMAND_GROUPS).map(([title, commands]) => ({
    title,
    commands: describeCommands(commands),
  }))
  return { groups, settings: await settingOptions() }
}

export function describeCommands(commands: Record<string, Declaration>) {
  return Object.entries(commands).map(([name, command]) => describeCommand(name, command))
}

function describeCommand(name: string, command: Declaration) {
  const { args, summary, example = '', flags = {}, hasSettings = false } = command
  const options = describeOptions(flags)
  const json = { spelling: '--json', help: 'print the result as one JSON value' }
  return {
    name,
    aliases: Object.keys(ALIASES).filter((alias) => ALIASES[alias] === name),
    args,
    summary,
    example,
    options: [...options, json],
    hasSettings,
  }
}

function describeOptions(flags: Record<string, Flag> = {}): DescribedOption[] {
  return Object.entries(flags).map(([flag, option]) => ({
    spelling: spelling(flag, option),
    help: option.help,
  }))
}

async function settingOptions(): Promise<DescribedOption[]> {
  const { settingFlags } = await import('./settings.ts')
  return settingFlags().map(({ flag, type, choices, description }) => {
    const value = choices.length > 0 ? choices.join('|') : (VALUES[type] ?? 'TEXT')
    return {
      spelling: type === 'boolean' ? `--[no-]${flag}` : `--${flag} ${value}`,
      // An empty value on the command line stands for null in the API.
      help: description.replaceAll(/\bnull\b/g, "''"),
    }
  })
}

const VALUES: Partial<Record<SettingFlag['type'], string>> = {
  number: 'N',
  time: 'TIME',
  content: 'FILE|TEXT',
}

function spelling(flag: string, { value, choices }: Flag): string {
  return `--${flag} ${value ?? choices?.join('|') ?? ''}`.trim()
}

const COLUMN = 38

/** The lines of the help that list commands. */
export function commandLines(commands: Record<string, Declaration>): string[] {
  return Object.entries(commands).map(([name, { args, summary }]) =>
    line(`handbill ${name} ${args}`, summary),
  )
}

/** The same, with their options. */
export function detailedLines(commands: Record<string, Declaration>): string[] {
  return Object.entries(commands).flatMap(([name, command]) => [
    ...commandLines({ [name]: command }),
    ...describeOptions(command.flags).map(({ spelling, help }) => line(`  ${spelling}`, help)),
  ])
}

export async function helpOf(name: string, command: Declaration): Promise<string[]> {
  const { args, summary, example, options, hasSettings } = describeCommand(name, command)
  const settings = hasSettings ? await settingOptions() : []
  const more = commandLines(commandsAfter(name))
  return [
    `handbill ${name} ${args}`.trim(),
    `  ${summary}`,
    '',
    ...options.map((option) => line(option.spelling, option.help)),
    ...(hasSettings ? ['', "Settings ('' clears one that can be empty):"] : []),
    ...settings.map((option) => line(option.spelling, option.help)),
    ...(more.length > 0 ? ['', ...more] : []),
    ...(example ? ['', `  ${example}`] : []),
  ].flatMap((text) => text.split('\n'))
}

/** A command or an option, and its text: beside it, or below it where the terminal is narrow. */
export function line(left: string, right: string): string {
  const width = process.stdout.columns || 1000
  const column = width < COLUMN * 2 ? 6 : COLUMN
  const start = `  ${left}`.trimEnd()
  const indent = `\n${' '.repeat(column)} `
  const maxChars = Math.max(width - column - 1, 20)
  const text = right.match(new RegExp(`\\S.{0,${maxChars - 1}}(?!\\S)|\\S+`, 'g'))!.join(indent)
  return start.length < column ? `${start.padEnd(column)} ${text}` : start + indent + text
}
