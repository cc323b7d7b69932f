import type { Client } from '../src/client/index.ts'
import type { createCredentials, Environment } from './credentials.ts'
import { type Lines, oneLine, type Row, WrongUsage } from './output.ts'

/** An option of a command. Every command also has --json and --help. */
export interface Flag {
  help: string
  /** What its value is called, or the values to choose from; absent where it takes none. */
  value?: string
  choices?: readonly string[]
  multiple?: boolean
}

export type FlagValue = string | boolean | string[] | undefined

/** How a command is parsed, helped, completed and documented. */
export interface Declaration {
  /** `PAGE [PATH]`; `FILE…` for one and more. */
  args: string
  summary: string
  example?: string
  flags?: Record<string, Flag>
  hasSettings?: true
}

/** A command of the client. `load` imports its code when it runs. */
export interface Command extends Declaration {
  example: string
  load(): Promise<(context: CommandContext) => Promise<void>>
}

/** What a command line has after the name of its command. */
export interface Parsed {
  args: string[]
  flags: Record<string, FlagValue>
}

export interface CommandContext extends Parsed {
  settings: Record<string, unknown>
  asJson: boolean
  /** All commands, by their names and aliases. */
  commands: Record<string, Declaration>
  env: Environment
  credentials: ReturnType<typeof createCredentials>
  server: string
  /** The first call creates the client. It fails when there is no API key. */
  client(): Client
  /** Prints the result: `value` with --json, else the lines. Nothing else goes to stdout. */
  print(value: unknown, lines: Lines): void
  /**
   * The same with rows: tabs for programs, and for people columns under their names, or the
   * lines that a function gives. A text stands for no rows.
   */
  printRows(value: unknown, rows: Row[], people: string | (() => string[])): void
}

/** Checks the arguments of a command, and the options that are choices. @throws WrongUsage */
export function assertUsage(command: Declaration, { args, flags }: Parsed): void {
  assertArgs(command.args, args)
  for (const [flag, { choices }] of Object.entries(command.flags ?? {})) {
    assertChoice(`--${flag}`, flags[flag], choices)
  }
}

/** @throws WrongUsage if an argument of a command is missing or there is one too many */
export function assertArgs(command: string, args: readonly string[]): void {
  const names = command.split(' ').filter(Boolean)
  // What a script's empty variable leaves would name the working directory.
  const empty = args.indexOf('')
  const missing = names[empty < 0 ? args.length : Math.min(empty, names.length - 1)] ?? '['
  if (!missing.startsWith('[')) {
    throw new WrongUsage(`${/^[A-Z]+/.exec(missing)?.[0] ?? missing} is missing.`)
  }
  if (args.length <= names.length || names.at(-1)?.includes('…')) return
  throw new WrongUsage(`${oneLine(args[names.length])} is one argument too many.`)
}

/** A whole number from 1. @param name of the option or argument, for the error */
export function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new WrongUsage(`${name} takes a whole number from 1.`)
}

/** @param name of the option or argument, for the error. @throws WrongUsage */
export function assertChoice(name: string, text: FlagValue, choices?: readonly string[]): void {
  if (typeof text !== 'string' || choices === undefined || choices.includes(text)) return
  throw new WrongUsage(`${name} takes ${choices.join(', ')}.`)
}

/** The value of an option that takes one; undefined where it is not given. */
export function textOf(flag: FlagValue): string | undefined {
  return typeof flag === 'string' ? flag : undefined
}

/** `key` of `key create`. */
export function firstWord(name: string): string {
  return name.split(' ')[0]!
}
