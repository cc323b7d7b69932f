import { answersOf, type Output } from '../../src/client/index.ts'
import { argsOf, type Call } from '../command.ts'
import { oneLine, tabbed, table } from '../output.ts'
import { isTerminal } from '../terminal.ts'

type Listed = Output<'listPages'>['data'][number]

const TITLE_CHARS = 40

export async function run(call: Call): Promise<void> {
  argsOf(call, [])
  const pages: Listed[] = []
  for await (const { data } of answersOf(call.client().listPages, { limit: 200 })) {
    pages.push(...data)
  }
  const empty = 'There are no pages yet: handbill publish PATH'
  call.print(pages, isTerminal() ? table(pages.map(shown), empty) : tabbed(pages.map(plain)))
}

function plain({ title, access, views, url }: Listed) {
  return { title: oneLine(title), access, views: String(views), link: url }
}

function shown(page: Listed) {
  const row = plain(page)
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
