import type { Call } from './command.ts'
import type { Content } from './content.ts'
import { CommandFailed, oneLine, WrongUsage } from './output.ts'
import type { Page } from './page.ts'
import type { LeftOut, Source } from './sources/index.ts'
import { canAsk, confirm, isTerminal, openInBrowser, say, sayMuted } from './terminal.ts'

const MAX_LINES = 10

/** Says what stays behind, and asks where that is more than the usual. */
export async function reviewed({ flags }: Call, source: Source): Promise<Source> {
  if (source.kind !== 'deck' || source.leftOut.length === 0) return source
  const { leftOut } = source
  for (const line of linesOf(leftOut)) say(line)
  if (flags.yes === true || !canAsk() || leftOut.every(({ isExpected }) => isExpected)) {
    return source
  }
  if (await confirm('Publish without them?', 'yes')) return source
  throw new CommandFailed('Nothing was published.')
}

function linesOf(leftOut: LeftOut[]): string[] {
  const lines = leftOut
    .slice(0, MAX_LINES)
    .map(({ path, why }) => `Left out ${oneLine(path)}: ${why}.`)
  const rest = leftOut.length - lines.length
  return rest > 0 ? [...lines, `Left out ${rest} more.`] : lines
}

/** Options that go with some content only. */
export function contentSettings({ flags }: Call, source: Source): Pick<Content, 'entry'> {
  if (typeof flags.entry !== 'string') return {}
  if (source.kind !== 'deck') throw new WrongUsage('--entry is for a folder or a zip.')
  return { entry: flags.entry }
}

/** Publishes in a last call of its own: where one before it fails, visitors see no new content. */
export async function replace(call: Call, id: string, content: Content): Promise<Page> {
  const { data: page } = await call.client().updatePage({ id, ...content, ...call.settings })
  if (call.flags.draft === true) return page
  const { data } = await call.client().publishPage({ id })
  return { ...page, ...data }
}

function stateOf({
  is_published: isPublished,
  has_unpublished_changes: hasUnpublishedChanges,
}: Page): string {
  if (!isPublished) return 'Saved as a draft: nobody sees it yet.'
  if (!hasUnpublishedChanges) return 'Published.'
  return 'Published before; nobody sees yet what changed in the draft.'
}

/**
 * Says what a person wants to know beside the link; a password that the server made up also where
 * nobody reads along, since whoever asked for the page has to pass it on.
 */
export function announce({ flags, settings, env }: Call, page: Page): void {
  const isMadeUp = page.password !== undefined && settings.password === undefined
  if (isTerminal()) {
    const state = stateOf(page)
    sayMuted(`${state} ${page.is_published ? audienceOf(page) : ''}`, env.noColor)
  }
  if (isMadeUp) say(`Password: ${page.password}`)
  if (flags.open === true && isTerminal()) openInBrowser(page.url)
}

/** Who may open it, in the words that the product has for it. */
export function audienceOf(page: Page): string {
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
    return 'It was opened as often as it may be: nobody but you can open it.'
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
