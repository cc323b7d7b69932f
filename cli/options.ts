import { closestName } from '../src/model/suggest.ts'
import { oneLine } from './output.ts'

/** Rewords an error of `parseArgs`, and names the option that an unknown one probably means. */
export function usageMessage({ code, message }: NodeJS.ErrnoException, options: string[]): string {
  const sentence = `${message.split('. ')[0]!.replace(/\.$/, '')}.`
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return sentence
  const [, typed = ''] = /'--?([^'=]+)/.exec(message) ?? []
  const meant = closestName(typed.replace(/^no-/, ''), options)
  const start = `There is no option ${oneLine(typed.length > 1 ? `--${typed}` : `-${typed}`)}.`
  return meant === null ? start : `${start} Did you mean --${meant}?`
}
