import { resolve } from 'node:path'
import { type CommandContext, positionalArgs } from '../command.ts'
import { STDIN } from '../local-content.ts'
import { WrongUsage, writeFile } from '../output.ts'
import { getPage, openPageRecord } from '../page.ts'
import { fetchPublished, type PulledFile } from '../pulled-content.ts'
import { isTerminal, printStatus } from '../terminal.ts'
import { saveFile, saveFolder } from '../write-files.ts'

/**
 * Saves the content of a page. The path is recorded as that of the page, so that publishing it
 * again replaces the same page.
 */
export async function pull(context: CommandContext): Promise<void> {
  const [name = '', path] = positionalArgs(context, ['PAGE', 'PATH'], 1)
  const version = versionOf(context)
  const page = await getPage(context, name)
  const content = await fetchPublished(context.client(), page, version)
  if (path === STDIN) {
    if (content.kind === 'deck') throw new WrongUsage('A deck is a folder: name one.')
    await writeFile(content.file.chunks())
    return
  }
  const fallback = content.kind === 'file' ? nameOf(content.file, page.slug) : page.slug
  const target = resolve(context.env.cwd, path ?? fallback)
  const force = context.flags.force === true
  const files =
    content.kind === 'deck'
      ? await saveFolder(target, content.files, force)
      : [await saveFile(target, content.file, { force })]
  openPageRecord(target, context.server).save(page)
  context.print({ path: target, files }, path ?? fallback)
  if (isTerminal()) {
    const count = files.length === 1 ? '1 file' : `${files.length} files`
    printStatus(
      `Saved ${count}. To publish what you change there: handbill publish ${path ?? fallback}`,
    )
  }
}

/** A single HTML page has no name of its own but its slug. */
function nameOf({ path, isHtml }: PulledFile, slug: string): string {
  return isHtml ? `${slug}.html` : path
}

function versionOf({ flags }: CommandContext): number | undefined {
  const { version } = flags
  if (version === undefined) return undefined
  if (/^[1-9]\d{0,8}$/.test(String(version))) return Number(version)
  throw new WrongUsage('--version must be the number of a version.')
}
