import { argsOf, type Call } from '../command.ts'
import { getPage } from '../page.ts'
import { isTerminal, openInBrowser } from '../terminal.ts'

export async function run(call: Call): Promise<void> {
  const [name = ''] = argsOf(call, ['PAGE'])
  const { id, url } = await getPage(call, name)
  call.print({ id, url }, url)
  if (isTerminal()) openInBrowser(url)
}
