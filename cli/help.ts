import type { Command, Flag } from './command.ts'
import { COMMANDS } from './commands/index.ts'
import type { SettingFlag } from './settings.ts'

const COLUMN = 38

const HEADINGS: Record<Command['group'], string> = {
  Publish: 'Publish, with an API key:',
  Manage: 'Look after your pages:',
  Viewers: 'Read what viewers sent:',
  Connect: 'Connect to a server:',
}

/** The lines of the help that list the client's commands, in groups. */
export function commandLines(): string {
  const commands = Object.entries(COMMANDS)
  return Object.entries(HEADINGS)
    .map(([group, heading]) => {
      const lines = commands
        .filter(([, command]) => command.group === group)
        .map(([name, { args, summary }]) => line(`handbill ${name} ${args}`, summary))
      return [heading, ...lines].join('\n')
    })
    .join('\n\n')
}

export async function helpOf(name: string, command: Command): Promise<string[]> {
  const { args, summary, example, flags = {} } = command
  const settings = command.hasSettings ? await settingLines() : []
  return [
    `handbill ${name} ${args}`.trim(),
    `  ${summary}`,
    '',
    ...Object.entries(flags).map(([flag, option]) => line(spelling(flag, option), option.help)),
    line('--json', 'print the result as one JSON value'),
    ...settings,
    '',
    `  ${example}`,
  ].flatMap((text) => text.split('\n'))
}

async function settingLines(): Promise<string[]> {
  const { settingFlags } = await import('./settings.ts')
  const lines = settingFlags().map(({ flag, type, choices, description }) => {
    const value = choices.length > 0 ? choices.join('|') : (VALUES[type] ?? 'TEXT')
    const spelling = type === 'boolean' ? `--[no-]${flag}` : `--${flag} ${value}`
    // An empty value on the command line stands for null in the API.
    return line(spelling, description.replaceAll(/\bnull\b/g, "''"))
  })
  return ['', "Settings ('' clears one that can be empty):", ...lines]
}

const VALUES: Partial<Record<SettingFlag['type'], string>> = { number: 'N', time: 'TIME' }

function spelling(flag: string, { value }: Flag): string {
  return value === undefined ? `--${flag}` : `--${flag} ${value}`
}

function line(left: string, right: string): string {
  const start = `  ${left}`.trimEnd()
  if (start.length < COLUMN) return `${start.padEnd(COLUMN)} ${right}`
  return `${start}\n${' '.repeat(COLUMN)} ${right}`
}
