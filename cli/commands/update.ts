import { resolve } from 'node:path'
import { type CommandContext, positionalArgs } from '../command.ts'
import { type LocalContent, readLocalContent, STDIN } from '../local-content/index.ts'
import { WrongUsage } from '../output.ts'
import { resolvePageId } from '../page.ts'
import {
  confirmSkippedFiles,
  contentOptions,
  printWritten,
  replaceContent,
  type Written,
} from '../publishing.ts'
import { sendChanges } from '../send-changes.ts'

export async function run(context: CommandContext): Promise<void> {
  const [name = '', path] = positionalArgs(context, ['PAGE', 'PATH'], 1)
  const written =
    path === undefined
      ? await updateSettings(context, name)
      : await updateContent(context, name, path)
  const page = printWritten(context, written)
  context.print(page, page.url)
}

async function updateContent(
  context: CommandContext,
  name: string,
  path: string,
): Promise<Written> {
  const location = path === STDIN ? path : resolve(context.env.cwd, path)
  const local = await confirmSkippedFiles(context, await readLocalContent(location))
  const id = await resolvePageId(context, name)
  return replaceWithLocal(context, id, local)
}

/** Updates settings, which take effect at once. `--entry` alone changes a deck's first page. */
async function updateSettings(context: CommandContext, name: string): Promise<Written> {
  const { settings, flags } = context
  if (typeof flags.entry === 'string') {
    return replaceContent(
      context,
      { id: await resolvePageId(context, name) },
      { entry: flags.entry },
    )
  }
  if (Object.keys(settings).length === 0) {
    throw new WrongUsage('There is nothing to change: name a PATH or a setting.')
  }
  return context.client().updatePage({ id: await resolvePageId(context, name), ...settings })
}

/** Replaces the content of a page by local content. Of a deck, it sends only what changed. */
export async function replaceWithLocal(
  context: CommandContext,
  id: string,
  local: LocalContent,
): Promise<Written> {
  const options = contentOptions(context, local)
  return sendChanges({
    client: context.client(),
    id,
    local,
    send: (content, ifMatch) =>
      replaceContent(
        context,
        { id, ...(ifMatch !== undefined && { ifMatch }) },
        { ...content, ...options },
      ),
  })
}
