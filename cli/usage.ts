import { firstWord } from './command.ts'
import { COMMAND_GROUPS, commandsAfter, namedCommands } from './commands/index.ts'
import { SERVER_COMMANDS } from './commands/server.ts'
import { didYouMean } from './errors.ts'
import { oneLine, WrongUsage } from './output.ts'
import { commandLines, detailedLines, line } from './reference.ts'

/** The help of the commands that begin with these words; of all, without words. */
export function usageOf(words: string[], isClientAlone: boolean): string {
  if (words.length === 0) return usage(isClientAlone)
  const lines = detailedLines(commandsAfter(words.join(' ')))
  if (lines.length === 0) throw new WrongUsage(noCommand(words))
  return [...lines, '', optionsUsage()].join('\n')
}

function usage(isClientAlone: boolean): string {
  const groups = Object.entries(COMMAND_GROUPS).map(([title, commands]) =>
    [`${title}:`, ...commandLines(commands)].join('\n'),
  )
  const start = `handbill: publish pages, decks, PDFs and images at links you control

${groups.join('\n\n')}

  PAGE is an id, a slug, an address, or the path that was published.`
  if (isClientAlone) {
    return `${start}

${optionsUsage()}

HANDBILL_URL and HANDBILL_API_KEY go before what handbill login stored. The
commands where a server runs (serve, account add, key create, …) are in the
program of the server.`
  }
  return `${start}

Where the server runs:
${detailedLines(SERVER_COMMANDS).join('\n')}

${optionsUsage()}

Exit status: 0 done, 1 failed, 2 wrong usage, 4 not found, 130 interrupted.

Where the server runs, its settings are environment variables (PORT, DATA_DIR,
BASE_URL, …) or a .env file in the working folder: see docs/configuration.md.
Elsewhere, HANDBILL_URL and HANDBILL_API_KEY go before what handbill login
stored: see docs/cli.md.`
}

function optionsUsage(): string {
  return [
    'For every command:',
    line('--json', 'print the result, or the error, as JSON'),
    line('--help', 'its options; also handbill help COMMAND'),
    line('handbill man', 'print the manual: handbill man | man -l -'),
    line('--version', 'print the version'),
  ].join('\n')
}

/** The message of the client alone for a command of the server. */
export function needsServer(command: string): string {
  return (
    `${command} is a command of the server’s program, and this is the client alone. Call it ` +
    'where the server runs, as bin/handbill in its folder: docs/self-hosting.md says how to ' +
    'set one up.'
  )
}

/** The message for an unknown command or subcommand. */
export function noCommand([first = '', second]: string[]): string {
  const seconds = Object.keys(commandsAfter(first)).map((name) => name.slice(first.length + 1))
  if (seconds.length > 0) {
    const start = `handbill ${first} takes ${seconds.join(', ')}`
    if (second === undefined) return `${start}.`
    return `${start}, not ${oneLine(second)}.${didYouMean(second, seconds, `${first} `)}`
  }
  const names = ['help', 'man', ...Object.keys(namedCommands()).map(firstWord)]
  return `There is no command ${oneLine(first)}.${didYouMean(first, names)}`
}
