import { describeLeftOut, mayLackFiles } from '../src/client/content/left-out.ts'
import type { Output } from '../src/client/index.ts'
import type { CommandContext } from './command.ts'
import type { Content } from './content.ts'
import type { LocalContent } from './local-content/index.ts'
import { CommandFailed, oneLine, WrongUsage } from './output.ts'
import type { Page } from './page.ts'
import {
  confirm,
  isInteractive,
  isTerminal,
  openInBrowser,
  printMutedStatus,
  printStatus,
} from './terminal.ts'

type Warning = Output<'createPage'>['warnings'][number]

const MAX_WARNING_LINES = 10

/** Lists the skipped files, and asks for confirmation if one of them was not expected. */
export async function confirmSkippedFiles(
  { flags }: CommandContext,
  local: LocalContent,
): Promise<LocalContent> {
  if (local.kind !== 'deck' || local.skipped.length === 0) return local
  for (const line of describeLeftOut(local)) printStatus(oneLine(line))
  if (flags.yes === true || !isInteractive() || !mayLackFiles(local)) return local
  if (await confirm('Publish without them?', 'yes')) return local
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
  { id, ifMatch }: { id: string; ifMatch?: string },
  content: Content,
): Promise<Page> {
  const options = ifMatch === undefined ? {} : { if_match: ifMatch }
  const { data: page, warnings: draftWarnings } = await context
    .client()
    .updatePage({ id, ...content, ...context.settings }, options)
  if (context.flags.draft === true) {
    printWarnings(draftWarnings)
    return page
  }
  const { data, warnings } = await context.client().publishPage({ id })
  printWarnings(warnings)
  return { ...page, ...data }
}

/** Prints what in the content will not work for visitors, as compilers do: `file:line: message`. */
export function printWarnings(warnings: readonly Warning[]): void {
  for (const { path, line, message } of warnings.slice(0, MAX_WARNING_LINES)) {
    const place = [path, line === null ? null : path === null ? `line ${line}` : line]
    const parts = place.filter((part) => part !== null)
    printStatus(`Warning: ${parts.length === 0 ? '' : `${parts.join(':')}: `}${message}`)
  }
  const more = warnings.length - MAX_WARNING_LINES
  if (more > 0) printStatus(`Warning: ${more} more of this kind: the API lists them.`)
}

/** Says whether visitors see the page, and its draft. */
export function describeState({
  is_published: isPublished,
  has_unpublished_changes: hasUnpublishedChanges,
}: Page): string {
  if (!isPublished) return 'Saved as a draft: nobody sees it yet.'
  if (!hasUnpublishedChanges) return 'Published.'
  return 'Published before; nobody sees yet what changed in the draft.'
}

/**
 * Prints the state of the page for people. A password that the server generated is always printed,
 * because the owner must pass it on.
 */
export function printPageStatus({ flags, settings, env }: CommandContext, page: Page): void {
  const isGenerated = page.password !== undefined && settings.password === undefined
  if (isTerminal()) {
    const state = describeState(page)
    printMutedStatus(`${state} ${page.is_published ? describeAccess(page) : ''}`, env.noColor)
  }
  if (isGenerated) printStatus(`Password: ${page.password}`)
  if (flags.open === true && isTerminal()) openInBrowser(page.url)
}

/** Says who can open the page. */
export function describeAccess(page: Page): string {
  const {
    access,
    allowed_emails: allowedEmails,
    expires_at: expiresAt,
    max_views: maxViews,
    views,
  } = page
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    return 'Its link has expired: nobody but you can open it.'
  }
  if (maxViews !== null && views >= maxViews) {
    return 'It has reached its view limit: nobody but you can open it.'
  }
  const count = allowedEmails.length
  const invited = `${count} ${count === 1 ? 'person' : 'people'} you invite`
  return {
    link: 'Anyone with the link can open it.',
    people: `Only the ${invited} can open it.`,
    private: 'Only you can open it.',
    password: 'Anyone with the password can open it.',
    email_gate: 'Anyone who confirms an email can open it.',
  }[access]
}
