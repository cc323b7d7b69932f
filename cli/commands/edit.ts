import { ApiError } from '../../src/client/index.ts'
import { type CommandContext, positionalArgs } from '../command.ts'
import { WrongUsage } from '../output.ts'
import { type Page, resolvePageId } from '../page.ts'
import { printOpenTo, printWarnings } from '../publishing.ts'
import { isTerminal, printStatus } from '../terminal.ts'

export async function edit(context: CommandContext): Promise<void> {
  const [name = ''] = positionalArgs(context, ['PAGE'])
  const { find, replace, all, file, publish } = context.flags
  if (typeof find !== 'string') throw new WrongUsage('--find is missing.')
  if (typeof replace !== 'string') throw new WrongUsage("--replace is missing: '' deletes.")
  const edit = {
    id: await resolvePageId(context, name),
    edits: [{ find, replace, ...(all === true && { replace_all: true }) }],
    ...(typeof file === 'string' && { file }),
    publish: publish === true,
  }
  const response = await context.client().editHtml(edit).catch(rewordError)
  const { data: page, edits, warnings } = response
  printOpenTo(page)
  context.print({ page, edits }, page.url)
  if (isTerminal()) {
    const count = edits.changes.reduce((sum, change) => sum + change.count, 0)
    const places = count === 1 ? '1 place' : `${count} places`
    const state = publish === true ? 'and published it' : 'in the draft'
    const undo = `handbill restore ${page.id} ${edits.previous_version}`
    printStatus(
      `Replaced ${places} ${state}. To undo: ${undo}${publish === true ? ' --publish' : ''}`,
    )
  }
  printWarnings(warnings)
  reportUnpublished(page)
}

/** Without this line, the author of an edit would look for it at the link. */
function reportUnpublished(page: Page): void {
  if (!page.has_unpublished_changes) return
  const seen = page.is_published ? 'Visitors still see the old text' : 'Nobody sees it yet'
  printStatus(`${seen}. To publish the draft: handbill publish ${page.id}`)
}

/** Rewords errors about the list of edits: the command has one edit, made of options. */
function rewordError(err: unknown): never {
  const reworded = err instanceof ApiError ? messageOf(err) : undefined
  if (reworded === undefined) throw err
  const { status, code, param, request_id, details } = err as ApiError
  const members = {
    ...details,
    ...(param && { param }),
    ...(request_id && { request_id }),
  }
  throw new ApiError(reworded, { status, code, details: members }, err)
}

function messageOf({ code, details }: ApiError): string | undefined {
  const [file] = filesIn(details)
  if (code === 'edit_not_found' && file !== undefined) {
    const files = filesIn(details).join(', ')
    return `The text of --find is not in this file, but in ${files}: add --file ${file}.`
  }
  return OPTION_MESSAGES[code]
}
const OPTION_MESSAGES: Record<string, string> = {
  edit_not_found: 'The text of --find is nowhere in the draft: copy it exactly as it is there.',
  edit_ambiguous: 'The text of --find is there more than once: make it longer, or add --all.',
}

/** The files of a deck in which the server found the text. */
function filesIn({ found_in }: Record<string, unknown>): string[] {
  return Array.isArray(found_in) ? found_in.filter((path) => typeof path === 'string') : []
}
