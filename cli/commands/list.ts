import { type Output, paginate } from '../../src/client/index.ts'
import { type CommandContext, positionalArgs } from '../command.ts'
import { oneLine, table, tabSeparated } from '../output.ts'
import { isTerminal } from '../terminal.ts'

type Listed = Output<'listPages'>['data'][number]

const TITLE_CHARS = 40

export async function run(context: CommandContext): Promise<void> {
  positionalArgs(context, [])
  const pages: Listed[] = []
  for await (const { data } of paginate(context.client().listPages, { limit: 200 })) {
    pages.push(...data)
  }
  const empty = 'There are no pages yet: handbill publish PATH'
  context.print(
    pages,
    isTerminal() ? table(pages.map(formatForPeople), empty) : tabSeparated(pages.map(toRow)),
  )
}

function toRow({ title, access, views, url }: Listed) {
  return { title: oneLine(title), access, views: String(views), link: url }
}

function formatForPeople(page: Listed) {
  const row = toRow(page)
  return {
    ...row,
    title: titleOf(row.title),
    access: page.is_published ? page.access : `${page.access}, draft`,
  }
}

function titleOf(title: string): string {
  if (title === '') return '(no title)'
  return title.length > TITLE_CHARS ? `${title.slice(0, TITLE_CHARS - 1)}…` : title
}
