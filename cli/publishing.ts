import { findLeftOut } from '../src/client/content/left-out.ts'
import type { LocalContent } from '../src/client/content/local-content.ts'
import type { Output } from '../src/client/index.ts'
import { groupWarnings, MAX_WARNINGS, shortened } from '../src/model/page/warnings.ts'
import type { CommandContext } from './command.ts'
import type { Content } from './content.ts'
import { CommandFailed, oneLine, WrongUsage, writeFaintLine } from './output.ts'
import type { Page, PageRecord } from './page.ts'
import { confirm, isInteractive, isTerminal, openInBrowser, printStatus } from './terminal.ts'

export type Written = Pick<Output<'updatePage'>, 'warnings'> & { data: Page }

/** Lists the skipped files, and asks for confirmation if one of them was not expected. */
export async function confirmSkippedFiles(
  { flags }: CommandContext,
  local: LocalContent,
): Promise<LocalContent> {
  const { lines, mayLackFiles } = await findLeftOut(local)
  for (const line of lines) printStatus(oneLine(line))
  if (flags.yes === true || !isInteractive() || !mayLackFiles) return local
  if (await confirm('Publish all the same?', 'yes')) return local
  throw new CommandFailed('Nothing was published.')
}

/** The content option `--entry`, which is for decks only. @throws WrongUsage */
export function contentOptions(
  { flags }: CommandContext,
  local: LocalContent,
): Pick<Content, 'entry'> {
  if (typeof flags.entry !== 'string') return {}
  if (local.kind !== 'deck') throw new WrongUsage('--entry is for a folder or a zip.')
  return { entry: flags.entry }
}

/** Publishes in a last request: if an earlier one fails, visitors see no change. */
export async function replaceContent(
  context: CommandContext,
  { id, ifMatch }: { id: string; ifMatch?: string | undefined },
  content: Content,
): Promise<Written> {
  const input = { id, ...content, ...context.settings }
  const draft = await context.client().updatePage(input, { if_match: ifMatch })
  if (context.flags.draft === true) return draft
  const published = await publishDraft(context, id)
  // Publishing answers the warnings about content again, and none about what the update set.
  const ofSettings = draft.warnings.filter(({ code }) => code === 'no_effect')
  return { ...published, warnings: [...ofSettings, ...published.warnings] }
}

export async function publishDraft(context: CommandContext, id: string): Promise<Written> {
  const { page, warnings } = await context.client().publishPage({ id })
  return { data: page, warnings }
}

/** A record that cannot be written is only reported: the page is published already. */
export function saveRecord(record: PageRecord | null, page: Pick<Page, 'id' | 'url'>): void {
  try {
    record?.save(page)
  } catch (err) {
    printStatus(`${(err as Error).message} Publishing this again will make another page.`)
  }
}

/** Prints what will not work for visitors, as compilers do: `file:line: message`. */
export function printWarnings(warnings: Written['warnings']): void {
  for (const { first, places } of groupWarnings(warnings)) {
    const where = places.length === 0 ? '' : `${shortened(places, 3)}: `
    printStatus(`Warning: ${where}${first.message}`)
  }
  // All files that were left out are named, and the first of the others.
  const others = warnings.filter(({ code }) => code !== 'left_out')
  if (others.length >= MAX_WARNINGS) printStatus('There may be more: not all are told at once.')
}

export function describeState({ state, is_published, has_unpublished_changes }: Page): string {
  if (state === 'trash') return 'In the trash: handbill rm --undo takes it back.'
  if (state === 'closed') return 'Published, but its link is closed.'
  if (!is_published) return 'Saved as a draft: nobody sees it yet.'
  if (!has_unpublished_changes) return 'Published.'
  return 'Published before; nobody sees yet what changed in the draft.'
}

export function printOpenTo({ open_to }: Page): void {
  printStatus(`Open to ${oneLine(open_to)}.`)
}

/**
 * Prints the result of a write for people: first who can open the page now, since an option may not
 * have done what was meant. A password that the server generated is always printed, because the
 * owner must pass it on.
 *
 * @returns the page
 */
export function printWritten(
  { flags, settings, env }: CommandContext,
  { data: page, warnings }: Written,
): Page {
  printOpenTo(page)
  if (isTerminal()) writeFaintLine(describeState(page), env.noColor)
  const isGenerated = page.password !== undefined && !settings.password
  if (isGenerated) printStatus(`Password: ${page.password}`)
  printWarnings(warnings)
  if (flags.open === true && isTerminal()) openInBrowser(page.url)
  return page
}

/** Without this line, the author of a change would look for it at the link. */
export function reportUnpublished(page: Page): void {
  if (!page.has_unpublished_changes) return
  printStatus(`Visitors do not see it yet. To publish the draft: handbill publish ${page.id}`)
}
