import type { Client } from '../src/client/index.ts'
import type { Environment } from './environment.ts'
import type { createLogins } from './logins.ts'
import { oneLine, WrongUsage } from './output.ts'

/** An option of a command, beside --json and --help, which all have. */
export interface Flag {
  type: 'boolean' | 'string'
  multiple?: boolean
  /** What stands for its value in the help. */
  value?: string
  help: string
}

/** How a command is parsed and shown in the help; what it does is loaded when it is asked for. */
export interface Command {
  args: string
  summary: string
  example: string
  flags?: Record<string, Flag>
  /** Takes every setting that a page has. */
  hasSettings?: true
  load(): Promise<{ run(call: Call): Promise<void> }>
}

/** What a command is given. */
export interface Call {
  args: string[]
  flags: Record<string, string | boolean | string[] | undefined>
  /** As the interface takes them. */
  settings: Record<string, unknown>
  asJson: boolean
  env: Environment
  logins: ReturnType<typeof createLogins>
  server: string
  /** Made when it is first asked for: it needs a key. */
  client(): Client
  /** The result, and how it reads without --json. Nothing else goes to stdout. */
  print(value: unknown, text: string): void
}

/**
 * The arguments of a command that takes those of these names.
 *
 * @param least how many of them must be given
 * @throws WrongUsage where one is missing or one is too many
 */
export function argsOf({ args }: Call, names: string[], least = names.length): string[] {
  const missing = names.slice(0, least)[args.length]
  if (missing !== undefined) throw new WrongUsage(`${missing} is missing.`)
  if (args.length <= names.length) return args
  throw new WrongUsage(`${oneLine(args[names.length]!)} is one argument too many.`)
}
