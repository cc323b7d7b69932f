import { argsOf, type Call } from '../command.ts'
import { CommandFailed, oneLine } from '../output.ts'
import { getPage, memoryAt, type Page } from '../page.ts'
import { canAsk, confirm, isTerminal, say } from '../terminal.ts'

export async function run(call: Call): Promise<void> {
  const [name = ''] = argsOf(call, ['PAGE'])
  const page = await getPage(call, name)
  if (call.flags.yes !== true) await assertMeant(call, page)
  await call.client().deletePage({ id: page.id })
  memoryAt(call, name)?.forget()
  call.print({ id: page.id, deleted: true }, '')
  if (isTerminal()) say(`Deleted ${nameOf(page)}.`)
}

async function assertMeant(call: Call, page: Page): Promise<void> {
  if (!canAsk())
    throw new CommandFailed('To delete a page for good without being asked, add --yes.')
  const { data } = await call.client().listResponses({ id: page.id, limit: 1 })
  const { count } = data.status
  const responses = count === 1 ? '1 response' : `${count} responses`
  const what = count === 0 ? nameOf(page) : `${nameOf(page)} and ${responses}`
  if (await confirm(`Delete ${what}?`, 'no')) return
  throw new CommandFailed('Nothing was deleted.')
}

function nameOf({ title, url }: Page): string {
  return title === null ? url : `“${oneLine(title)}”`
}
