import { SERVER_COMMANDS } from './commands/server.ts'
import {
  commandReference,
  type DescribedCommand,
  type DescribedOption,
  describeCommands,
} from './reference.ts'

/** The manual page in roff, from the same declarations as the help. */
export async function manualLines(): Promise<string[]> {
  const { groups, settings } = await commandReference()
  return [
    '.TH HANDBILL 1 "" "Handbill" "User Commands"',
    '.SH NAME',
    String.raw`handbill \- publish pages, decks, PDFs and images at links you control`,
    '.SH SYNOPSIS',
    '.B handbill',
    '.I COMMAND',
    '[ARGUMENTS] [OPTIONS]',
    ...groups.flatMap(({ title, commands }) => [
      `.SH ${quoted(title.toUpperCase())}`,
      ...commands.flatMap(commandLines),
    ]),
    '.SH SETTINGS',
    text("Of publish and update. '' clears one that can be empty."),
    ...optionLines(settings),
    '.SH WHERE THE SERVER RUNS',
    ...describeCommands(SERVER_COMMANDS).flatMap(commandLines),
    '.SH ENVIRONMENT',
    ...described('HANDBILL_URL', 'the server; it goes before the one that handbill login stored'),
    ...described('HANDBILL_API_KEY', 'the key; it goes before the stored one'),
    ...described('NO_COLOR', 'no colour on a terminal'),
    '.SH EXIT STATUS',
    ...described('0', 'done'),
    ...described('1', 'failed'),
    ...described('2', 'wrong usage'),
    ...described('4', 'what the command names is not there'),
    ...described('130', 'interrupted'),
  ]
}

function commandLines({ name, args, summary, options, example }: DescribedCommand): string[] {
  return [
    ...described(`handbill ${name} ${args}`.trim(), summary),
    ...optionLines(options),
    ...(example ? ['.IP', text(`Example: ${example}`)] : []),
  ]
}

function optionLines(options: DescribedOption[]): string[] {
  if (options.length === 0) return []
  return ['.RS', ...options.flatMap(({ spelling, help }) => described(spelling, help)), '.RE']
}

function described(term: string, help: string): string[] {
  return ['.TP', `.B ${quoted(term)}`, text(help)]
}

/** Text as it is: roff has a meaning for hyphens, backslashes, and dots at the start. */
function text(words: string): string {
  const escaped = words
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll(/\s+/g, ' ')
  return /^[.']/.test(escaped) ? String.raw`\&${escaped}` : escaped
}

function quoted(words: string): string {
  return `"${text(words).replaceAll('"', '""')}"`
}
