import { type Client, createClient } from '../src/client/index.ts'
import type { createCredentials, Environment } from './credentials.ts'
import { type Lines, oneLine, type Row, WrongUsage } from './output.ts'
import { printStatus } from './terminal.ts'

/** An option of a command. Every command also has --json and --help. */
export interface Flag {
  type: 'boolean' | 'string'
  multiple?: boolean
  value?: string
  help: string
}

/** How a command is parsed and shown in the help. `load` imports its code when it runs. */
export interface Command {
  args: string
  summary: string
  example: string
  flags?: Record<string, Flag>
  hasSettings?: true
  load(): Promise<(context: CommandContext) => Promise<void>>
}

export interface CommandContext {
  args: string[]
  flags: Record<string, string | boolean | string[] | undefined>
  settings: Record<string, unknown>
  asJson: boolean
  /** All commands, by their names and aliases. */
  commands: Record<string, Command>
  env: Environment
  credentials: ReturnType<typeof createCredentials>
  server: string
  /** The first call creates the client. It fails when there is no API key. */
  client(): Client
  /** Prints the result: `value` with --json, else the lines. Nothing else goes to stdout. */
  print(value: unknown, lines: Lines): void
  /** The same with rows: columns under their names for people, and tabs for programs. */
  printRows(value: unknown, rows: Row[], empty: string): void
}

/**
 * Checks the number of positional arguments.
 *
 * @param required how many of the named arguments must be there
 * @throws WrongUsage if an argument is missing or there is one too many
 */
export function positionalArgs(
  { args }: CommandContext,
  names: string[],
  required = names.length,
): string[] {
  const missing = names.slice(0, required)[args.length]
  if (missing !== undefined) throw new WrongUsage(`${missing} is missing.`)
  if (args.length <= names.length) return args
  throw new WrongUsage(`${oneLine(args[names.length]!)} is one argument too many.`)
}

const REPORTED_WAIT_MS = 2000
/** After that, a server that says nothing is dead, or mute. */
export const SILENCE_MS = 15_000

/** Creates the API client of the command line. It reports long waits before a retry on stderr. */
export function createCliClient(baseUrl: string, key: string): Client {
  return createClient({
    baseUrl,
    key,
    source: 'cli',
    silenceMs: SILENCE_MS,
    onRetry(waitMs, error) {
      if (waitMs < REPORTED_WAIT_MS) return
      printStatus(`${error.message} Trying again in ${Math.round(waitMs / 1000)} s.`)
    },
  })
}
