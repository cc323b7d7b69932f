import { type ParseArgsConfig, parseArgs } from 'node:util'
import { didYouMean } from './errors.ts'
import { oneLine, WrongUsage } from './output.ts'

type Options = NonNullable<ParseArgsConfig['options']>

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
    return `There is no option --${name}.${didYouMean(name.replace(/^no-/, ''), options, '--')}`
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
