import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Declaration, Parsed } from './command.ts'
import { ALL_COMMANDS } from './commands/index.ts'
import { didYouMean } from './errors.ts'
import { oneLine, WrongUsage } from './output.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** Finds the words of a command line: what is neither an option nor the value of one. */
export function findWords(argv: string[]) {
  const options = Object.assign({}, ...Object.values(ALL_COMMANDS).map(optionsOf), optionsOf())
  const parsed = parseArgs({ args: argv, options, strict: false, tokens: true })
  const tokens = parsed.tokens.filter((token) => token.kind === 'positional')
  return { tokens, asksForHelp: parsed.values.help === true }
}

/** Parses what follows the name of a command. @throws WrongUsage */
export async function parseCommand(command: Declaration | null, argv: string[]): Promise<Parsed> {
  const options = optionsOf(command ?? undefined)
  if (command?.hasSettings) {
    const { settingFlags } = await import('./settings.ts')
    for (const { flag, type } of settingFlags()) {
      options[flag] = { type: type === 'boolean' ? type : 'string', multiple: type === 'list' }
    }
  }
  const { values, positionals } = parseArguments(argv, options)
  return { args: positionals, flags: values as Parsed['flags'] }
}

/** The options of a command, and those that every command has. */
function optionsOf({ flags = {} }: Pick<Declaration, 'flags'> = {}): Options {
  const own = Object.entries(flags).map(([name, { value, choices, multiple = false }]) => {
    return [name, { type: value || choices ? 'string' : 'boolean', multiple }] as const
  })
  return {
    version: { type: 'boolean', short: 'v' },
    ...Object.fromEntries(own),
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  }
}

/** Like `parseArgs`; the value of an option may begin with a dash. @throws WrongUsage */
export function parseArguments(argv: string[], options: Options) {
  const args = withJoinedValues(argv, options)
  try {
    return parseArgs({ args, options, allowPositionals: true, allowNegative: true })
  } catch (err) {
    throw new WrongUsage(usageMessage(err as NodeJS.ErrnoException, Object.keys(options)))
  }
}

/** Joins `--find` and `- item` by `=`: apart, `parseArgs` refuses them. */
function withJoinedValues(argv: readonly string[], options: Options): string[] {
  const args: string[] = []
  for (const word of argv) {
    const option = args.includes('--') ? '' : (args.at(-1) ?? '')
    // `--titel` is an option with a typing error, and `-h` asks for help.
    const isDashed = /^-[^-]|^--\S*\s/.test(word) && word !== '-h'
    const takesValue = option.startsWith('--') && options[option.slice(2)]?.type === 'string'
    if (isDashed && takesValue) args[args.length - 1] = `${option}=${word}`
    else args.push(word)
  }
  return args
}

/** Rewords an error of `parseArgs`, and names the option that an unknown one probably means. */
function usageMessage({ code, message }: NodeJS.ErrnoException, options: string[]): string {
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    // Bun leaves the dash of a short option out.
    const [, optionName = ''] = /^Unknown option '-{0,2}([^'=]+)/.exec(message) ?? []
    if (optionName.length < 2) {
      return `There is no option -${oneLine(optionName)}. A text that begins with - goes after --.`
    }
    const name = oneLine(optionName)
    const positive = name.replace(/^no-/, '')
    const owners = Object.keys(ALL_COMMANDS).filter((owner) =>
      Object.hasOwn(ALL_COMMANDS[owner]!.flags ?? {}, positive),
    )
    if (owners.length > 0) return `--${positive} belongs to ${owners.join(', ')}.`
    return `There is no option --${name}.${didYouMean(positive, options, '--')}`
  }
  const [option = ''] = /--[^'=\s]+/.exec(message) ?? []
  if (message.includes('does not take')) {
    return `${option} takes no value; --no-${option.slice(2)} switches it off.`
  }
  const ofDashes = message.includes('ambiguous')
    ? ` One that begins with -- is joined to it: ${option}=--x.`
    : ''
  return `${option} needs a value.${ofDashes}`
}
