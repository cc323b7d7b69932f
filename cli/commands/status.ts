import { ApiError } from '../../src/client/index.ts'
import { type CommandContext, positionalArgs } from '../command.ts'
import { CommandFailed, oneLine, table, tabSeparated } from '../output.ts'
import { getPage, type Page } from '../page.ts'
import { recordedPaths } from '../page-record.ts'
import { describeState } from '../publishing.ts'
import { isTerminal } from '../terminal.ts'

export async function run(context: CommandContext): Promise<void> {
  const [name] = positionalArgs(context, ['PAGE'], 0)
  if (name === undefined) return printFolder(context)
  const page = await getPage(context, name)
  const views = page.max_views === null ? `${page.views}` : `${page.views} of ${page.max_views}`
  const lines = [
    `link    ${page.url}`,
    `state   ${describeState(page)}`,
    `access  ${oneLine(page.open_to)}`,
    `views   ${views}`,
    ...(page.expires_at === null ? [] : [`until   ${page.expires_at}`]),
  ]
  context.print(page, lines)
}

/** Shows the pages that the record in the working folder names. */
async function printFolder(context: CommandContext): Promise<void> {
  const recorded = recordedPaths(context.env.cwd, context.server)
  if (recorded.length === 0) {
    throw new CommandFailed(
      'Nothing was published from this folder: name a PAGE, or see handbill list.',
    )
  }
  const found = []
  for (const { path, id, url } of recorded) found.push({ path, id, url, page: await find(id) })

  async function find(id: string): Promise<Page | null> {
    try {
      return (await context.client().getPage({ id })).data
    } catch (err) {
      if (err instanceof ApiError && err.code === 'page_not_found') return null
      throw err
    }
  }
  const rows = found.map(({ path, url, page }) => ({
    path,
    state: page === null ? 'deleted' : shortState(page),
    views: page === null ? '' : String(page.views),
    link: page?.url ?? url,
  }))
  context.print(found, isTerminal() ? table(rows, '') : tabSeparated(rows))
}

function shortState({ is_published: isPublished, has_unpublished_changes: hasChanges }: Page) {
  if (!isPublished) return 'draft'
  return hasChanges ? 'published, draft changed' : 'published'
}
