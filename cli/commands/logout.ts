import { type CommandContext, positionalArgs } from '../command.ts'
import { parseServerUrl } from '../credentials.ts'
import { printStatus } from '../terminal.ts'

export async function run(context: CommandContext): Promise<void> {
  const [urlArgument] = positionalArgs(context, ['URL'], 0)
  const url = urlArgument === undefined ? context.server : parseServerUrl(urlArgument)
  const wasStored = context.credentials.remove(url)
  context.print({ url, logged_out: wasStored }, '')
  printStatus(wasStored ? `Deleted the key for ${url}.` : `There was no key for ${url}.`)
}
