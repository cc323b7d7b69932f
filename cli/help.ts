import type { Command } from './command.ts'
import { COMMANDS } from './commands/index.ts'
import { describeCommand, GROUP_TITLES, settingOptions } from './reference.ts'

const COLUMN = 38

/** The lines of the help that list the client's commands, in groups. */
export function commandLines(): string {
  const commands = Object.entries(COMMANDS)
  return Object.entries(GROUP_TITLES)
    .map(([group, title]) => {
      const lines = commands
        .filter(([, command]) => command.group === group)
        .map(([name, { args, summary }]) => line(`handbill ${name} ${args}`, summary))
      return [`${title}:`, ...lines].join('\n')
    })
    .join('\n\n')
}

export async function helpOf(name: string, command: Command): Promise<string[]> {
  const { args, summary, example, options, hasSettings } = describeCommand(name, command)
  const settings = hasSettings ? await settingLines() : []
  return [
    `handbill ${name} ${args}`.trim(),
    `  ${summary}`,
    '',
    ...options.map((option) => line(option.spelling, option.help)),
    ...settings,
    '',
    `  ${example}`,
  ].flatMap((text) => text.split('\n'))
}

async function settingLines(): Promise<string[]> {
  const lines = (await settingOptions()).map(({ spelling, help }) => line(spelling, help))
  return ['', "Settings ('' clears one that can be empty):", ...lines]
}

function line(left: string, right: string): string {
  const start = `  ${left}`.trimEnd()
  if (start.length < COLUMN) return `${start.padEnd(COLUMN)} ${right}`
  return `${start}\n${' '.repeat(COLUMN)} ${right}`
}
