import { type Output, paginate } from '../../src/client/index.ts'
import { deletion } from '../../src/model/deletion.ts'
import { mapConcurrently } from '../../src/model/map-concurrently.ts'
import { deletedOn } from '../../src/model/page/facts.ts'
import { type CommandContext, wholeNumber } from '../command.ts'
import { CommandFailed, labelled, oneLine, truncate, WrongUsage } from '../output.ts'
import {
  findPage,
  findPageRecord,
  getPage,
  type Page,
  recordedPaths,
  resolvePageId,
} from '../page.ts'
import { describeState, printOpenTo, printWritten, reportUnpublished } from '../publishing.ts'
import { confirm, isInteractive, isTerminal, openInBrowser, printStatus } from '../terminal.ts'

type Listed = Output<'listPages'>['data'][number]

const TITLE_CHARS = 40
const NO_PAGES = 'There are no pages yet: handbill publish PATH'
const NO_TRASH = 'The trash is empty.'

export async function listPages(context: CommandContext): Promise<void> {
  const isTrash = context.flags.trash === true
  const query = { limit: 200, ...(isTrash && { state: 'trash' as const }) }
  const pages: Listed[] = []
  for await (const { data } of paginate(context.client().listPages, query)) {
    pages.push(...data)
  }
  const rows = pages.map(isTerminal() ? rowForPeople : toRow)
  context.printRows(pages, rows, isTrash ? NO_TRASH : NO_PAGES)
}

function toRow({ title, access, views, url }: Listed) {
  return { title: oneLine(title), access, views: String(views), link: url }
}

function rowForPeople(page: Listed) {
  const row = toRow(page)
  return {
    ...row,
    title: row.title === '' ? '(no title)' : truncate(row.title, TITLE_CHARS),
    access: `${page.access}${noteOf(page)}`,
  }
}

function noteOf({ trashed_at: at, is_published, state }: Listed): string {
  // An older server has no trash.
  if (at) return `, deleted on ${dateOf(at)}`
  if (state === 'closed') return ', closed'
  return is_published ? '' : ', draft'
}

/** When a page in the trash is deleted, such as `2026-12-24`. */
function dateOf(trashedAt: string): string {
  return deletedOn(trashedAt).toISOString().slice(0, 10)
}

export async function showStatus(context: CommandContext): Promise<void> {
  if (context.args.length === 0) return printFolder(context)
  const page = await getPage(context)
  const views = page.max_views === null ? `${page.views}` : `${page.views} of ${page.max_views}`
  const lines = labelled([
    ['link', page.url],
    ['state', describeState(page)],
    ['access', page.open_to],
    ['views', views],
    ...(page.expires_at === null ? [] : [['until', page.expires_at] as const]),
  ])
  context.print(page, lines)
}

const READS_AT_ONCE = 6

async function printFolder(context: CommandContext): Promise<void> {
  const { paths, problems } = recordedPaths(context.env.cwd, context.server)
  if (paths.length === 0) {
    throw new CommandFailed(
      problems[0] ?? 'Nothing was published from this folder: name a PAGE, or see handbill list.',
    )
  }
  for (const problem of problems) printStatus(problem)
  const pageServer = { client: context.client(), baseUrl: context.server }
  const pages = await mapConcurrently(paths, READS_AT_ONCE, async ({ path, id, url }) => ({
    ...{ path, id, url, page: await findPage(pageServer, { idOrSlug: id, origin: null }) },
  }))
  const rows = pages.map(({ path, url, page }) => ({
    path,
    state: page === null ? 'deleted' : shortState(page),
    views: page === null ? '' : String(page.views),
    link: page?.url ?? url,
  }))
  context.printRows(pages, rows, '')
}

function shortState({ is_published, has_unpublished_changes: hasChanges, state }: Page) {
  if (state === 'trash') return 'in the trash'
  if (state === 'closed') return state
  if (!is_published) return 'draft'
  return hasChanges ? 'published, draft changed' : 'published'
}

export async function showPage(context: CommandContext): Promise<void> {
  const page = await getPage(context)
  const rows = Object.entries(page).map(([member, value]) => ({
    member,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
  const set = rows.filter(({ value }) => !['null', 'false', '[]'].includes(value))
  context.printRows(page, rows, () => [
    ...labelled(set.map(({ member, value }) => [member, value])),
    '',
    'Members that are off or empty are left out: add --json to see all.',
  ])
}

export async function openPage(context: CommandContext): Promise<void> {
  const { id, url } = await getPage(context)
  context.print({ id, url }, url)
  if (isTerminal()) openInBrowser(url)
}

export async function listVersions(context: CommandContext): Promise<void> {
  const id = await resolvePageId(context)
  const { data: versions } = await context.client().listVersions({ id })
  const rows = versions.map(({ version_no, source, label, size_bytes, created_at }) => ({
    version: String(version_no),
    source,
    label: oneLine(label),
    bytes: String(size_bytes),
    created: isTerminal() ? created_at.slice(0, 16) : created_at,
  }))
  context.printRows(versions, rows, 'There are no versions.')
}

export async function restoreVersion(context: CommandContext): Promise<void> {
  const [, versionNo = ''] = context.args
  const version_no = wholeNumber('N', versionNo)
  const written = await context.client().restoreVersion({
    id: await resolvePageId(context),
    version_no,
    publish: context.flags.publish === true,
  })
  const page = printWritten(context, written)
  context.print(page, page.url)
  reportUnpublished(page)
}

export async function unpublish(context: CommandContext): Promise<void> {
  const id = await resolvePageId(context)
  await context.client().unpublishPage({ id })
  const { data: page } = await context.client().getPage({ id })
  printOpenTo(page)
  context.print(page, page.url)
  if (isTerminal()) printStatus(`To publish it: handbill publish ${page.id}`)
}

export async function duplicatePage(context: CommandContext): Promise<void> {
  const id = await resolvePageId(context)
  const page = printWritten(context, await context.client().duplicatePage({ id }))
  context.print(page, page.url)
}

export async function removePage(context: CommandContext): Promise<void> {
  const { now, undo } = context.flags
  if (now === true && undo === true) throw new WrongUsage('Give --now or --undo, not both.')
  if (undo === true) return takeBack(context)
  const page = await getPage(context)
  const { id } = page
  if (now === true) {
    if (context.flags.yes !== true) await confirmDeletion(context, page)
    await context.client().deletePage({ id })
    findPageRecord(context)?.remove()
    context.print({ id, deleted: true }, '')
    if (isTerminal()) printStatus(`Deleted ${nameOf(page)}.`)
    return
  }
  const { data: trashed } = await context.client().trashPage({ id })
  context.print(trashed, '')
  printStatus(`${nameOf(page)} is in the trash until ${dateOf(trashed.trashed_at!)}.`)
  if (isTerminal()) printStatus(`To take it back: handbill rm --undo ${id}`)
}

async function takeBack(context: CommandContext): Promise<void> {
  const id = await resolvePageId(context)
  const { data: page } = await context.client().takeBackPage({ id })
  printOpenTo(page)
  context.print(page, page.url)
}

async function confirmDeletion(context: CommandContext, page: Page): Promise<void> {
  const { data } = await context.client().countPage({ id: page.id })
  const { title, warning } = deletion(nameOf(page), data)
  if (!isInteractive()) throw new CommandFailed(`${title} ${warning} To do it, add --yes.`)
  if (await confirm(`${title} ${warning}`, 'no')) return
  throw new CommandFailed('Nothing was deleted.')
}

function nameOf({ title, url }: Page): string {
  return title === null ? url : `“${oneLine(title)}”`
}
