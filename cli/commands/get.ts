import { type CommandContext, positionalArgs } from '../command.ts'
import { oneLine, tabSeparated } from '../output.ts'
import { getPage } from '../page.ts'
import { isTerminal } from '../terminal.ts'

export async function run(context: CommandContext): Promise<void> {
  const [name = ''] = positionalArgs(context, ['PAGE'])
  const page = await getPage(context, name)
  const rows = Object.entries(page).map(([member, value]) => ({
    member,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
  context.print(page, isTerminal() ? formatForPeople(rows) : tabSeparated(rows))
}

type Member = { member: string; value: string }

/** Formats the page for people, without the members that are off or empty. */
function formatForPeople(rows: Member[]): string[] {
  const set = rows.filter(({ value }) => !['null', 'false', '[]'].includes(value))
  const width = Math.max(...set.map(({ member }) => member.length))
  const lines = set.map(({ member, value }) => `${member.padEnd(width)}  ${oneLine(value)}`)
  return [...lines, '', 'Members that are off or empty are left out: add --json to see all.']
}
