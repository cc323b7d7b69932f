import { ApiError } from '../../src/client/index.ts'
import { type CommandContext, positionalArgs } from '../command.ts'
import { WrongUsage } from '../output.ts'
import { resolvePageId } from '../page.ts'
import { isTerminal, printStatus } from '../terminal.ts'

export async function run(context: CommandContext): Promise<void> {
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
  const { data: page, edits } = response
  context.print({ page, edits }, page.url)
  if (!isTerminal()) return
  const count = edits.changes.reduce((sum, change) => sum + change.count, 0)
  const places = count === 1 ? '1 place' : `${count} places`
  const state = publish === true ? 'and published it' : 'in the draft'
  const undo = `handbill restore ${page.id} ${edits.previous_version}`
  printStatus(
    `Replaced ${places} ${state}. To undo: ${undo}${publish === true ? ' --publish' : ''}`,
  )
}

/** Rewords errors about the list of edits: the command has one edit, made of options. */
function rewordError(err: unknown): never {
  const message = err instanceof ApiError ? OPTION_MESSAGES[err.code] : undefined
  if (message === undefined) throw err
  const { status, code } = err as ApiError
  throw new ApiError(message, { status, code }, err)
}
const OPTION_MESSAGES: Record<string, string> = {
  edit_not_found: 'The text of --find is nowhere in the draft: copy it exactly as it is there.',
  edit_ambiguous: 'The text of --find is there more than once: make it longer, or add --all.',
}
