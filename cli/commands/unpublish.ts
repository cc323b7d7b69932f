import { type CommandContext, positionalArgs } from '../command.ts'
import { getPage } from '../page.ts'
import { isTerminal, printStatus } from '../terminal.ts'

export async function run(context: CommandContext): Promise<void> {
  const [name = ''] = positionalArgs(context, ['PAGE'])
  const page = await getPage(context, name)
  const { data } = await context.client().unpublishPage({ id: page.id })
  context.print({ ...page, ...data }, page.url)
  if (isTerminal()) printStatus(`Nobody sees it now. To publish it: handbill publish ${page.id}`)
}
