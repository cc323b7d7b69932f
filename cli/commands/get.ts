import type { Call } from '../command.ts'
import { tabbed } from '../output.ts'
import { argsOf, getPage } from '../page.ts'

export async function run(call: Call): Promise<void> {
  const [name = ''] = argsOf(call, ['PAGE'])
  const page = await getPage(call, name)
  const rows = Object.entries(page).map(([member, value]) => ({
    member,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
  call.print(page, tabbed(rows))
}
