import { type CommandContext, positionalArgs } from '../command.ts'
import { CommandFailed, oneLine } from '../output.ts'
import { findPageRecord, getPage, type Page } from '../page.ts'
import { confirm, isInteractive, isTerminal, printStatus } from '../terminal.ts'

export async function run(context: CommandContext): Promise<void> {
  const [name = ''] = positionalArgs(context, ['PAGE'])
  const page = await getPage(context, name)
  if (context.flags.yes !== true) await confirmDeletion(context, page)
  await context.client().deletePage({ id: page.id })
  findPageRecord(context, name)?.remove()
  context.print({ id: page.id, deleted: true }, '')
  if (isTerminal()) printStatus(`Deleted ${nameOf(page)}.`)
}

async function confirmDeletion(context: CommandContext, page: Page): Promise<void> {
  if (!isInteractive())
    throw new CommandFailed('To delete a page for good without a question, add --yes.')
  const { data } = await context.client().listResponses({ id: page.id, limit: 1 })
  const { count } = data.status
  const responses = count === 1 ? '1 response' : `${count} responses`
  const subject = count === 0 ? nameOf(page) : `${nameOf(page)} and ${responses}`
  if (await confirm(`Delete ${subject}?`, 'no')) return
  throw new CommandFailed('Nothing was deleted.')
}

function nameOf({ title, url }: Page): string {
  return title === null ? url : `“${oneLine(title)}”`
}
