import { type CommandContext, positionalArgs } from '../command.ts'
import { resolvePageId } from '../page.ts'
import { printOpenTo } from '../publishing.ts'
import { isTerminal, printStatus } from '../terminal.ts'

export async function run(context: CommandContext): Promise<void> {
  const [name = ''] = positionalArgs(context, ['PAGE'])
  const id = await resolvePageId(context, name)
  await context.client().unpublishPage({ id })
  const { data: page } = await context.client().getPage({ id })
  printOpenTo(page)
  context.print(page, page.url)
  if (isTerminal()) printStatus(`To publish it: handbill publish ${page.id}`)
}
