import { argsOf, type Call } from '../command.ts'
import { oneLine, tabbed } from '../output.ts'
import { getPage } from '../page.ts'
import { isTerminal } from '../terminal.ts'

export async function run(call: Call): Promise<void> {
  const [name = ''] = argsOf(call, ['PAGE'])
  const page = await getPage(call, name)
  const rows = Object.entries(page).map(([member, value]) => ({
    member,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
  call.print(page, isTerminal() ? shown(rows) : tabbed(rows))
}

type Member = { member: string; value: string }

/** For a person: what is off or empty would hide the rest. */
function shown(rows: Member[]): string {
  const set = rows.filter(({ value }) => !['null', 'false', '[]'].includes(value))
  const width = Math.max(...set.map(({ member }) => member.length))
  const lines = set.map(({ member, value }) => `${member.padEnd(width)}  ${oneLine(value)}`)
  return [...lines, '', 'What is off or empty is left out: add --json for all of it.'].join('\n')
}
