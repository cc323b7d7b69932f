import type { ParseArgsConfig } from 'node:util'
import { assertArgs, assertChoice, optionOf } from '../../cli/command.ts'
import { namedCommands } from '../../cli/commands/index.ts'
import {
  ADMIN_COMMANDS,
  APART_COMMANDS,
  isOfServer,
  SERVER_COMMANDS,
} from '../../cli/commands/server.ts'
import { didYouMean } from '../../cli/errors.ts'
import { oneLine, WrongUsage } from '../../cli/output.ts'
import { commandLines, line, serverLines } from '../../cli/reference.ts'
import { parseFuture } from '../../cli/times.ts'
import { SCOPES } from '../model/account.ts'
import { PLANS, type Plan } from '../model/plan.ts'
import { parseEmail } from '../model/text.ts'

const CLIENT_USAGE = `handbill: publish pages, decks, PDFs and images at links you control

${commandLines()}

  PAGE is an id, a slug, an address, or the path that was published.`

const OPTIONS_USAGE = [
  'For every command:',
  line('--json', 'print the result, or the error, as JSON'),
  line('--help', 'its options; also handbill help COMMAND'),
  line('handbill man', 'print the manual: handbill man | man -l -'),
  line('--version', 'print the version'),
].join('\n')

const USAGE = `${CLIENT_USAGE}

Where the server runs:
${serverLines()}

${OPTIONS_USAGE}

Exit status: 0 done, 1 failed, 2 wrong usage, 4 not found, 130 interrupted.

Where the server runs, its settings are environment variables (PORT, DATA_DIR,
BASE_URL, …) or a .env file in the working folder: see docs/configuration.md.
Elsewhere, HANDBILL_URL and HANDBILL_API_KEY go before what handbill login
stored: see docs/cli.md.`

/** The help of the program that is the client alone. */
export const CLIENT_ONLY_USAGE = `${CLIENT_USAGE}

${OPTIONS_USAGE}

HANDBILL_URL and HANDBILL_API_KEY go before what handbill login stored. The
commands where a server runs (serve, account add, key create, …) are in the
program of the server.`

/** The help of the commands that begin with these words; of all, without words. */
export function usageOf(words: string[]): string {
  if (words.length === 0) return USAGE
  const lines = serverLines(words.join(' '))
  if (lines === '') throw new WrongUsage(noCommand(words))
  return `${lines}\n\n${OPTIONS_USAGE}`
}

/** The message of that program for a command of the server. Null for any other. */
export function needsServer(command: string): string | null {
  if (!isOfServer(command)) return null
  return (
    `${command} is a command of the server’s program, and this is the client alone. Call it ` +
    'where the server runs, as bin/handbill in its folder: docs/self-hosting.md says how to ' +
    'set one up.'
  )
}

/** The message for an unknown command or subcommand. */
export function noCommand([first = '', second]: string[]): string {
  const seconds = [...SERVER_NAMES, 'account export', 'account import']
    .filter((name) => name.startsWith(`${first} `))
    .map((name) => name.slice(first.length + 1))
  if (seconds.length > 0) {
    const start = `handbill ${first} takes ${seconds.join(', ')}`
    if (second === undefined) return `${start}.`
    return `${start}, not ${oneLine(second)}.${didYouMean(second, seconds, `${first} `)}`
  }
  const server = SERVER_NAMES.map((name) => name.split(' ')[0]!)
  const names = ['serve', 'help', 'man', ...Object.keys(namedCommands()), ...server]
  return `There is no command ${oneLine(first)}.${didYouMean(first, names)}`
}

const FLAGS = Object.values(SERVER_COMMANDS).flatMap(({ flags }) => Object.entries(flags ?? {}))

/** The options of the commands where the server runs. */
export const SERVER_OPTIONS: NonNullable<ParseArgsConfig['options']> = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  ...Object.fromEntries(FLAGS.map(([name, flag]) => [name, optionOf(flag)])),
}

export type AdminName = keyof typeof ADMIN_COMMANDS
export type ApartName = keyof typeof APART_COMMANDS
type ServerName = AdminName | ApartName

/** All but `serve`. */
export const SERVER_NAMES = [
  ...Object.keys(ADMIN_COMMANDS),
  ...Object.keys(APART_COMMANDS),
] as readonly ServerName[]

export function isApart(name: ServerName): name is ApartName {
  return Object.hasOwn(APART_COMMANDS, name)
}

type Options<Name extends string, Value> = { [N in Name]?: Value | undefined }

export type Flags = Options<'json' | 'help' | 'version' | 'off' | 'confirmed-only', boolean> &
  Options<'plan', Plan> &
  Options<'name' | 'scopes' | 'pages' | 'expires', string>

/** Checks the arguments of a command before it opens or creates anything. @throws WrongUsage */
export function assertUsage(name: ServerName | 'serve', args: string[], flags: Flags): void {
  const { args: form, flags: own = {} } = SERVER_COMMANDS[name]!
  assertArgs(form, args)
  if (form.startsWith('EMAIL') && parseEmail(args[0]!) === null) {
    throw new WrongUsage(`${oneLine(args[0])} is not an email address.`)
  }
  const foreign = FLAGS.find(([flag]) => flags[flag as keyof Flags] && !Object.hasOwn(own, flag))
  if (foreign !== undefined) {
    const [flag] = foreign
    const owners = SERVER_NAMES.filter((each) =>
      Object.hasOwn(SERVER_COMMANDS[each]!.flags ?? {}, flag),
    )
    throw new WrongUsage(`--${flag} belongs to ${owners.join(' and ')}.`)
  }
  assertChoice('--plan', flags.plan, PLANS)
  if (name === 'account plan') assertChoice('PLAN', args[1], PLANS)
  for (const scope of flags.scopes?.split(',') ?? []) assertChoice('--scopes', scope, SCOPES)
  parseFuture('expires', flags.expires)
}

/** Commands that may make the data folder. The others find nothing to work on without one. */
export const MAKE_FOLDER: readonly string[] = ['account add', 'migrate']

export function noFolder(dataDir: string): string {
  return (
    `There are no data in ${dataDir}. Call it in the folder of the server, or set the same ` +
    'DATA_DIR; a new server begins with handbill serve or handbill account add EMAIL.'
  )
}

/** Warns about a new data folder: the command may have been meant for another folder. */
export function newFolder(dataDir: string): string {
  return (
    `This made a new, empty data folder: ${dataDir}. For the data of a server that runs ` +
    'already, call it in the same folder, or set the same DATA_DIR.'
  )
}
