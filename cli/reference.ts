import type { Command, Flag } from './command.ts'
import { ALIASES, COMMANDS } from './commands/index.ts'
import type { SettingFlag } from './settings.ts'

/** The commands of the command line, as its help and the documentation describe them. */
export interface CommandReference {
  groups: { title: string; commands: DescribedCommand[] }[]
  /** The options for the settings of a page. */
  settings: DescribedOption[]
}

export interface DescribedCommand {
  name: string
  /** Other names of the command. */
  aliases: string[]
  /** The arguments: `PAGE [PATH]`. */
  args: string
  summary: string
  example: string
  options: DescribedOption[]
  /** It also takes the options for settings. */
  hasSettings: boolean
}

export interface DescribedOption {
  /** The option with a placeholder for its value: `--entry FILE`. */
  spelling: string
  help: string
}

export const GROUP_TITLES: Record<Command['group'], string> = {
  Publish: 'Publish, with an API key',
  Manage: 'Look after your pages',
  Viewers: 'Read what viewers sent',
  Connect: 'Connect to a server',
}

/** Describes all commands of the client and their options. */
export async function commandReference(): Promise<CommandReference> {
  const groups = Object.entries(GROUP_TITLES).map(([group, title]) => ({
    title,
    commands: Object.entries(COMMANDS)
      .filter(([, command]) => command.group === group)
      .map(([name, command]) => describeCommand(name, command)),
  }))
  return { groups, settings: await settingOptions() }
}

export function describeCommand(name: string, command: Command): DescribedCommand {
  const { args, summary, example, flags = {}, hasSettings = false } = command
  const options = Object.entries(flags).map(([flag, option]) => ({
    spelling: spelling(flag, option),
    help: option.help,
  }))
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

export async function settingOptions(): Promise<DescribedOption[]> {
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

const VALUES: Partial<Record<SettingFlag['type'], string>> = { number: 'N', time: 'TIME' }

function spelling(flag: string, { value }: Flag): string {
  return value === undefined ? `--${flag}` : `--${flag} ${value}`
}
