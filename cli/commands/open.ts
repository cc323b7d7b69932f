import { type CommandContext, positionalArgs } from '../command.ts'
import { getPage } from '../page.ts'
import { isTerminal, openInBrowser } from '../terminal.ts'

export async function run(context: CommandContext): Promise<void> {
  const [name = ''] = positionalArgs(context, ['PAGE'])
  const { id, url } = await getPage(context, name)
  context.print({ id, url }, url)
  if (isTerminal()) openInBrowser(url)
}
